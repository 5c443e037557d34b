import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { ConversionId, OccurredAt } from '../../../../platform/contract/fields.ts'
import { limitParam, Pagination, pageQuery } from '../../../../platform/contract/page.ts'
import { rangeQuery, refusesAsOf, reportMeta } from '../../../figures/definitions/fields.ts'

const tag = 'reports'
const STEP = /^[a-z_]{1,40}$/

const measures = {
  payments: z.int().describe('Payments on these days'),
  customers: z.int().describe('Distinct customers of these payments'),
  outcome_value: z
    .number()
    .describe(
      'Cash of these days, refunds subtracted on their own days; over all paths it equals the revenue of GET /reports/overview',
    ),
  fx_missing: z.int().describe('Amounts left out because their exchange rate is missing'),
}

export const JourneyPath = z.object({
  steps: z
    .array(z.string())
    .describe(
      'Channels in order of time; consecutive visits of one channel are one step. `earlier` replaces the steps before the last six; a single `unknown` means no visit within the lookback, a single `not_creditable` a goal that is never credited',
    ),
  ...measures,
})

export const getJourneys = endpoint({
  name: 'getJourneys',
  method: 'GET',
  path: '/reports/journeys',
  summary: 'The most common channel paths to a payment',
  description:
    'Paths of the payments on these days: the channels of every touch in the `meta.lookback_days` before the payment, whichever of them a model credits. A refund of an earlier payment counts on its day for the path of that payment, which may have no payment of these days. Reads the newest 20,000 payments; `meta.truncated` is true if there are more. `total` is the sum over all paths.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({ ...rangeQuery, limit: limitParam(20, 100).describe('Rows per page') }),
  refused: refusesAsOf,
  reply: z.array(JourneyPath),
  extra: {
    total: z
      .object({
        ...measures,
        paths: z.int().describe('Distinct paths of these payments'),
        several_channels: z.int().describe('Payments with more than one step'),
      })
      .describe('Number of distinct paths'),
  },
  meta: { ...reportMeta, truncated: z.boolean().describe('True if there are more payments than were read') },
  revalidates: true,
  errors: ['invalid_date_range'],
})

export const listJourneyPayments = endpoint({
  name: 'listJourneyPayments',
  method: 'GET',
  path: '/reports/journeys/payments',
  summary: 'The payments of one path',
  description:
    'Newest first; GET /customers finds the customer by `conversion_id`. A page examines at most 20,000 payments, so it may be shorter than `limit` although another page follows.',
  tag,
  access: { kind: 'profile', scopes: ['conversions:read'] },
  refused: refusesAsOf,
  query: z.object({
    path: z
      .string()
      .max(400)
      .transform((text) => text.split(','))
      .pipe(z.array(z.string().regex(STEP, 'must be channels such as paid_social,email')).min(1).max(7))
      .describe('The `steps` of the path, comma-separated'),
    ...rangeQuery,
    ...pageQuery,
  }),
  reply: z.array(
    z.object({
      conversion_id: ConversionId,
      occurred_at: OccurredAt,
      value: z.number().nullable().describe('Amount paid, in `currency`; null if it is not known'),
      currency: z.string().nullable().describe('ISO 4217 code of `value`; null if it is not known'),
      outcome_value: z
        .number()
        .nullable()
        .describe(
          'Amount less all its refunds, also later ones, in the profile’s currency; null if the exchange rate is missing',
        ),
    }),
  ),
  extra: { pagination: Pagination },
  meta: reportMeta,
  revalidates: true,
  errors: ['invalid_date_range'],
  example: { query: { date_from: '2026-01-01', date_to: '2026-01-31', path: 'paid_social' } },
})
