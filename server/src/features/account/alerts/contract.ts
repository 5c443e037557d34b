import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

const tag = 'alerts'
const params = z.object({ id: z.uuid() })

export const alertMetrics = ['spend', 'revenue', 'roas', 'cac', 'conversions'] as const
export const PREVIEW_DAYS = 90

const WindowDays = z
  .union([z.literal(1), z.literal(7), z.literal(28)])
  .describe('Closed days that are summed, up to and with the evaluated one')
const Comparison = z
  .enum(['value', 'change'])
  .describe(
    'value: the figure itself. change: its percentage change to as many days before; a single day is compared with the same weekday a week before',
  )
const threshold = 'An amount, a ratio or a count; of a change the percentage, without a sign'

export const ThresholdCondition = z.strictObject({
  kind: z.literal('threshold'),
  metric: z
    .enum(alertMetrics)
    .describe('conversions are payments; CAC and ROAS are those of ads, last touch'),
  campaign_id: z.uuid().nullable().describe('Null: the whole profile'),
  direction: z.enum(['above', 'below']),
  comparison: Comparison,
  threshold: z.number().positive().max(1e12).describe(threshold),
  window_days: WindowDays,
  min_conversions: z
    .int()
    .min(3)
    .max(100_000)
    .describe(
      'Payments below which the days are no evidence, such as 10; not used for spend. A fall from as many is evidence; for the value of a ROAS or CAC only a fall to none',
    ),
})
export const FindingCondition = z.strictObject({
  kind: z.literal('finding'),
  check_id: z.string().max(80).nullable().describe('A check of the doctor; null: any'),
})
export const AlertCondition = z.discriminatedUnion('kind', [ThresholdCondition, FindingCondition])
export type AlertCondition = z.output<typeof AlertCondition>

export const AlertFigure = z.object({
  date_from: z.string(),
  date_to: z.string(),
  value: z.number().nullable(),
  before: z.number().nullable().describe('Of the days that it is compared with'),
  change_percent: z.number().nullable(),
  conversions: z.int().describe('Payments in the days'),
  conversions_before: z.int(),
  verdict: z
    .enum(['breach', 'clear', 'between', 'unknown'])
    .describe('between: past the threshold but usual, or back but within the margin'),
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
    .describe('Why there is no alert from it'),
  check_ids: z.array(z.string()).describe('Open findings; empty for a threshold'),
})
export type AlertFigure = z.output<typeof AlertFigure>

export const Alert = z.object({
  id: z.uuid(),
  name: z.string(),
  condition: AlertCondition,
  campaign_name: z.string().nullable(),
  enabled: z.boolean(),
  muted_until: Instant.nullable(),
  state: z.enum(['ok', 'firing']),
  fired_on: z.string().nullable().describe('The last day that fired it'),
  evaluated_through: z.string().nullable().describe('The last day that was evaluated'),
  held: z.string().nullable().describe('Why the last closed day is not evaluated yet'),
  figure: AlertFigure.nullable().describe('Of the last evaluated day'),
})
export type Alert = z.output<typeof Alert>

const name = z.string().trim().min(1).max(120)

export const listAlerts = endpoint({
  name: 'listAlerts',
  method: 'GET',
  path: '/alerts',
  summary: 'Alert rules, and the state of each',
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
  summary: 'Alert people about a threshold or about findings of the doctor',
  description:
    'Fires once, and again only after the figure recovered past a margin and 7 days, or as many as it sums, passed. Sent to the receivers of briefs that take alerts, and as `alert.fired` and `alert.recovered`. At most 100 per profile.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write', 'campaigns:read'] },
  body: z.strictObject({ name, condition: AlertCondition }),
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
    'Another condition starts as not firing, with the next day that was not evaluated. While muted, what fires is in the log and is not sent.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write', 'campaigns:read'] },
  params,
  body: z.strictObject({
    name: name.optional(),
    condition: AlertCondition.optional(),
    enabled: z.boolean().optional(),
    mute_days: z.int().min(0).max(90).optional().describe('From now; 0 ends it'),
  }),
  reply: Alert,
  errors: ['not_found'],
  example: { body: { mute_days: 3 } },
})

export const deleteAlert = endpoint({
  name: 'deleteAlert',
  method: 'DELETE',
  path: '/alerts/{id}',
  summary: 'Remove an alert rule',
  description: 'What it fired stays in the log.',
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
  summary: 'How often a rule would have fired in the last 90 days',
  description:
    'From the figures as they are now. A rule about findings has no preview, since no history of them is kept.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write', 'campaigns:read'] },
  body: z.strictObject({ condition: AlertCondition }),
  reply: z
    .object({
      days: z.int(),
      fired: z.array(z.object({ day: z.string(), recovered_on: z.string().nullable(), figure: AlertFigure })),
      unknown_days: z.int().describe('Days without enough evidence'),
      latest: AlertFigure,
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
  id: z.uuid(),
  alert_id: z.uuid(),
  kind: z.enum(['fired', 'recovered']),
  day: z.string(),
  name: z.string(),
  condition: AlertCondition,
  campaign_name: z.string().nullable(),
  figure: AlertFigure,
  recovered_on: z.string().nullable().describe('Of one that fired; null while it is firing'),
  is_muted: z.boolean().describe('It was not sent'),
  created_at: Instant,
})

export const listAlertLog = endpoint({
  name: 'listAlertLog',
  method: 'GET',
  path: '/alerts/log',
  summary: 'What fired and recovered, with the figures of that day',
  description: 'The newest first, at most 200.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  reply: z.array(AlertLogEntry),
})
