import { z } from 'zod'

export const text = z.string().nullable()
export const number = z.number().nullable()

export const ScoreWindowParam = z.enum(['7d', '14d', '28d', 'lifetime']).describe('Scored days, such as 28d')
const status = z.enum(['served', 'withheld', 'not_applicable'])
const reason = text.describe(
  'Reason for a missing value, such as insufficient_history, no_skill, miscalibrated',
)
export const LearnedValue = z
  .object({
    value: number.describe('The learned value, in the unit of the field; null unless `status` is `served`'),
    status: status.describe('Whether the value may be shown'),
    reason: reason.describe(
      'Why there is no value, such as insufficient_history, no_skill or miscalibrated; null if there is one',
    ),
  })
  .describe('Use `value` only if `status` is `served`; show withheld as "not evaluated", never as 0.')
export const LearnedTier = z.object({
  value: z.enum(['low', 'medium', 'high']).nullable().describe('The tier; null unless `status` is `served`'),
  status: status.describe('Whether the value may be shown'),
  reason: reason.describe(
    'Why there is no value, such as insufficient_history, no_skill or miscalibrated; null if there is one',
  ),
})

const LayerPercentile = z.object({
  layer: z
    .enum([
      'delivery',
      'attention',
      'retention',
      'click_intent',
      'postclick_messaging',
      'attributed_revenue',
      'platform_diagnostics',
    ])
    .describe('Part of the score'),
  percentile: z
    .number()
    .describe(
      'Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1',
    ),
  sample_confidence: z
    .enum(['low', 'medium', 'high'])
    .describe('How much of the percentile comes from the ad’s own data; not how clear the difference is'),
})
const ReasonCode = LayerPercentile.extend({
  polarity: z.enum(['strength', 'weakness']).describe('Whether it is a positive or negative signal'),
})

