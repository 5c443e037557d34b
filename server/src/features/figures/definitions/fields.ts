/** Fields shared by the contracts of all reports. */
import { models } from '@whence/engine'
import { z } from 'zod'
import { CurrencyCode, FirstDay, Instant, LastDay, REQUIRED } from '../../../platform/contract/fields.ts'

export const AdLevel = z.enum(['campaign', 'ad_set', 'ad']).describe('Level of the ad structure')
export const ModelParam = z
  .enum(models)
  .default('last_touch')
  .describe('Attribution model that splits the credit')

/** Parsed by `readRange`, which returns the error `invalid_date_range`. */
export const rangeQuery = {
  date_from: z
    .string()
    .max(40)
    .optional()
    .meta({ format: 'date', [REQUIRED]: true })
    .describe('First day of the range, YYYY-MM-DD, in the time zone of the profile'),
  date_to: z
    .string()
    .max(40)
    .optional()
    .meta({ format: 'date', [REQUIRED]: true })
    .describe('Last day of the range, inclusive, YYYY-MM-DD; at most 366 days'),
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
  attributed_outcome_count: z.int().describe('Conversions of all types that the row has credit for'),
  attributed_outcomes_by_type: OutcomesByType.describe('`attributed_outcome_count` by `outcome_type`'),
  fx_missing: z.int().describe('Amounts left out because their exchange rate is missing'),
}

/** Computed from credit and spend. */
export const figureMeasures = {
  ...creditMeasures,
  spend: z.number().nullable().describe('Null if no exchange rate is known'),
  roas: z.number().nullable().describe('`outcome_value` divided by `spend`; null without spend'),
}

export const cac = z
  .number()
  .nullable()
  .describe('`spend` divided by `outcome_count`; null without payments or spend')

/** Delivery as reported by the platform. */
export const traffic = {
  impressions: z.int().describe('Impressions, as the platform reports them'),
  clicks: z.int().describe('Clicks, as the platform reports them'),
  reach: z
    .int()
    .nullable()
    .describe(
      'Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up',
    ),
  ctr: z.number().nullable().describe('Clicks per 100 impressions; null without impressions'),
  avg_cpm: z.number().nullable().describe('Spend per 1,000 impressions; null without impressions'),
  avg_cpc: z.number().nullable().describe('Spend per click; null without clicks'),
  messaging_conversations_started_7d: z
    .int()
    .nullable()
    .describe(
      'Conversations started within 7 days of a click, as the platform reports them; null if it does not',
    ),
}

/** First payments. */
export const newCustomers = {
  new_customer_count: z
    .int()
    .describe(
      'First payments in which the row has a part; a deposit and its balance within 7 days count as one',
    ),
  new_customer_value: z
    .number()
    .nullable()
    .describe('Cash of these payments less refunds; null if an exchange rate is missing'),
}
export const newCustomerFigures = {
  ...newCustomers,
  new_customer_cac: z
    .number()
    .nullable()
    .describe('`spend` divided by `new_customer_count`; null without new customers or spend'),
  new_customer_roas: z
    .number()
    .nullable()
    .describe('`new_customer_value` divided by `spend`; null without spend'),
}

/** A platform's figures next to ours. */
export const comparisonMeasures = {
  spend: z.number().nullable().describe('Ad spend; null if the exchange rate is missing'),
  platform_conversions: z
    .number()
    .nullable()
    .describe('Conversions that the platform reports; null if it reports none'),
  platform_conversion_value: z
    .string()
    .nullable()
    .describe('Value of the conversions that the platform reports; null if it reports none'),
  atribu_conversions: z.int().describe('Conversions credited here'),
  atribu_cash_conversions: z.int().describe('Payments credited here'),
  atribu_cash_revenue: z
    .string()
    .nullable()
    .describe('Cash credited here, less refunds; null if the exchange rate is missing'),
  conversion_gap: z
    .number()
    .nullable()
    .describe(
      'Conversions credited here minus those that the platform reports; null if the platform reports none',
    ),
  conversion_gap_pct: z
    .number()
    .nullable()
    .describe('The gap in per cent of the conversions that the platform reports; null if it reports none'),
  value_gap: z
    .string()
    .nullable()
    .describe('Cash credited here minus the value that the platform reports; null if it reports none'),
  platform_roas: z
    .number()
    .nullable()
    .describe('Return on ad spend as the platform reports it; null without spend or if it reports no value'),
  atribu_roas: z.number().nullable().describe('Return on ad spend from the credit here; null without spend'),
}

/** Of the whole profile. */
export const overviewMeasures = {
  spend: z
    .number()
    .nullable()
    .describe(
      'Spend of campaigns. GET /reports/channels also includes ads without a known campaign. Null if an exchange rate is missing',
    ),
  revenue: z
    .number()
    .nullable()
    .describe('All cash of the profile less refunds; null if an exchange rate is missing'),
  credited_revenue: z
    .number()
    .nullable()
    .describe('Revenue credited to campaigns; null if an exchange rate is missing'),
  payments: z.int().describe('All payments of the profile, without failed and pending ones'),
}

