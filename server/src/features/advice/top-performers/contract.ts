import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, ProfileIds, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { limitParam } from '../../../platform/contract/page.ts'

const tag = 'top-performers'
const text = z.string().nullable()
const number = z.number().nullable()

export const ScoreWindowParam = z.enum(['7d', '14d', '28d', 'lifetime'])
const windowQuery = ScoreWindowParam.default('28d').describe(
  'The scored days, up to yesterday; custom ranges are not supported',
)

/** A comma-separated list of enum values. */
const listOf = <T extends readonly [string, ...string[]]>(values: T) =>
  z
    .string()
    .max(500)
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(values)).min(1))
    .optional()

const formatList = z
  .string()
  .max(500)
  .transform((value) => value.split(',').map((part) => part.trim().toLowerCase()))
  .pipe(
    z
      .array(z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be words such as video, static, carousel'))
      .min(1)
      .max(20),
  )
  .optional()

export const filterQuery = {
  min_spend: z.coerce.number().min(0).max(1e12).optional().describe('Minimum spend in the window'),
  objectives: listOf(['messaging', 'sales', 'leads', 'traffic', 'awareness']).describe('Comma-separated'),
  truth_grades: listOf(['predicted', 'attributed', 'lift']).describe('Comma-separated'),
  outcome_kinds: listOf(['cash', 'pipeline', 'messaging', 'meta', 'none']).describe('Comma-separated'),
  formats: formatList.describe('Comma-separated creative formats, such as video, static, carousel'),
  has_video: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('true: only ads with video; false: only ads without'),
}

const status = z.enum(['served', 'withheld', 'not_applicable'])
const reason = text.describe(
  'Reason for a missing value, such as insufficient_history, no_skill, miscalibrated',
)
export const LearnedValue = z
  .object({ value: number, status, reason })
  .describe('Use `value` only if `status` is `served`; show withheld as "not evaluated", never as 0.')
export const LearnedTier = z.object({ value: z.enum(['low', 'medium', 'high']).nullable(), status, reason })

const LayerPercentile = z.object({
  layer: z.enum([
    'delivery',
    'attention',
    'retention',
    'click_intent',
    'postclick_messaging',
    'attributed_revenue',
    'platform_diagnostics',
  ]),
  percentile: z
    .number()
    .describe(
      'Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1',
    ),
  sample_confidence: z
    .enum(['low', 'medium', 'high'])
    .describe('How much of the percentile comes from the ad’s own data; not how clear the difference is'),
})
const ReasonCode = LayerPercentile.extend({ polarity: z.enum(['strength', 'weakness']) })

export const TopPerformerRow = z.object({
  ad_external_id: z.string(),
  ad_name: text,
  campaign_name: text,
  ad_set_name: text,
  creative_thumbnail_url: text.describe('A copy of the image, served by this service'),
  video_id: text,
  score_window: ScoreWindowParam,
  composite_score: number.describe('0 to 100 within the peer group; ads are ranked by it'),
  top_performer_likelihood: LearnedValue.describe('From 0.01 to 0.99 if `status` is `served`'),
  model_version: z.int().nullable(),
  score_source: z.enum(['model', 'rules']),
  maturity_stage: z.enum(['cold', 'early', 'mature', 'calibrated']),
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
  primary_outcome_kind: z.enum(['cash', 'pipeline', 'messaging', 'meta', 'none']),
  cohort_key: z
    .string()
    .describe('channel|format|objective|warmth|geo|placement; * for a part that is not compared'),
  cohort_objective: z.string(),
  cohort_format: z.string(),
  cohort_audience_warmth: z.string(),
  cohort_n_ads: z.int(),
  hook_type: text,
  creative_format: text,
  cta_type: text,
  primary_angle: text,
  offers: z.array(z.string()),
  spend: z.number(),
  impressions: z.int(),
  ctr: number,
  cpc: number,
  attributed_cash_outcomes: z.int(),
  attributed_revenue: z.number(),
  roas: number,
  cac: number,
  attributed_outcomes_total: z.int(),
  attributed_pipeline_outcomes: z.int(),
  attributed_pipeline_value: z.number(),
  meta_reported_conversions: number,
  meta_reported_conversion_value: number,
  cost_per_conversation: number,
  messaging_conversations_started: z.int(),
  first_reply_rate: number.describe(
    'Share, from 0 to 1, of the ad’s conversations that the business replied to; null if the platform reports no replies',
  ),
  avg_engagement_score: number,
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
    status: z.enum(['served', 'withheld']),
    reason: text,
    ad_weeks: z.int(),
    positives: z.int(),
    folds: z.int(),
    brier: number,
    brier_base_rate: number,
    brier_persistence: number,
    skill_over_base_rate_low: number,
    skill_over_persistence_low: number,
    calibration_slope: number,
    penalty: number,
  })
  .describe(
    'Performance of the model on held-out weeks. Both lower bounds must be above 0 for it to be served.',
  )

const scoring = {
  as_of: text.describe('The last day included in the scores; null before the first scoring'),
  model: z
    .object({ top: ModelBacktest, pause: ModelBacktest, degradation: ModelBacktest })
    .nullable()
    .describe('The backtests behind the learned values'),
  progress: z
    .object({ day: z.string(), steps_done: z.int(), steps_total: z.int() })
    .nullable()
    .describe('Progress of a running scoring'),
}

export const listTopPerformers = endpoint({
  name: 'listTopPerformers',
  mcp: {
    description: 'Ads scored against comparable ads, best first, with the reasons.',
    concise: 'ad_external_id ad_name campaign_name composite_score truth_grade spend roas cac reason_codes',
  },
  method: 'GET',
  path: '/top-performers',
  summary: 'Ads scored against comparable ads',
  description:
    'Ranked by composite_score. Scores are computed once a day, comparing each ad with ads of the same channel, format, objective, audience, country and placement. Rates of ads with little data are shrunk towards the peer group. An empty list usually means that nothing has been scored yet.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({ window: windowQuery, limit: limitParam(10, 50), ...filterQuery }),
  reply: z.array(TopPerformerRow),
  meta: scoring,
})

const workspaceAccess = { kind: 'workspace', role: 'viewer', tokens: 'any' } as const

export const WorkspaceTopPerformerRow = TopPerformerRow.extend({
  profile_id: z.uuid(),
  profile_name: z.string(),
  currency: z.string().describe('Currency of all amounts in the row'),
})
export type WorkspaceTopPerformerRow = z.output<typeof WorkspaceTopPerformerRow>

export const listWorkspaceTopPerformers = endpoint({
  name: 'listWorkspaceTopPerformers',
  method: 'GET',
  path: '/workspaces/{workspaceId}/top-performers',
  summary: 'Top ads across every profile',
  description:
    'The combined leaderboards of the profiles you can access. Money is in the reporting currency of the workspace. Without one it is in the profile’s currency, ads of different currencies are ranked separately, and `limit` applies per currency.',
  tag,
  access: workspaceAccess,
  params: WorkspaceParams,
  query: z.object({
    window: windowQuery,
    limit: limitParam(10, 50),
    ...filterQuery,
    profile_ids: ProfileIds,
  }),
  reply: z.array(WorkspaceTopPerformerRow),
  meta: { as_of: text, profiles_not_scored: z.int() },
  errors: ['not_found'],
})

const count = z.int()
export const getTopPerformersBrief = endpoint({
  name: 'getTopPerformersBrief',
  method: 'GET',
  path: '/workspaces/{workspaceId}/top-performers/brief',
  summary: 'Six counters summarising the leaderboard',
  description:
    'Counts over the whole leaderboard of the window. A winner is mature and better than its peer group’s median with a probability of 0.9; a rising ad is early and better with 0.75; a fatiguing ad has a high fatigue_risk_tier.',
  tag,
  access: workspaceAccess,
  params: WorkspaceParams,
  query: z.object({ window: windowQuery, profile_ids: ProfileIds }),
  reply: z.object({
    ads_scored: count,
    winners: count,
    rising: count,
    fatiguing: count,
    cold: count,
    profiles_not_scored: count,
    as_of: text,
  }),
  errors: ['not_found'],
})

export const TopPerformersExport = z.strictObject({
  window: ScoreWindowParam.default('28d'),
  ad_external_ids: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
  profile_ids: z.array(z.uuid()).min(1).max(100).optional(),
})

export const exportTopPerformers = endpoint({
  name: 'exportTopPerformers',
  method: 'POST',
  path: '/workspaces/{workspaceId}/top-performers/export',
  summary: 'Export top ads as a bundle for a coding agent',
  description:
    'Returns a zip with brief.md, ads.json, patterns.json, schema.json and CHECKSUMS. Text by advertisers (names, titles, bodies) is marked and fenced as data, not instructions. Without `ad_external_ids`, the best 50 ads.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams,
  body: TopPerformersExport,
  reply: z.null(),
  file: 'application/zip',
  idempotent: false,
  errors: ['not_found'],
})

export const Snapshot = z.object({
  id: z.uuid(),
  url: z.string().describe('Anyone with the link can open it; a password is needed if one was set'),
  name: z.string(),
  window: ScoreWindowParam,
  has_password: z.boolean(),
  captured_at: Instant,
  expires_at: Instant,
  result_hash: z.string().describe('Hash of the captured content; never changes'),
  views: z.int(),
})

export const listSnapshots = endpoint({
  name: 'listSnapshots',
  method: 'GET',
  path: '/workspaces/{workspaceId}/snapshots',
  summary: 'List shared leaderboards',
  description: 'Active snapshots, newest first. Only snapshots whose profiles you can all access.',
  tag,
  access: workspaceAccess,
  params: WorkspaceParams,
  reply: z.array(Snapshot),
})

export const SnapshotCapture = z.strictObject({
  name: z.string().trim().min(1).max(120),
  window: ScoreWindowParam.default('28d'),
  filters: z
    .strictObject({
      objectives: z.array(z.string().max(64)).max(20).optional(),
      formats: z.array(z.string().max(64)).max(20).optional(),
      truth_grades: z.array(z.enum(['predicted', 'attributed', 'lift'])).optional(),
      outcome_kinds: z.array(z.enum(['cash', 'pipeline', 'messaging', 'meta', 'none'])).optional(),
      has_video: z.boolean().optional(),
      min_spend: z.number().min(0).max(1e12).optional(),
      profile_ids: z.array(z.uuid()).min(1).max(100).optional(),
    })
    .default({}),
  expires_in_days: z.int().min(1).max(365).default(30),
  password: z.string().min(8).max(200).optional(),
})

export const captureSnapshot = endpoint({
  name: 'captureSnapshot',
  method: 'POST',
  path: '/workspaces/{workspaceId}/snapshots',
  summary: 'Capture a leaderboard under a shareable link',
  description:
    'Freezes the current scores of the best 50 ads. The page never changes, is not indexed, and is available until it expires or is revoked. At most 500 active snapshots per workspace.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams,
  body: SnapshotCapture,
  reply: Snapshot,
  statuses: [201],
  errors: ['not_found', 'invalid_state'],
})

export const revokeSnapshot = endpoint({
  name: 'revokeSnapshot',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/snapshots/{snapshotId}',
  summary: 'Revoke a snapshot link',
  description: 'The link immediately returns 404. Revoking again has no effect.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams.extend({ snapshotId: z.uuid() }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
