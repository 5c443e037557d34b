import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CurrencyCode, FirstDay, LastDay, NamedEntity } from '../../../platform/contract/fields.ts'
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
  outcome_count: z.int().describe('Payments that the row has credit for'),
  outcome_credit: z.number().describe('Sum of the shares of the row in payments, each from 0 to 1'),
  outcome_value: z
    .number()
    .nullable()
    .describe('Credited cash, less refunds; null if an exchange rate is missing'),
})
const compared = {
  before: Figures.describe('The figures before the change'),
  after: Figures.describe('The figures after the change'),
  value_change: z
    .number()
    .nullable()
    .describe('`after` minus `before`, in the reporting currency; null if one of them is not known'),
}

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
    lookback_days: days.describe('Lookback window in days: visits within it can get credit'),
    first_touch_lookback_days: days.describe('Lookback window in days for the model first_touch'),
    half_life_days: days.describe(
      'For the model time_decay: the weight of a visit halves every this many days',
    ),
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
    total: z.object(compared).describe('Figures of the whole profile'),
    campaigns: z
      .array(z.object({ campaign: NamedEntity.describe('Campaign whose credit changes'), ...compared }))
      .describe('Changed campaigns, largest change first'),
    channels: z
      .array(z.object({ channel: z.string().describe('Channel, for example paid_social'), ...compared }))
      .describe('All channels with credit'),
    no_campaign: z.object(compared).describe('Credit without a campaign'),
  }),
  meta: {
    currency: CurrencyCode,
    date_from: FirstDay,
    date_to: LastDay,
    model: z.string().describe('Attribution model that splits the credit'),
  },
  errors: ['invalid_state', 'invalid_date_range'],
  example: {
    query: { date_from: '2026-01-01', date_to: '2026-01-31', model: 'last_touch', lookback_days: '60' },
  },
})
