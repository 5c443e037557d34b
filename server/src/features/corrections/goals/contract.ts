import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { FirstDay, LastDay, OutcomeType, RevenueType } from '../../../platform/contract/fields.ts'
import { REFUND_EVENT } from '../../facts/events/name-rules.ts'

const identifier = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be lower-case letters, digits and _, starting with a letter')
const names = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(50)
  .refine((list) => !list.includes(REFUND_EVENT), {
    message: `must not contain ${REFUND_EVENT}, which reduces the revenue of its payment`,
  })

const Fired = z.object({
  last_28_days: z.int().describe('Number of days of the last 28, today included'),
  last_day: z.iso.date().nullable().describe('Last day on which the condition held; null if it never did'),
  shared: z.boolean().describe('Another goal has the same outcome; these figures include both'),
})

export const GoalTarget = z.object({
  metric: z
    .enum(['count', 'value', 'cac', 'roas'])
    .describe(
      'cac: all ad spend per outcome; roas: value of all outcomes, credited to ads or not, over all ad spend; for a goal of all cash that is total_roas of GET /reports/overview, not its roas',
    ),
  period: z
    .enum(['week', 'month'])
    .describe('Monday to Sunday, or the calendar month, in the profile’s time zone'),
  target: z.number().describe('The value to reach in the period'),
  date_from: FirstDay,
  date_to: LastDay,
  through: z
    .string()
    .nullable()
    .describe(
      'The last closed day; for cac and roas, the last with complete ad data. Null if there is none yet',
    ),
  actual: z.number().nullable().describe('Result of the closed days; null while no day is closed'),
  expected: z
    .number()
    .nullable()
    .describe(
      'Part of the target that is due after the closed days, by the weekday pattern of the 8 weeks before; null without an estimate',
    ),
  status: z
    .enum(['ahead', 'on_track', 'behind', 'too_early', 'unknown'])
    .describe(
      '`too_early` until there are 5 outcomes, actual or expected; for money, at the latest after 7 closed days',
    ),
})
export type GoalTarget = z.output<typeof GoalTarget>

export const Goal = z.object({
  id: z.uuid().describe('Id of the goal'),
  display_name: z.string().describe('Name of the goal'),
  conversion_key: z.string().describe('Key of the goal, unique in the profile'),
  source_event_names: z.array(z.string()).describe('Events with these names are conversions of the goal'),
  outcome_type: OutcomeType,
  revenue_type: RevenueType,
  attribution_eligible: z.boolean().describe('Whether conversions of this goal get credit'),
  fired: Fired.nullish().describe(
    'In lists: how often reports counted the outcome; null for a goal that is not in reports (neither credited to ads nor cash)',
  ),
  target: GoalTarget.nullish().describe('In lists: progress towards the target; null for API keys'),
})

export const listGoals = endpoint({
  name: 'listGoals',
  method: 'GET',
  path: '/goals',
  summary: 'List conversion goals',
  description:
    'A goal defines which event names count, their outcome type and revenue type. Includes how often each goal was counted.',
  tag: 'conversions',
  access: { kind: 'profile', scopes: ['conversions:read'] },
  reply: z.array(Goal),
})

export const createGoal = endpoint({
  name: 'createGoal',
  method: 'POST',
  path: '/goals',
  summary: 'Create a conversion goal; past events count too',
  description: 'Stored events are reprocessed; figures change within seconds. At most 500 goals per profile.',
  tag: 'conversions',
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({
    display_name: z.string().trim().min(1).max(200).describe('Name of the goal, as people see it'),
    conversion_key: identifier.describe('Key of the goal, unique in the profile'),
    source_event_names: names.describe('Events with these names are conversions of the goal'),
    outcome_type: identifier.describe('Type of the outcome, for example payment_received or lead_created'),
    revenue_type: RevenueType,
    attribution_eligible: z.boolean().default(true).describe('Whether conversions of this goal get credit'),
  }),
  slow: true,
  reply: Goal,
  statuses: [201],
  errors: ['invalid_state'],
})

export const updateGoal = endpoint({
  name: 'updateGoal',
  method: 'PATCH',
  path: '/goals/{id}',
  summary: 'Change a conversion goal; past events are reprocessed',
  description: 'Omitted fields keep their values.',
  tag: 'conversions',
  access: { kind: 'profile', scopes: ['tracking:write'] },
  params: z.object({ id: z.uuid().describe('Id of the goal') }),
  body: z.strictObject({
    display_name: z.string().trim().min(1).max(200).optional().describe('Name of the goal, as people see it'),
    source_event_names: names.optional().describe('Events with these names are conversions of the goal'),
    outcome_type: identifier
      .optional()
      .describe('Type of the outcome, for example payment_received or lead_created'),
    revenue_type: RevenueType.optional(),
    attribution_eligible: z.boolean().optional().describe('Whether conversions of this goal get credit'),
  }),
  slow: true,
  reply: Goal,
  errors: ['not_found'],
})

export const deleteGoal = endpoint({
  name: 'deleteGoal',
  method: 'DELETE',
  path: '/goals/{id}',
  summary: 'Delete a conversion goal and its conversions',
  description: 'The events remain and can be counted by another goal.',
  tag: 'conversions',
  access: { kind: 'profile', scopes: ['tracking:write'] },
  params: z.object({ id: z.uuid().describe('Id of the goal') }),
  slow: true,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})

export const setGoalTarget = endpoint({
  name: 'setGoalTarget',
  method: 'PUT',
  path: '/goals/{id}/target',
  summary: 'Set the weekly or monthly target of a goal',
  description:
    '`target: null` removes it. Amounts are in the profile’s currency. GET /goals returns the progress to users, not to API keys.',
  tag: 'conversions',
  access: { kind: 'profile', scopes: ['tracking:write', 'campaigns:read'] },
  params: z.object({ id: z.uuid().describe('Id of the goal') }),
  body: z.strictObject({
    metric: GoalTarget.shape.metric.describe('Figure that the target is set for'),
    period: GoalTarget.shape.period.describe('Days that the report covers'),
    target: z
      .number()
      .positive()
      .max(1e12)
      .nullable()
      .describe('The value to reach in the period; null removes the target'),
  }),
  reply: z.object({
    goal_id: z.uuid().describe('Id of the goal'),
    target: GoalTarget.nullable().describe('The value to reach in the period; null removes the target'),
  }),
  errors: ['not_found'],
  example: { body: { metric: 'count', period: 'month', target: 120 } },
})
