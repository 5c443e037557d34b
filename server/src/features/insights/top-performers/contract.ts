import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, ProfileIds, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { limitParam } from '../../../platform/contract/page.ts'

const tag = 'top-performers'
const text = z.string().nullable()
const number = z.number().nullable()

export const ScoreWindowParam = z.enum(['7d', '14d', '28d', 'lifetime'])
const windowQuery = ScoreWindowParam.default('28d').describe(
  'The days that are scored, up to yesterday; no custom range',
)

/** A word list of the query, each of the known ones. */
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
    .describe('true keeps only ads with video, false only those without'),
}

const status = z.enum(['served', 'withheld', 'not_applicable'])
const reason = text.describe('Why there is no value, such as insufficient_history, no_skill, miscalibrated')
export const LearnedValue = z
  .object({ value: number, status, reason })
  .describe('Read `value` only when `status` is `served`; withheld is shown as "not evaluated", never as 0.')
export const LearnedTier = z.object({ value: z.enum(['low', 'medium', 'high']).nullable(), status, reason })

export const ReasonCode = z.object({
  layer: z.enum([
    'delivery',
    'attention',
    'retention',
    'click_intent',
    'postclick_messaging',
    'attributed_revenue',
    'platform_diagnostics',
  ]),
  polarity: z.enum(['strength', 'weakness']),
  percentile: z
    .number()
    .describe('Mean probability that the ad’s rate is above another’s of the peer group; never 0 or 1'),
  sample_confidence: z.enum(['low', 'medium', 'high']),
})

export const TopPerformerRow = z.object({
  ad_external_id: z.string(),
  ad_name: text,
  campaign_name: text,
  ad_set_name: text,
  creative_thumbnail_url: text.describe('Served by this service from its own copy of the image'),
  video_id: text,
  score_window: ScoreWindowParam,
  composite_score: number.describe('0 to 100 within the peer group; the headline rank'),
  top_performer_likelihood: LearnedValue.describe('From 0.01 to 0.99 where `status` is `served`'),
  model_version: z.int().nullable(),
  score_source: z.enum(['model', 'rules']),
  maturity_stage: z.enum(['cold', 'early', 'mature', 'calibrated']),
  evidence: z
    .enum(['not_shown_enough', 'no_difference', 'differs'])
    .nullable()
    .describe(
      'Whether the ad was shown enough to compare it with its peer group, and whether it differs from the middle of it with 90 % probability; null in scores from before this field',
    ),
  truth_grade: z
    .enum(['predicted', 'attributed', 'lift'])
    .describe(
      'lift: a finished lift study of its campaign or ad set is positive, or a geo study whose placebos hold (GET …/experiments)',
    ),
  primary_outcome_kind: z.enum(['cash', 'pipeline', 'messaging', 'meta', 'none']),
  cohort_key: z
    .string()
    .describe('channel|format|objective|warmth|geo|placement; * where a part was given up'),
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
    'The share, from 0 to 1, of the conversations that the ad began and the business answered; null if the platform reports no replies',
  ),
  avg_engagement_score: number,
  hazard_30d_pause: LearnedValue.describe('From 0.01 to 0.99 where `status` is `served`'),
  hazard_30d_degradation: LearnedValue.describe('From 0.01 to 0.99 where `status` is `served`'),
  fatigue_risk_tier: LearnedTier.describe(
    'medium and high: clicks of the last week are at least 8 or 12 % below what the ad’s usual rate leads to expect, beyond chance. low: no such decline was found, which does not prove that there is none.',
  ),
  expected_lifespan_days: LearnedValue,
  reason_codes: z.array(ReasonCode),
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
    'How the model did on weeks that it had not seen. Both lower bounds must be above 0 for it to be served.',
  )

const scoring = {
  as_of: text.describe('The last day that the scores know; null until the first scoring'),
  model: z
    .object({ top: ModelBacktest, pause: ModelBacktest, degradation: ModelBacktest })
    .nullable()
    .describe('The backtests behind the learned values'),
  progress: z
    .object({ day: z.string(), steps_done: z.int(), steps_total: z.int() })
    .nullable()
    .describe('A scoring that is under way'),
}

export const listTopPerformers = endpoint({
  name: 'listTopPerformers',
  mcp: {
    description: 'Ads scored against comparable ads, best first, with the reasons.',
    concise: 'ad_external_id ad_name campaign_name composite_score truth_grade spend roas cac reason_codes',
  },
  method: 'GET',
  path: '/top-performers',
  summary: 'Ads scored against comparable creative',
  description:
    'Ranked by composite_score. Scores are made once a day, each ad against ads of its own channel, format, objective, audience, country and placement; rates are pulled towards the peer group until an ad has shown enough of its own. An empty list usually means that nothing is scored yet.',
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
  currency: z.string().describe('Of all money in the row'),
})
export type WorkspaceTopPerformerRow = z.output<typeof WorkspaceTopPerformerRow>

export const listWorkspaceTopPerformers = endpoint({
  name: 'listWorkspaceTopPerformers',
  method: 'GET',
  path: '/workspaces/{workspaceId}/top-performers',
  summary: 'Top ads across every profile',
  description:
    'The leaderboards of the profiles you can open, as one. Money is in the reporting currency of the workspace; without one it stays in the profile’s, ads of different currencies are not ranked against each other, and `limit` holds for each currency.',
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
    'Each is a count over the whole leaderboard of the window. A winner is mature and better than its peer group’s median with a probability of 0.9; a rising ad is early and so with 0.75; a fatiguing one has a high fatigue_risk_tier.',
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
    'Answers a zip: brief.md, ads.json, patterns.json, schema.json and CHECKSUMS. Text by advertisers (names, titles, bodies) is marked and fenced as data, not instructions. Without `ad_external_ids` the best 50.',
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
  url: z.string().describe('Anybody who has it can look, with the password where there is one'),
  name: z.string(),
  window: ScoreWindowParam,
  has_password: z.boolean(),
  captured_at: Instant,
  expires_at: Instant,
  result_hash: z.string().describe('Of what was captured; never changes'),
  views: z.int(),
})

export const listSnapshots = endpoint({
  name: 'listSnapshots',
  method: 'GET',
  path: '/workspaces/{workspaceId}/snapshots',
  summary: 'List shared leaderboards',
  description: 'Those that still open, newest first. Only of profiles that you can open.',
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
  summary: 'Capture a leaderboard under a link that can be shared',
  description:
    'Freezes the best 50 ads as they are scored now. The page never changes, is not indexed, and ends with `expires_in_days` or when it is revoked. At most 500 live ones per workspace.',
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
  description: 'The link returns 404 at once. Revoking again changes nothing.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams.extend({ snapshotId: z.uuid() }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
