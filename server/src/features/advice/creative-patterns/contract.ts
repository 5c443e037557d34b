import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ProfileIds, WorkspaceParams } from '../../../platform/contract/fields.ts'

const tag = 'insights'
const share = z.number()

const ad_ids = z
  .array(z.uuid())
  .describe('Up to 100 ads by spend, highest first; with several currencies, alternating between them')

const LiftFields = z.object({
  ad_ids,
  ads: z.int().describe('Ads with the trait, in campaigns that also have ads without it'),
  profiles: z.int().describe('Number of profiles with such ads'),
  spend: z.number().nullable().describe('Null if the profiles report in different currencies'),
  currency: z
    .string()
    .nullable()
    .describe('ISO 4217 code of `spend`; null if the profiles report in different currencies'),
  lift: share.describe(
    '1.2: ads with the trait perform 1.2 times as well as the others of their campaign; an association, not a cause',
  ),
  lift_low: share.describe('Lower bound of the 95 % interval'),
  lift_high: share.describe('Upper bound of the lift'),
  p_value: share.describe('Share of random permutations with an equal or larger difference; never 0 or 1'),
  q_value: share.describe('False discovery rate; up to 0.10 the verdict is winning or losing'),
  verdict: z.enum(['winning', 'losing', 'unclear']).describe('Conclusion from the figures'),
  confounded_with: z
    .array(z.string())
    .describe('Traits that almost always occur together with it: their effects are not separable'),
})

export const CreativeDimension = LiftFields.extend({
  dimension: z.string().describe('Grouping dimension of the ads'),
  value: z.string().describe('Value of the trait, for example `question`'),
})
export const CreativePattern = LiftFields.extend({
  traits: z
    .array(
      z.object({
        dimension: z.string().describe('Grouping dimension of the ads'),
        value: z.string().describe('Value of the trait, for example `question`'),
      }),
    )
    .describe('Common traits of the ads'),
  profiles_agreeing: z.int().describe('Profiles whose own ads show a difference in the same direction'),
})
export const CreativeArchetype = z.object({
  archetype: z.string().describe('Name of the archetype'),
  definition: z.string().describe('Rule that defines the archetype'),
  ads: z.int().describe('Ads of this archetype'),
  ad_ids,
  win_rate: share.describe(
    'Share of its ads that are better than their peer group’s median with a probability of 0.9',
  ),
  win_rate_low: share.describe('Lower bound of the share of winners'),
  win_rate_high: share.describe('Upper bound of the share of winners'),
  sample_ad_ids: z.array(z.uuid()).describe('Ids of some ads of this archetype'),
})

const reads = {
  method: 'GET',
  tag,
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  query: z.object({ profile_ids: ProfileIds }),
  errors: ['not_found'],
} as const
const method =
  'Uses the scored ads of the last 28 days. Ads are compared only within their campaigns, significance is tested with 999 permutations, and a trait must occur in at least 8 ads in 3 campaigns.'

export const listCreativeDimensions = endpoint({
  ...reads,
  name: 'listCreativeDimensions',
  path: '/workspaces/{workspaceId}/creative-patterns/dimensions',
  summary: 'Traits of ads associated with better or worse results',
  description: method,
  reply: z.array(CreativeDimension),
})

export const listCreativePatterns = endpoint({
  ...reads,
  name: 'listCreativePatterns',
  path: '/workspaces/{workspaceId}/creative-patterns',
  summary: 'Pairs of traits associated with better or worse results, across profiles',
  description: `${method} Only the 40 most frequent pairs are tested.`,
  reply: z.array(CreativePattern),
})

export const listCreativeArchetypes = endpoint({
  ...reads,
  name: 'listCreativeArchetypes',
  path: '/workspaces/{workspaceId}/creative-archetypes',
  summary: 'Archetypes of ads, and how often each wins',
  description:
    'Archetypes are defined by rules; each ad belongs to the first one that fits. The interval is 95 %.',
  reply: z.array(CreativeArchetype),
})
