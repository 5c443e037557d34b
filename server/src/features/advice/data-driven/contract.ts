import { withheldReasons } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
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
  served: z.boolean(),
  reason: DataDrivenReason.nullable().describe('Why no figures are shown; null if `served`'),
  computed_at: Instant.nullable(),
  learned: z
    .object({
      date_from: z.string(),
      date_to: z.string(),
      visits: z.int(),
      payments: z.int().describe('Visits followed by a payment'),
      paths: z.int().describe('Distinct paths'),
      paths_hash: z.string(),
      version: z.int().describe('Version of the method'),
    })
    .nullable(),
  against_last_touch: Comparison.describe('Comparison with last touch on later days than the training data'),
  against_one_rate: Comparison.describe('Comparison with one rate for all paths, on the same days'),
  channels: z
    .array(
      z.object({
        channel: z.string(),
        outcome_credit: z.number().describe('Credited payments'),
        outcome_value: z.number(),
        outcome_value_low: z
          .number()
          .describe(
            'Lower bound of a 95 % bootstrap interval over people: it shows the sampling error only and seldom contains the true share',
          ),
        outcome_value_high: z.number(),
        last_touch_value: z.number().describe('Value of the same payments under last touch'),
      }),
    )
    .describe('By value, highest first; they add up to `total`. Empty unless `served`'),
  total: z
    .object({ payments: z.int(), outcome_value: z.number(), fx_missing: z.int() })
    .nullable()
    .describe('Payments of the last 90 days eligible for attribution, less refunds'),
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
    currency: z.string(),
    date_from: z.string().nullable(),
    date_to: z.string().nullable(),
    result_hash: reportMeta.result_hash,
  },
})