export const TopPerformerRow = z.object({
  ad_external_id: z.string().describe('The platform’s id of the ad'),
  ad_name: text.describe('Name of the ad; null if the platform has not reported it'),
  campaign_name: text.describe('Name of the campaign; null if the platform has not reported it'),
  ad_set_name: text.describe('Name of the ad set; null if the platform has not reported it'),
  creative_thumbnail_url: text.describe('A copy of the image, served by this service; null if there is none'),
  video_id: text.describe('The platform’s id of the video; null if the ad has none'),
  score_window: ScoreWindowParam.describe('Days that the score covers'),
  composite_score: number.describe(
    '0 to 100 within the peer group; ads are ranked by it. Null if the ad is not scored',
  ),
  top_performer_likelihood: LearnedValue.describe('From 0.01 to 0.99 if `status` is `served`'),
  model_version: z.int().nullable().describe('Version of the model; null if the score comes from rules'),
  score_source: z.enum(['model', 'rules']).describe('Data that the score is based on'),
  maturity_stage: z.enum(['cold', 'early', 'mature', 'calibrated']).describe('Maturity of the ad’s data'),
  evidence: z
    .enum(['not_shown_enough', 'no_difference', 'differs'])
    .nullable()
    .describe(
      'Whether the ad was shown enough for a comparison, and whether it differs from the median of its peer group with 90 % probability; null in older scores',
    ),
  truth_grade: z
    .enum(['predicted', 'attributed', 'lift'])
    .describe(
      'lift: its campaign or ad set has a finished, positive lift study, or a positive geo study that passes its placebo tests (GET …/experiments)',
    ),
  primary_outcome_kind: z
    .enum(['cash', 'pipeline', 'messaging', 'meta', 'none'])
    .describe('Outcome type that the score is based on'),
  cohort_key: z
    .string()
    .describe('channel|format|objective|warmth|geo|placement; * for a part that is not compared'),
  cohort_objective: z.string().describe('Objective of the peer group'),
  cohort_format: z.string().describe('Format of the peer group'),
  cohort_audience_warmth: z.string().describe('Audience of the peer group'),
  cohort_n_ads: z.int().describe('Ads in the peer group'),
  hook_type: text.describe('Type of the ad’s opening; null if it is not classified'),
  creative_format: text.describe('Format of the ad; null if the platform does not report it'),
  cta_type: text.describe('The platform’s call-to-action type; null if the ad has none'),
  primary_angle: text.describe('Main argument of the ad; null if it is not classified'),
  offers: z.array(z.string()).describe('Offers in the ad'),
  spend: z.number().describe('Ad spend of the scored days, in the profile’s currency'),
  impressions: z.int().describe('Impressions, as the platform reports them'),
  ctr: number.describe('Clicks per 100 impressions; null without impressions'),
  cpc: number.describe('Spend per click; null without clicks'),
  attributed_cash_outcomes: z.int().describe('Payments that have credit'),
  attributed_revenue: z.number().describe('Credited cash, less refunds'),
  roas: number.describe('Return on ad spend: credited cash / spend; null without spend'),
  cac: number.describe('Spend per payment; null without payments'),
  attributed_outcomes_total: z.int().describe('Conversions of all types that have credit'),
  attributed_pipeline_outcomes: z.int().describe('Leads and other non-cash outcomes that have credit'),
  attributed_pipeline_value: z.number().describe('Value of the credited non-cash outcomes'),
  meta_reported_conversions: number.describe(
    'Conversions that the platform reports; null if it reports none',
  ),
  meta_reported_conversion_value: number.describe(
    'Value of the conversions that the platform reports; null if it reports none',
  ),
  cost_per_conversation: number.describe('Spend per conversation started; null without conversations'),
  messaging_conversations_started: z.int().describe('Conversations started, as the platform reports them'),
  first_reply_rate: number.describe(
    'Share, from 0 to 1, of the ad’s conversations that the business replied to; null if the platform reports no replies',
  ),
  avg_engagement_score: number.describe('Mean engagement score per day; null if it is not known'),
  hazard_30d_pause: LearnedValue.describe('From 0.01 to 0.99 if `status` is `served`'),
  hazard_30d_degradation: LearnedValue.describe('From 0.01 to 0.99 if `status` is `served`'),
  fatigue_risk_tier: LearnedTier.describe(
    'medium and high: clicks of the last week are at least 8 or 12 % below the number expected from the ad’s usual rate, beyond chance. low: no such decline was detected, which does not prove that there is none.',
  ),
  expected_lifespan_days: LearnedValue,
  reason_codes: z
    .array(ReasonCode)
    .describe(
      'Layers with a percentile below 0.4 or above 0.6, furthest from the median first; empty if the ad is average in all of them',
    ),
  layer_percentiles: z.array(LayerPercentile).describe('All layers, also those close to the median'),
})
export type TopPerformerRow = z.output<typeof TopPerformerRow>

export const ModelBacktest = z
  .object({
    status: z.enum(['served', 'withheld']).describe('Whether the values of the model are shown'),
    reason: text.describe('Why its values are withheld, for programs; null if they are shown'),
    ad_weeks: z.int().describe('Ad weeks that the test covers'),
    positives: z.int().describe('Weeks with the outcome'),
    folds: z.int().describe('Number of parts in the cross-validation'),
    brier: number.describe('Brier score of the model; lower is better. Null before a backtest'),
    brier_base_rate: number.describe('Brier score of always predicting the mean; null before a backtest'),
    brier_persistence: number.describe('Brier score of predicting no change; null before a backtest'),
    skill_over_base_rate_low: number.describe(
      'Lower bound of the skill compared with predicting the mean; null before a backtest',
    ),
    skill_over_persistence_low: number.describe(
      'Lower bound of the skill compared with predicting no change; null before a backtest',
    ),
    calibration_slope: number.describe(
      'Slope of outcomes over predictions; 1 is ideal. Null before a backtest',
    ),
    penalty: number.describe('Strength of the regularisation; null before a backtest'),
  })
  .describe(
    'Performance of the model on held-out weeks. Both lower bounds must be above 0 for it to be served.',
  )

export const scoring = {
  as_of: text.describe('The last day included in the scores; null before the first scoring'),
  model: z
    .object({ top: ModelBacktest, pause: ModelBacktest, degradation: ModelBacktest })
    .nullable()
    .describe('The backtests behind the learned values; null before the first'),
  progress: z
    .object({
      day: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
      steps_done: z.int().describe('Number of completed steps'),
      steps_total: z.int().describe('Total number of steps'),
    })
    .nullable()
    .describe('Progress of a running scoring; null if none runs'),
}

export const count = z.int()
