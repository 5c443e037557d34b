import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt, FirstDay, Instant, LastDay } from '../../../platform/contract/fields.ts'

const tag = 'alerts'
const params = z.object({ id: z.uuid().describe('Id of the alert') })

export const alertMetrics = ['spend', 'revenue', 'roas', 'cac', 'conversions'] as const
export const PREVIEW_DAYS = 90

const WindowDays = z
  .union([z.literal(1), z.literal(7), z.literal(28)])
  .describe('Number of closed days that are summed, ending with the evaluated day')
const Comparison = z
  .enum(['value', 'change'])
  .describe(
    'value: the figure itself. change: its percentage change from the preceding period of the same length; a single day is compared with the same weekday a week before',
  )
const threshold = 'An amount, a ratio or a count; for a change, the percentage without a sign'

export const ThresholdCondition = z.strictObject({
  kind: z.literal('threshold').describe('The rule compares a figure with a threshold'),
  metric: z
    .enum(alertMetrics)
    .describe('conversions are payments; CAC and ROAS use ad spend and last-touch credit'),
  campaign_id: z.uuid().nullable().describe('Null: the whole profile'),
  direction: z.enum(['above', 'below']).describe('above or below the threshold; for a message, in or out'),
  comparison: Comparison,
  threshold: z.number().positive().max(1e12).describe(threshold),
  window_days: WindowDays,
  min_conversions: z
    .int()
    .min(3)
    .max(100_000)
    .describe(
      'Minimum number of payments for an evaluation, such as 10; not used for spend. A fall from at least this many is also evaluated; for the value of a ROAS or CAC, only a fall to zero payments',
    ),
})
export const FindingCondition = z.strictObject({
  kind: z.literal('finding').describe('The rule fires on a finding of the checks'),
  check_id: z.string().max(80).nullable().describe('Id of a doctor check; null: any check'),
})
export const AlertCondition = z
  .discriminatedUnion('kind', [ThresholdCondition, FindingCondition])
  .describe('Condition of the alert')
export type AlertCondition = z.output<typeof AlertCondition>

export const AlertFigure = z.object({
  date_from: FirstDay,
  date_to: LastDay,
  value: z
    .number()
    .nullable()
    .describe('The figure that the rule watches, in its own unit; null if data is missing'),
  before: z
    .number()
    .nullable()
    .describe('The figure of the days that it is compared with; null without a comparison'),
  change_percent: z
    .number()
    .nullable()
    .describe('Change from the previous window in percent; null without one'),
  conversions: z.int().describe('Payments in the days'),
  conversions_before: z.int().describe('Conversions in the previous window'),
  verdict: z
    .enum(['breach', 'clear', 'between', 'unknown'])
    .describe(
      'breach: past the threshold. clear: back past the recovery margin. between: past the threshold but a usual change for this profile, or back but within the margin. unknown: not enough data, see reason',
    ),
  reason: z
    .enum([
      'too_few_conversions',
      'no_spend',
      'exchange_rate_missing',
      'nothing_to_compare',
      'too_little_history',
      'usual_change',
      'no_more_data',
    ])
    .nullable()
    .describe(
      'Why the figure could not be compared, or did not fire the rule; null if there is nothing to explain',
    ),
  check_ids: z.array(z.string()).describe('Checks with open findings; empty for a threshold'),
})
export type AlertFigure = z.output<typeof AlertFigure>

export const Alert = z.object({
  id: z.uuid().describe('Id of the alert'),
  name: z.string().describe('Name of the alert, as people see it'),
  condition: AlertCondition,
  campaign_name: z
    .string()
    .nullable()
    .describe('Name of the campaign that it watches; null if it watches all'),
  enabled: z.boolean().describe('Whether it is enabled'),
  muted_until: Instant.nullable().describe('Until when the alert is silent; null if it is not'),
  state: z.enum(['ok', 'firing']).describe('Whether the condition holds now'),
  fired_on: z.string().nullable().describe('The most recent day on which it fired; null if it never did'),
  evaluated_through: z.string().nullable().describe('The most recent evaluated day; null before the first'),
  held: z.string().nullable().describe('Why the last closed day is not evaluated yet; null if it is'),
  figure: AlertFigure.nullable().describe(
    'The figure of the most recent evaluated day; null if there is none',
  ),
})
export type Alert = z.output<typeof Alert>

const name = z.string().trim().min(1).max(120)

