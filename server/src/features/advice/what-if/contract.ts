import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { NamedEntity } from '../../../platform/contract/fields.ts'
import { ChannelOverride } from '../../attribution/channel-rules/contract.ts'
import { ModelParam, rangeQuery } from '../../figures/definitions/fields.ts'

const days = z.coerce.number().int().min(1).max(365).optional()
const list = (text: string) => text.split(',').map((part) => part.trim())

function decoded(value = ''): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** `host:lists.example=email,source:partner=affiliate` */
const ChannelRules = z
  .string()
  .max(8000)
  .transform((text) =>
    (text === '' ? [] : list(text)).map((rule) => {
      const [, kind, value, channel] = /^(\w+):(.+)=(\w+)$/.exec(rule) ?? []
      return { kind, value: decoded(value), channel }
    }),
  )
  .pipe(z.array(ChannelOverride).max(200))

const Figures = z.object({
  outcome_count: z.int(),
  outcome_credit: z.number(),
  outcome_value: z.number().nullable(),
})
const compared = { before: Figures, after: Figures, value_change: z.number().nullable() }

export const whatIf = endpoint({
  name: 'whatIf',
  method: 'GET',
  path: '/attribution/what-if',
  summary: 'Preview reports under changed attribution rules',
  description:
    'Computes credit twice, with the current rules and with the given changes, and compares the range. Nothing is stored. `after` equals the report once the changes are saved and recomputed. Goals can be excluded only if no order is reported by several sources; conversions of a goal that does not exist yet are not included.',
  tag: 'attribution',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({
    ...rangeQuery,
    model: ModelParam.describe('The model of `before`'),
    changed_model: ModelParam.unwrap().optional().describe('The model of `after`'),
    lookback_days: days,
    first_touch_lookback_days: days,
    half_life_days: days,
    channel_rules: ChannelRules.optional().describe(
      'The complete list of rules, with percent-encoded values: `host:lists.example=email,source:partner=affiliate`',
    ),
    without_goal_ids: z
      .string()
      .max(2000)
      .transform(list)
      .pipe(z.array(z.uuid()).max(50))
      .optional()
      .describe('Goals to exclude, comma-separated'),
  }),
  reply: z.object({
    total: z.object(compared),
    campaigns: z
      .array(z.object({ campaign: NamedEntity, ...compared }))
      .describe('Changed campaigns, largest change first'),
    channels: z.array(z.object({ channel: z.string(), ...compared })).describe('All channels with credit'),
    no_campaign: z.object(compared).describe('Credit without a campaign'),
  }),
  meta: { currency: z.string(), date_from: z.string(), date_to: z.string(), model: z.string() },
  errors: ['invalid_state', 'invalid_date_range'],
  example: {
    query: { date_from: '2026-01-01', date_to: '2026-01-31', model: 'last_touch', lookback_days: '60' },
  },
})