/** Freshness of the figures, without the sources of delivery. */
export const computedFreshness = z.object({
  computed_through: z.iso.datetime().describe('Everything that arrived before this time is counted'),
  stale: z.boolean().describe('True if events are still being processed or a source is late'),
})

/** Cash revenue of the profile: total, credited to an entity of the level, and unattributed. */
export const Reconciliation = z.object({
  total: z.number().describe('All cash of the range, less refunds'),
  credited: z.number().describe('Cash that is credited to a campaign, ad set or ad'),
  unattributed: z.number().describe('Cash without credit to a campaign, ad set or ad'),
  delta: z.number().describe('total − credited − unattributed; 0 if the report adds up'),
  left_out: z
    .int()
    .describe(
      'Payments and refunds without an exchange rate, which no figure of this report contains, not even `total`. If not 0, `delta` covers only converted amounts',
    ),
})

export const ReportFreshness = z.object({
  computed_through: z.iso.datetime().describe('Everything that arrived before this time is counted'),
  stale: z.boolean().describe('True while events wait to be processed or a recompute is running'),
  sources: z
    .array(
      z.object({
        source: z.string().describe('Source of the data'),
        connection_id: z.uuid().nullable().describe('Id of the connection; null if there is none'),
        name: z.string().nullable().describe('Name of the source, as people see it; null if it has none'),
        through: z.string().nullable().describe('Last day with data; null if there is none yet'),
        stale: z.boolean().describe('True if events are still being processed or a source is late'),
      }),
    )
    .describe(
      'Last day of data per ad account and import. An account is stale two days after its last complete sync, an import seven days after its last day.',
    ),
})

/** Fields of every report's `meta` in addition to the profile id. */
export const reportMeta = {
  date_from: FirstDay,
  date_to: LastDay,
  model: z.enum(models).describe('Attribution model that splits the credit'),
  lookback_days: z.int().describe('The lookback that the figures were computed with'),
  reconciliation: Reconciliation.describe('Check that the rows add up: total = credited + unattributed'),
  freshness: ReportFreshness.describe('How current the figures are'),
  currency: CurrencyCode,
  fx_missing: z
    .int()
    .describe(
      'Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known',
    ),
  fx_missing_rates: z
    .array(
      z.object({
        currency: CurrencyCode,
        day: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
      }),
    )
    .describe('The missing rates, newest first, at most 100'),
  result_hash: z.string().describe('Hash of the figures: equal hashes mean equal figures'),
}

/** Shown next to credited revenue; never changes it. */
export const Calibration = z.object({
  experiment_id: z.uuid().describe('The study, as in GET …/experiments'),
  kind: z.enum(['lift', 'geo']).describe('Kind of study that the factor comes from'),
  name: z.string().describe('Name of the study'),
  ends_at: Instant.describe('When the study ended'),
  level: z.number().describe('Confidence level of the intervals, such as 0.95'),
  factor: z
    .number()
    .nullable()
    .describe(
      'Incremental over credited outcomes in the days of the study; null for a study that counts buyers',
    ),
  factor_low: z
    .number()
    .nullable()
    .describe('Lower bound of the interval of `factor`; null without an interval'),
  factor_high: z
    .number()
    .nullable()
    .describe('Upper bound of the interval of `factor`; null without an interval'),
  incremental_value: z.number().nullable().describe('`outcome_value` times `factor`; null without a study'),
  incremental_low: z
    .number()
    .nullable()
    .describe('Lower bound of the interval of `incremental_value`; null without an interval'),
  incremental_high: z
    .number()
    .nullable()
    .describe('Upper bound of the interval of `incremental_value`; null without an interval'),
  buyers: z
    .object({
      incremental: z.number().describe('Incremental buyers according to the study'),
      incremental_low: z.number().describe('Lower bound of the interval'),
      incremental_high: z.number().describe('Upper bound of the interval'),
      credited: z.int().describe('Distinct customers with a payment credited to these ads in those days'),
    })
    .nullable()
    .describe(
      'For a lift study that counts buyers: people who would not have bought without the ads, in the days of the study; null for other studies',
    ),
})

const text = z.string().nullable()
export const CreativeOfAd = z.object({
  campaign_id: z.uuid().describe('Id of the ad'),
  name: text.describe('Name of the creative; null if the platform does not report it'),
  format: text.describe('Format of the file, or of the ad; null if the platform does not report it'),
  title: text.describe('Headline of the ad; null if it has none'),
  body: text.describe('Text of the ad; null if it has none'),
  cta_type: text.describe('The platform’s call-to-action type; null if the ad has none'),
  thumbnail_url: text.describe('URL of the preview image; null if there is none'),
})
