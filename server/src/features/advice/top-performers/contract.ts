import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  ExpiresAt,
  Instant,
  ProfileId,
  ProfileIds,
  ProfileName,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'
import { limitParam } from '../../../platform/contract/page.ts'
import { count, ScoreWindowParam, scoring, TopPerformerRow, text } from './fields.ts'

const tag = 'top-performers'
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
  objectives: listOf(['messaging', 'sales', 'leads', 'traffic', 'awareness']).describe(
    'Only ads of these objectives, comma-separated',
  ),
  truth_grades: listOf(['predicted', 'attributed', 'lift']).describe(
    'Only ads with these grades of evidence, comma-separated',
  ),
  outcome_kinds: listOf(['cash', 'pipeline', 'messaging', 'meta', 'none']).describe(
    'Only ads whose score is based on these outcomes, comma-separated',
  ),
  formats: formatList.describe('Comma-separated creative formats, such as video, static, carousel'),
  has_video: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('true: only ads with video; false: only ads without'),
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
  query: z.object({
    window: windowQuery,
    limit: limitParam(10, 50).describe('Rows per page'),
    ...filterQuery,
  }),
  reply: z.array(TopPerformerRow),
  meta: scoring,
})

const workspaceAccess = { kind: 'workspace', role: 'viewer', tokens: 'any' } as const

export const WorkspaceTopPerformerRow = TopPerformerRow.extend({
  profile_id: ProfileId,
  profile_name: ProfileName,
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
    limit: limitParam(10, 50).describe('Rows per page'),
    ...filterQuery,
    profile_ids: ProfileIds,
  }),
  reply: z.array(WorkspaceTopPerformerRow),
  meta: {
    as_of: text.describe('When the newest scores were computed; null before the first'),
    profiles_not_scored: z.int().describe('Profiles without scores yet'),
  },
  errors: ['not_found'],
})

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
    ads_scored: count.describe('Ads with a score'),
    winners: count.describe('Number of winning ads'),
    rising: count.describe('Number of rising ads'),
    fatiguing: count.describe('Number of fatiguing ads'),
    cold: count.describe('Number of cold ads'),
    profiles_not_scored: count.describe('Profiles without scores yet'),
    as_of: text.describe('When the newest scores were computed; null before the first'),
  }),
  errors: ['not_found'],
})

export const TopPerformersExport = z.strictObject({
  window: ScoreWindowParam.default('28d'),
  ad_external_ids: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(50)
    .optional()
    .describe('The platform’s ids of the ads'),
  profile_ids: z.array(z.uuid()).min(1).max(100).optional().describe('Ids of profiles'),
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
  id: z.uuid().describe('Id of the shared page'),
  url: z.string().describe('Anyone with the link can open it; a password is needed if one was set'),
  name: z.string().describe('Name of the shared page'),
  window: ScoreWindowParam,
  has_password: z.boolean().describe('Whether a password protects it'),
  captured_at: Instant.describe('When it was captured'),
  expires_at: ExpiresAt,
  result_hash: z.string().describe('Hash of the captured content; never changes'),
  views: z.int().describe('How often the page was opened'),
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
  name: z.string().trim().min(1).max(120).describe('Name of the shared page'),
  window: ScoreWindowParam.default('28d'),
  filters: z
    .strictObject({
      objectives: z.array(z.string().max(64)).max(20).optional().describe('Objectives to show'),
      formats: z.array(z.string().max(64)).max(20).optional().describe('Formats to show'),
      truth_grades: z
        .array(z.enum(['predicted', 'attributed', 'lift']))
        .optional()
        .describe('Grades of evidence to show'),
      outcome_kinds: z
        .array(z.enum(['cash', 'pipeline', 'messaging', 'meta', 'none']))
        .optional()
        .describe('Kinds of outcomes to show'),
      has_video: z.boolean().optional().describe('Only ads with a video'),
      min_spend: z.number().min(0).max(1e12).optional().describe('Only ads with at least this spend'),
      profile_ids: z.array(z.uuid()).min(1).max(100).optional().describe('Ids of profiles'),
    })
    .default({})
    .describe('Filters of the report'),
  expires_in_days: z.int().min(1).max(365).default(30).describe('Days until it expires'),
  password: z.string().min(8).max(200).optional().describe('Password of the shared page'),
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
  params: WorkspaceParams.extend({ snapshotId: z.uuid().describe('Id of the snapshot') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
