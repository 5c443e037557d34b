import { withheldReasons } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { reportMeta } from '../reports/fields.ts'

export const DataDrivenReason = z.enum([...withheldReasons, 'not_computed', 'too_much_data'])
export type DataDrivenReason = z.output<typeof DataDrivenReason>

const Comparison = z
  .object({
    gain: z.number().describe('Squared error saved per payment of the later days'),
    sigmas: z.number().describe('`gain` in standard errors; shown from 2 on'),
  })
  .nullable()

export const DataDrivenModel = z.object({
  served: z.boolean(),
  reason: DataDrivenReason.nullable().describe('Why no figures are shown; null when `served`'),
  computed_at: Instant.nullable(),
  learned: z
    .object({
      date_from: z.string(),
      date_to: z.string(),
      visits: z.int(),
      payments: z.int().describe('Visits that a payment followed'),
      paths: z.int().describe('Different paths'),
      paths_hash: z.string(),
      version: z.int().describe('Of the method'),
    })
    .nullable(),
  against_last_touch: Comparison.describe('On later days than it learned from'),
  against_one_rate: Comparison.describe('The same, against one rate for all paths'),
  channels: z
    .array(
      z.object({
        channel: z.string(),
        outcome_credit: z.number().describe('Payments'),
        outcome_value: z.number(),
        outcome_value_low: z
          .number()
          .describe(
            'How far the division depends on who came: 95 % of a bootstrap over people. It is no interval of the true share, which it seldom holds',
          ),
        outcome_value_high: z.number(),
        last_touch_value: z.number().describe('Of the same payments under last touch'),
      }),
    )
    .describe('The most valuable first; they add up to `total`. Empty unless `served`'),
  total: z
    .object({ payments: z.int(), outcome_value: z.number(), fx_missing: z.int() })
    .nullable()
    .describe('Payments of the last 90 days that may be credited, less refunds'),
})

export const getDataDriven = endpoint({
  name: 'getDataDriven',
  method: 'GET',
  path: '/attribution/data-driven',
  summary: 'Revenue by channel under a model learned from visits with and without a payment',
  description:
    'Computed daily over the last 90 days. Shown only where it predicts later days better than last touch does, and no channel gains by following people who buy anyway; otherwise `served` is false with the reason. It describes paths, not cause: compare with experiments.',
  tag: 'attribution',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({
    as_of: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('The model as it was shown at this time, within the last 400 days'),
  }),
  reply: DataDrivenModel,
  meta: {
    currency: z.string(),
    date_from: z.string().nullable(),
    date_to: z.string().nullable(),
    result_hash: reportMeta.result_hash,
  },
})
