import { withheldReasons } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CurrencyCode, FirstDay, Instant, LastDay } from '../../../platform/contract/fields.ts'
import { reportMeta } from '../../figures/definitions/fields.ts'

export const DataDrivenReason = z.enum([...withheldReasons, 'not_computed', 'too_much_data'])
export type DataDrivenReason = z.output<typeof DataDrivenReason>

const Comparison = z
  .object({
    gain: z.number().describe('Reduction of the squared error per payment on the test days'),
    sigmas: z.number().describe('`gain` in standard errors; figures are shown from 2 on'),
  })
  .nullable()

export const DataDrivenModel = z.object({
  served: z.boolean().describe('Whether the model is used in reports'),
  reason: DataDrivenReason.nullable().describe('Why no figures are shown; null if `served`'),
  computed_at: Instant.nullable().describe('When it was computed; null before the first run'),
  learned: z
    .object({
      date_from: FirstDay,
      date_to: LastDay,
      visits: z.int().describe('Number of visits'),
      payments: z.int().describe('Visits followed by a payment'),
      paths: z.int().describe('Number of distinct paths'),
      paths_hash: z.string().describe('Hash of the journeys that the model was trained on'),
      version: z.int().describe('Version of the method'),
    })
    .nullable()
    .describe('Training data of the model; null before the first run'),
  against_last_touch: Comparison.describe(
    'Comparison with last touch on later days than the training data; null before the first run',
  ),
  against_one_rate: Comparison.describe(
    'Comparison with one rate for all paths, on the same days; null before the first run',
  ),
  channels: z
    .array(
      z.object({
        channel: z.string().describe('Channel, for example paid_social'),
        outcome_credit: z.number().describe('Payments credited to the channel; a payment counts in parts'),
        outcome_value: z.number().describe('Credited cash, less refunds'),
        outcome_value_low: z
          .number()
          .describe(
            'Lower bound of a 95 % bootstrap interval over people: it shows the sampling error only and seldom contains the true share',
          ),
        outcome_value_high: z.number().describe('Upper bound of the value'),
        last_touch_value: z.number().describe('Value of the same payments under last touch'),
      }),
    )
    .describe('By value, highest first; they add up to `total`. Empty unless `served`'),
  total: z
    .object({
      payments: z.int().describe('Number of payments'),
      outcome_value: z.number().describe('Credited cash, less refunds'),
      fx_missing: z.int().describe('Number of days or rows excluded because the exchange rate is missing'),
    })
    .nullable()
    .describe('Payments of the last 90 days eligible for attribution, less refunds; null unless `served`'),
})

export const getDataDriven = endpoint({
  name: 'getDataDriven',
  method: 'GET',
  path: '/attribution/data-driven',
  summary: 'Revenue by channel under a model learned from visits with and without a payment',
  description:
    'Computed daily over the last 90 days. Served only if it predicts later days better than last touch, and no channel gains credit by following people who buy anyway; otherwise `served` is false with the reason. It describes paths, not causality: compare with experiments.',
  tag: 'attribution',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({
    as_of: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Returns the model as served at this time, within the last 400 days'),
  }),
  reply: DataDrivenModel,
  meta: {
    currency: CurrencyCode,
    date_from: z.string().nullable().describe('First day of the figures; null before the first run'),
    date_to: z.string().nullable().describe('Last day of the figures, inclusive; null before the first run'),
    result_hash: reportMeta.result_hash.describe('Hash of the figures: equal hashes mean equal figures'),
  },
})
