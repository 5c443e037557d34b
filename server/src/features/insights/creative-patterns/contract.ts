import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ProfileIds, WorkspaceParams } from '../../../platform/contract/fields.ts'

const tag = 'insights'
const share = z.number()

const ad_ids = z
  .array(z.uuid())
  .describe('Up to 100 of them, the most spend first; of several currencies, the most of each in turn')

const LiftFields = z.object({
  ad_ids,
  ads: z.int().describe('Ads that carry it, in campaigns that also hold ads without it'),
  profiles: z.int(),
  spend: z.number().nullable().describe('Null where the profiles report in different currencies'),
  currency: z.string().nullable(),
  lift: share.describe(
    '1.2: ads with it do 1.2 times as well as their campaign’s others; an association, not a cause',
  ),
  lift_low: share.describe('95 % interval'),
  lift_high: share,
  p_value: share.describe('How often shuffled ads show as much; never 0 or 1'),
  q_value: share.describe('Up to 0.10 is announced: at most one in ten announcements is chance'),
  verdict: z.enum(['winning', 'losing', 'unclear']),
  confounded_with: z
    .array(z.string())
    .describe('Traits that go along with it so often that either may be behind it'),
})

export const CreativeDimension = LiftFields.extend({ dimension: z.string(), value: z.string() })
export const CreativePattern = LiftFields.extend({
  traits: z.array(z.object({ dimension: z.string(), value: z.string() })),
  profiles_agreeing: z.int().describe('Profiles whose own ads point the same way'),
})
export const CreativeArchetype = z.object({
  archetype: z.string(),
  definition: z.string(),
  ads: z.int(),
  ad_ids,
  win_rate: share.describe('Share of its ads that beat their peer group’s median with a probability of 0.9'),
  win_rate_low: share,
  win_rate_high: share,
  sample_ad_ids: z.array(z.uuid()),
})

const reads = {
  method: 'GET',
  tag,
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  query: z.object({ profile_ids: ProfileIds }),
  errors: ['not_found'],
} as const
const howItIsDone =
  'Over the ads of the last 28 days that were scored. Ads are compared inside their campaigns only, chance is 999 shuffles, and at least 8 ads in 3 campaigns must carry it.'

export const listCreativeDimensions = endpoint({
  ...reads,
  name: 'listCreativeDimensions',
  path: '/workspaces/{workspaceId}/creative-patterns/dimensions',
  summary: 'Single traits of ads that go along with better or worse results',
  description: howItIsDone,
  reply: z.array(CreativeDimension),
})

export const listCreativePatterns = endpoint({
  ...reads,
  name: 'listCreativePatterns',
  path: '/workspaces/{workspaceId}/creative-patterns',
  summary: 'Pairs of traits that go along with better or worse results, across profiles',
  description: `${howItIsDone} Of all pairs the 40 that most ads carry are tested.`,
  reply: z.array(CreativePattern),
})

export const listCreativeArchetypes = endpoint({
  ...reads,
  name: 'listCreativeArchetypes',
  path: '/workspaces/{workspaceId}/creative-archetypes',
  summary: 'Kinds of ads by rule, and how often each wins',
  description: 'Each ad belongs to the first kind that fits it. The interval is 95 %.',
  reply: z.array(CreativeArchetype),
})