export const listAlerts = endpoint({
  name: 'listAlerts',
  method: 'GET',
  path: '/alerts',
  summary: 'List alert rules with their state',
  description:
    'Rules are evaluated once per closed day, when the data of the day is complete. Firing rules come first.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  reply: z.array(Alert),
})

export const createAlert = endpoint({
  name: 'createAlert',
  method: 'POST',
  path: '/alerts',
  summary: 'Create an alert rule on a figure or on findings of the doctor',
  description:
    'A rule fires once. It can fire again after the figure recovered past a margin and 7 days passed, or the number of days that it sums if that is longer. Alerts are sent to brief receivers with `alerts` on, and as the events `alert.fired` and `alert.recovered`. At most 100 rules per profile.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write', 'campaigns:read'] },
  body: z.strictObject({
    name: name.describe('Name of the alert, as people see it'),
    condition: AlertCondition,
  }),
  reply: Alert,
  statuses: [201],
  errors: ['invalid_state', 'not_found'],
  example: {
    body: {
      name: 'Revenue drops',
      condition: {
        kind: 'threshold',
        metric: 'revenue',
        campaign_id: null,
        direction: 'below',
        comparison: 'change',
        threshold: 30,
        window_days: 7,
        min_conversions: 10,
      },
    },
  },
})

export const updateAlert = endpoint({
  name: 'updateAlert',
  method: 'PATCH',
  path: '/alerts/{id}',
  summary: 'Rename, change, pause or mute an alert rule',
  description:
    'A changed condition resets the rule to not firing and applies from the next day that was not evaluated yet. While a rule is muted, alerts are logged but not sent.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write', 'campaigns:read'] },
  params,
  body: z.strictObject({
    name: name.optional().describe('Name of the alert, as people see it'),
    condition: AlertCondition.optional(),
    enabled: z.boolean().optional().describe('Whether it is enabled'),
    mute_days: z.int().min(0).max(90).optional().describe('Days from now; 0 unmutes'),
  }),
  reply: Alert,
  errors: ['not_found'],
  example: { body: { mute_days: 3 } },
})

export const deleteAlert = endpoint({
  name: 'deleteAlert',
  method: 'DELETE',
  path: '/alerts/{id}',
  summary: 'Delete an alert rule',
  description: 'Its alerts stay in the log.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  params,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})

export const previewAlert = endpoint({
  name: 'previewAlert',
  method: 'POST',
  path: '/alerts/preview',
  summary: 'Preview how often a rule would have fired in the last 90 days',
  description:
    'Uses the current figures of those days. Null for a rule on findings, because their history is not stored.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write', 'campaigns:read'] },
  body: z.strictObject({ condition: AlertCondition }),
  reply: z
    .object({
      days: z.int().describe('The evaluated days, with the figure of each'),
      fired: z
        .array(
          z.object({
            day: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
            recovered_on: z
              .string()
              .nullable()
              .describe('First day on which the condition no longer held; null while it fires'),
            figure: AlertFigure.describe('Value of the monitored figure at that time'),
          }),
        )
        .describe('Days on which it would have fired'),
      unknown_days: z.int().describe('Days without enough data for a verdict'),
      latest: AlertFigure.describe('Figures of the newest closed day'),
    })
    .nullable(),
  errors: ['not_found'],
  example: {
    body: {
      condition: {
        kind: 'threshold',
        metric: 'roas',
        campaign_id: null,
        direction: 'below',
        comparison: 'value',
        threshold: 1.5,
        window_days: 28,
        min_conversions: 20,
      },
    },
  },
})

export const AlertLogEntry = z.object({
  id: z.uuid().describe('Id of the entry'),
  alert_id: z.uuid().describe('Id of the alert'),
  kind: z.enum(['fired', 'recovered']).describe('Whether the alert fired or recovered'),
  day: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
  name: z.string().describe('Name of the alert'),
  condition: AlertCondition,
  campaign_name: z
    .string()
    .nullable()
    .describe('Name of the campaign; null if the alert watches all campaigns'),
  figure: AlertFigure.describe('Value of the monitored figure at that time'),
  recovered_on: z
    .string()
    .nullable()
    .describe('For kind fired: the day it recovered; null while it is firing'),
  is_muted: z.boolean().describe('True if it was not sent'),
  created_at: CreatedAt,
})

export const listAlertLog = endpoint({
  name: 'listAlertLog',
  method: 'GET',
  path: '/alerts/log',
  summary: 'List fired and recovered alerts with their figures',
  description: 'At most 200, newest first.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  reply: z.array(AlertLogEntry),
})
