import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import {
  asOfQuery,
  cac,
  figureMeasures,
  ModelParam,
  newCustomerFigures,
  rangeQuery,
  reportMeta,
} from '../../../figures/definitions/fields.ts'

const channelMeasures = { ...figureMeasures, cac, ...newCustomerFigures }

export const ChannelSource = z.object({
  source: z.string().nullable().describe('The ad platform, utm_source or site; null if unknown'),
  kind: z
    .enum(['ads', 'clicks_without_ad', 'visits'])
    .describe('Known ads, paid clicks without an ad, or visits without a paid click'),
  ...channelMeasures,
})

export const ChannelRow = z.object({
  channel: z
    .string()
    .describe(
      'paid_search, paid_social, paid_other, organic_search, email, direct …; `unknown` is revenue without a touch',
    ),
  ...channelMeasures,
  sources: z.array(ChannelSource).describe('By outcome_value, highest first'),
  days: z
    .array(
      z.object({
        date: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
        value: z.number().describe('Revenue of the day'),
      }),
    )
    .optional()
    .describe('With `by_day`: every day of the range; the days add up to outcome_value'),
})

export const getChannels = endpoint({
  name: 'getChannels',
  mcp: {
    description:
      'All revenue by channel (paid, organic, email, direct), under one model. Adds up to the total.',
    concise: 'channel outcome_count outcome_value',
  },
  method: 'GET',
  path: '/reports/channels',
  summary: 'All revenue by channel, paid and unpaid',
  description:
    'The credited and unattributed revenue of GET /campaigns, by channel and source. Under every model the outcome_value and outcome_credit of all rows add up to `total`. A channel counts a payment once, even if several of its sources have a part of it. Ads are listed by platform; paid clicks without an ad are listed separately. An erasure removes the source and keeps the channel.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  revalidates: true,
  query: z.object({
    ...rangeQuery,
    ...asOfQuery,
    model: ModelParam,
    by_day: z.enum(['true', 'false']).default('false').describe('Adds the revenue per day to each channel'),
  }),
  reply: z.array(ChannelRow),
  extra: { total: z.object(channelMeasures).describe('Sums of all rows') },
  meta: reportMeta,
  errors: ['invalid_date_range'],
})
