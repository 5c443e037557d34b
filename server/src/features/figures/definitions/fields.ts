/** Fields shared by the contracts of all reports. */
import { models } from '@whence/engine'
import { z } from 'zod'
import { Instant, REQUIRED } from '../../../platform/contract/fields.ts'

export const AdLevel = z.enum(['campaign', 'ad_set', 'ad'])
export const ModelParam = z.enum(models).default('last_touch')

/** Parsed by `readRange`, which returns the error `invalid_date_range`. */
export const rangeQuery = {
  date_from: z
    .string()
    .max(40)
    .optional()
    .meta({ format: 'date', [REQUIRED]: true }),
  date_to: z
    .string()
    .max(40)
    .optional()
    .meta({ format: 'date', [REQUIRED]: true }),
}

/** Parsed by `readAsOf`. */
export const asOfQuery = {
  as_of: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      'Returns the report as it was at this time; refused unless all days of the range were closed by then',
    ),
}

/** For reports without `as_of`. */
export const refusesAsOf = {
  as_of:
    'is not supported: this report reads customers, whose earlier states are not stored, so that an erasure is complete',
}

export const OutcomesByType = z.record(z.string(), z.int())

/** Computed from credit by `definitions.ts`. */
export const creditMeasures = {
  outcome_count: z.int().describe('Payments in which the row has a part'),
  outcome_credit: z
    .number()
    .describe('The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments'),
  outcome_value: z
    .number()
    .nullable()
    .describe('Credited cash less refunds; null if no exchange rate is known'),
  attributed_outcome_count: z.int(),
  attributed_outcomes_by_type: OutcomesByType,
  fx_missing: z.int().describe('Amounts left out because their exchange rate is missing'),
}

/** Computed from credit and spend. */
export const figureMeasures = {
  ...creditMeasures,
  spend: z.number().nullable().describe('Null if no exchange rate is known'),
  roas: z.number().nullable().describe('outcome_value / spend'),
}

export const cac = z.number().nullable().describe('spend / outcome_count')

/** Delivery as reported by the platform. */
export const traffic = {
  impressions: z.int(),
  clicks: z.int(),
  reach: z
    .int()
    .nullable()
    .describe(
      'Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up',
    ),
  ctr: z.number().nullable(),
  avg_cpm: z.number().nullable(),
  avg_cpc: z.number().nullable(),
  messaging_conversations_started_7d: z.int().nullable(),
}

/** First payments. */
export const newCustomers = {
  new_customer_count: z
    .int()
    .describe(
      'First payments in which the row has a part; a deposit and its balance within 7 days count as one',
    ),
  new_customer_value: z.number().nullable().describe('Cash of these payments less refunds'),
}
export const newCustomerFigures = {
  ...newCustomers,
  new_customer_cac: z.number().nullable().describe('spend / new_customer_count'),
  new_customer_roas: z.number().nullable().describe('new_customer_value / spend'),
}

/** A platform's figures next to ours. */
export const comparisonMeasures = {
  spend: z.number().nullable(),
  platform_conversions: z.number().nullable(),
  platform_conversion_value: z.string().nullable(),
  atribu_conversions: z.int(),
  atribu_cash_conversions: z.int(),
  atribu_cash_revenue: z.string().nullable(),
  conversion_gap: z.number().nullable(),
  conversion_gap_pct: z.number().nullable(),
  value_gap: z.string().nullable(),
  platform_roas: z.number().nullable(),
  atribu_roas: z.number().nullable(),
}

/** Of the whole profile. */
export const overviewMeasures = {
  spend: z
    .number()
    .nullable()
    .describe('Spend of campaigns. GET /reports/channels also includes ads without a known campaign'),
  revenue: z.number().nullable().describe('All cash of the profile less refunds'),
  credited_revenue: z.number().nullable().describe('Revenue credited to campaigns'),
  payments: z.int().describe('All payments of the profile, without failed and pending ones'),
}

/** Freshness of the figures, without the sources of delivery. */
export const computedFreshness = z.object({ computed_through: z.iso.datetime(), stale: z.boolean() })

/** Cash revenue of the profile: total, credited to an entity of the level, and unattributed. */
export const Reconciliation = z.object({
  total: z.number(),
  credited: z.number(),
  unattributed: z.number(),
  delta: z.number(),
  left_out: z
    .int()
    .describe(
      'Payments and refunds without an exchange rate, which no figure of this report contains, not even `total`. If not 0, `delta` covers only converted amounts',
    ),
})

export const ReportFreshness = z.object({
  computed_through: z.iso.datetime(),
  stale: z.boolean().describe('True while events wait to be processed or a recompute is running'),
  sources: z
    .array(
      z.object({
        source: z.string(),
        connection_id: z.uuid().nullable(),
        name: z.string().nullable(),
        through: z.string().nullable().describe('Last day with data; null if there is none yet'),
        stale: z.boolean(),
      }),
    )
    .describe(
      'Last day of data per ad account and import. An account is stale two days after its last complete sync, an import seven days after its last day.',
    ),
})

/** Fields of every report's `meta` in addition to the profile id. */
export const reportMeta = {
  date_from: z.string(),
  date_to: z.string(),
  model: z.enum(models),
  lookback_days: z.int().describe('The lookback that the figures were computed with'),
  reconciliation: Reconciliation,
  freshness: ReportFreshness,
  currency: z.string(),
  fx_missing: z
    .int()
    .describe(
      'Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known',
    ),
  fx_missing_rates: z
    .array(z.object({ currency: z.string(), day: z.string() }))
    .describe('The missing rates, newest first, at most 100'),
  result_hash: z.string(),
}

/** Shown next to credited revenue; never changes it. */
export const Calibration = z.object({
  experiment_id: z.uuid().describe('The study, as in GET …/experiments'),
  kind: z.enum(['lift', 'geo']),
  name: z.string(),
  ends_at: Instant.describe('When the study ended'),
  level: z.number().describe('Confidence level of the intervals, such as 0.95'),
  factor: z
    .number()
    .nullable()
    .describe(
      'Incremental over credited outcomes in the days of the study; null for a study that counts buyers',
    ),
  factor_low: z.number().nullable().describe('Lower bound of its interval'),
  factor_high: z.number().nullable().describe('Upper bound of its interval'),
  incremental_value: z.number().nullable().describe('outcome_value times factor'),
  incremental_low: z.number().nullable().describe('Lower bound of its interval'),
  incremental_high: z.number().nullable().describe('Upper bound of its interval'),
  buyers: z
    .object({
      incremental: z.number(),
      incremental_low: z.number(),
      incremental_high: z.number(),
      credited: z.int().describe('Distinct customers with a payment credited to these ads in those days'),
    })
    .nullable()
    .describe(
      'For a lift study that counts buyers: people who would not have bought without the ads, in the days of the study',
    ),
})

const text = z.string().nullable()
export const CreativeOfAd = z.object({
  campaign_id: z.uuid().describe('Id of the ad'),
  name: text,
  format: text,
  title: text,
  body: text,
  cta_type: text,
  thumbnail_url: text,
})
