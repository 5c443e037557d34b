/** What the contract entries of all reports share. */
import { models } from '@whence/engine'
import { z } from 'zod'
import { REQUIRED } from '../../../platform/contract/fields.ts'

export const AdLevel = z.enum(['campaign', 'ad_set', 'ad'])
export const ModelParam = z.enum(models).default('last_touch')

/** Read by `readRange`, whose refusal has a code of its own. */
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

/** Read by `readAsOf`. */
export const asOfQuery = {
  as_of: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The report as it was at this time; its days are then closed ones'),
}

/** Of reports that have no `as_of`. */
export const withoutPast = {
  as_of:
    'is refused: this report reads people, whose earlier states are not kept, and after an erasure may not be',
}

export const OutcomesByType = z.record(z.string(), z.int())

/** What `definitions.ts` makes of credit. */
export const creditMeasures = {
  outcome_count: z.int().describe('Payments in which the row has a part'),
  outcome_credit: z
    .number()
    .describe('The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments'),
  outcome_value: z
    .number()
    .nullable()
    .describe('Cash credited, refunds subtracted; null where no exchange rate is known'),
  attributed_outcome_count: z.int(),
  attributed_outcomes_by_type: OutcomesByType,
  fx_missing: z.int().describe('Amounts left out because their exchange rate is missing'),
}

/** And of credit next to spend. */
export const figureMeasures = {
  ...creditMeasures,
  spend: z.number().nullable().describe('Null where no exchange rate is known'),
  roas: z.number().nullable().describe('outcome_value / spend'),
}

export const cac = z.number().nullable().describe('spend / outcome_count')

/** What a platform delivered. */
export const traffic = {
  impressions: z.int(),
  clicks: z.int(),
  reach: z
    .int()
    .nullable()
    .describe(
      'Unique accounts, as the platform itself reports them for the range; null where it does not: neither days nor ads add up',
    ),
  ctr: z.number().nullable(),
  avg_cpm: z.number().nullable(),
  avg_cpc: z.number().nullable(),
  messaging_conversations_started_7d: z.int().nullable(),
}

/** What first payments come to. */
export const newCustomers = {
  new_customer_count: z
    .int()
    .describe('First payments in which the row has a part; a deposit and its balance within 7 days are one'),
  new_customer_value: z.number().nullable().describe('Their cash, refunds subtracted'),
}
export const newCustomerFigures = {
  ...newCustomers,
  new_customer_cac: z.number().nullable().describe('spend / new_customer_count'),
  new_customer_roas: z.number().nullable().describe('new_customer_value / spend'),
}

/** What a platform reports next to what is credited here. */
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
    .describe('Spend of campaigns. Ads without a known campaign are in the spend of GET /reports/channels'),
  revenue: z.number().nullable().describe('All cash of the profile, refunds subtracted'),
  credited_revenue: z
    .number()
    .nullable()
    .describe('The part of the revenue that campaigns were credited with'),
  payments: z.int().describe('All payments of the profile, as GET /payments lists those that arrived'),
}

/** How current the figures are, without the sources of delivery. */
export const computedFreshness = z.object({ computed_through: z.iso.datetime(), stale: z.boolean() })

/** Cash revenue of the profile: all of it, what named an entity at the level, what did not. */
export const Reconciliation = z.object({
  total: z.number(),
  credited: z.number(),
  unattributed: z.number(),
  delta: z.number(),
  left_out: z
    .int()
    .describe(
      'Payments and refunds without an exchange rate: no figure of this report contains them, `total` included. Where it is not 0, the sum proves only what was converted',
    ),
})

export const ReportFreshness = z.object({
  computed_through: z.iso.datetime(),
  stale: z.boolean().describe('Events wait to be counted, or a recompute is under way'),
  sources: z
    .array(
      z.object({
        source: z.string(),
        connection_id: z.uuid().nullable(),
        name: z.string().nullable(),
        through: z.string().nullable().describe('Last day with data; null where nothing has come yet'),
        stale: z.boolean(),
      }),
    )
    .describe(
      'How far each ad account and each import reaches. An account is stale two days after its last whole sync, an import seven days after its last day.',
    ),
})

/** Members of every report's `meta` next to the profile's id. */
export const reportMeta = {
  date_from: z.string(),
  date_to: z.string(),
  model: z.enum(models),
  lookback_days: z.int().describe('Of the settings that the figures were made with'),
  reconciliation: Reconciliation,
  freshness: ReportFreshness,
  currency: z.string(),
  fx_missing: z
    .int()
    .describe(
      'Facts of the range whose exchange rate is missing, each on its own day; they add nothing until it is known',
    ),
  fx_missing_rates: z
    .array(z.object({ currency: z.string(), day: z.string() }))
    .describe('The rates that are missing, newest first, at most 100'),
  result_hash: z.string(),
}

/** Next to credited revenue, never inside it. */
export const Calibration = z.object({
  experiment_id: z.uuid().describe('The study, as in GET …/experiments'),
  kind: z.enum(['lift', 'geo']),
  name: z.string(),
  ends_at: z.string().describe('When the study ended'),
  level: z.number().describe('The share of such intervals that hold the truth'),
  factor: z
    .number()
    .nullable()
    .describe(
      'What the ads caused, over what they were credited with, in the days of the study; null for a study that counts buyers',
    ),
  factor_low: z.number().nullable().describe('Lower end of its interval'),
  factor_high: z.number().nullable().describe('Upper end of its interval'),
  incremental_value: z.number().nullable().describe('outcome_value times factor'),
  incremental_low: z.number().nullable().describe('Lower end of its interval'),
  incremental_high: z.number().nullable().describe('Upper end of its interval'),
  buyers: z
    .object({
      incremental: z.number(),
      incremental_low: z.number(),
      incremental_high: z.number(),
      credited: z.int().describe('Different customers with a payment credited to these ads in those days'),
    })
    .nullable()
    .describe(
      'Of a lift study that counts buyers: people who would not have bought without the ads, in its days',
    ),
})

const text = z.string().nullable()
export const CreativeOfAd = z.object({
  campaign_id: z.uuid().describe('Of the ad'),
  name: text,
  format: text,
  title: text,
  body: text,
  cta_type: text,
  thumbnail_url: text,
})
