import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  CurrencyCode,
  ExpiresAt,
  Instant,
  ProfileId,
  ProfileIds,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'

const tag = 'insights'
const byId = WorkspaceParams.extend({ id: z.uuid().describe('Id of the recommendation') })

const kinds = [
  'scale_winner',
  'pause_underperformer',
  'budget_reallocate_winners',
  'creative_refresh_pre_fatigue',
] as const
const statuses = ['open', 'applied', 'undone', 'dismissed', 'expired'] as const

const metric = z.enum(['cost_per_outcome', 'outcomes_per_day'])
const RecommendationStep = z.object({
  write: z.enum(['pause', 'daily_budget']).describe('The change made at the platform'),
  platform_id: z.string().describe('The platform’s id of the campaign, ad set or ad'),
  name: z.string().describe('Name of the campaign, ad set or ad'),
  from: z.number().nullable().describe('Current budget, in the ad account’s currency; null for a pause'),
  to: z
    .number()
    .nullable()
    .describe('Budget after the change, in the ad account’s currency; null for a pause'),
})

export const Recommendation = z.object({
  id: z.uuid().describe('Id of the recommendation'),
  profile_id: ProfileId,
  currency: CurrencyCode,
  kind: z.enum(kinds).describe('What the recommendation proposes'),
  subject: z
    .object({
      level: z.enum(['campaign', 'ad']).describe('Level of the ad structure'),
      id: z.uuid().describe('Id of the campaign or ad'),
      platform_id: z.string().describe('The platform’s id'),
      name: z.string().describe('Name of the campaign, ad set or ad'),
    })
    .describe('Campaign or ad that it is about'),
  evidence: z.array(z.string()).describe('Figures that support it, as sentences'),
  action: z
    .object({ steps: z.array(RecommendationStep).describe('Changes at the platform, in order') })
    .describe('Changes made at the platform when applied; without steps, manual work'),
  expected_effect: z
    .object({
      metric: metric.describe('Figure that the interval is about'),
      low: z.number().describe('Lower bound of the 80 % prediction interval'),
      high: z.number().describe('Upper bound of the 80 % prediction interval'),
      basis: z.string().describe('Data that the estimate is based on'),
    })
    .nullable()
    .describe('80 % prediction interval of the effect; null without an estimate'),
  confidence: z
    .number()
    .min(0.01)
    .max(0.99)
    .describe(
      'The probability that the subject is better (or worse) than its peer group’s median; never 0 or 1',
    ),
  track_record: z
    .object({
      applied: z
        .object({
          scored: z.int().describe('Number of predictions that could be compared with the outcome'),
          as_predicted: z.int().describe('How many results were within the predicted range'),
        })
        .describe('Applied ones after their 14 days, and those whose result was in the predicted interval'),
      not_applied: z
        .object({
          scored: z.int().describe('Number of predictions that could be compared with the outcome'),
          turned_out_right: z.int().describe('Number that proved correct'),
        })
        .describe(
          'Ones not applied, and those whose subject stayed better (or worse) than the others in the next 14 days',
        ),
    })
    .describe('Results of earlier recommendations of this kind in this profile'),
  reverts_with: z.array(RecommendationStep).describe('Changes made by an undo'),
  created_at: CreatedAt,
  expires_at: ExpiresAt,
  applied_at: Instant.nullable().describe('When it was applied; null until then'),
  status: z.enum(statuses).describe('State of the recommendation'),
  prediction: z
    .object({
      metric: metric.describe('Figure that the interval is about'),
      low: z.number().describe('Lower bound of the 80 % prediction interval'),
      high: z.number().describe('Upper bound of the 80 % prediction interval'),
      observed: z.number().nullable().describe('The actual figure; null until it is known'),
      held: z
        .boolean()
        .nullable()
        .describe('Whether the actual figure was within the interval; null until it is known'),
    })
    .nullable()
    .describe('Prediction and result over the 14 days after it was applied; null unless it was applied'),
})

export const listRecommendations = endpoint({
  name: 'listRecommendations',
  mcp: {
    description: 'Recommended changes with evidence, expected effect and the track record of earlier ones.',
    concise: 'id kind subject evidence action expected_effect confidence expires_at status',
  },
  method: 'GET',
  path: '/workspaces/{workspaceId}/recommendations',
  summary: 'Open recommendations with evidence and expected effect',
  description:
    'Computed once a day. Campaigns of a peer group must differ by more than their daily variation explains (overdispersion and autocorrelation are estimated from up to 84 days of each), and the subject must differ from the peer group’s median with a posterior probability of 0.9 and be unchanged for three days. Outcomes are credited by last touch, so campaigns that buy the business’s own name in search are left out. An ad is refreshed if its clicks fell (`fatigue_risk_tier` high) and it is more likely than not better than the median. A campaign is in one recommendation at a time, and budget steps are at most a fifth. `track_record` and `meta.predictions` show the results of earlier ones.',
  tag,
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  query: z.object({
    profile_ids: ProfileIds,
    status: z.enum(statuses).default('open').describe('Only rows with this status'),
  }),
  reply: z.array(Recommendation),
  meta: {
    predictions: z
      .object({
        scored: z.int().describe('Number of predictions that could be compared with the outcome'),
        held: z.int().describe('Number of intervals that contained the result'),
      })
      .describe('Accuracy of past predictions'),
  },
  errors: ['not_found'],
})

const writes = {
  method: 'POST',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: byId,
  reply: Recommendation,
} as const
const liveErrors = [
  'forbidden',
  'not_found',
  'invalid_state',
  'campaign_not_found',
  'campaign_not_pausable',
  'campaign_not_resumable',
  'campaign_not_editable',
  'budget_change_out_of_bounds',
  'connection_not_ready',
  'social_connection_required',
  'social_write_permission_missing',
  'validation_error',
  'provider_error',
  'service_unavailable',
] as const

export const applyRecommendation = endpoint({
  ...writes,
  name: 'applyRecommendation',
  mcp: { description: 'Apply a recommendation at the ad platform.', preview: 'listRecommendations' },
  path: '/workspaces/{workspaceId}/recommendations/{id}/apply',
  summary: 'Apply a recommendation at the platform',
  description:
    'Uses the same operations as pausing a campaign or setting its budget; each is audited. Returns `invalid_state` if the recommendation is no longer open, or if the current value at the platform is not the one it was computed for. Needs `campaigns:apply` on the profile.',
  errors: [...liveErrors],
})

export const undoRecommendation = endpoint({
  ...writes,
  name: 'undoRecommendation',
  path: '/workspaces/{workspaceId}/recommendations/{id}/undo',
  summary: 'Undo an applied recommendation',
  description:
    'Returns `invalid_state` if the value at the platform was changed in the meantime; that change is kept.',
  errors: [...liveErrors],
})

export const dismissRecommendation = endpoint({
  ...writes,
  name: 'dismissRecommendation',
  path: '/workspaces/{workspaceId}/recommendations/{id}/dismiss',
  summary: 'Dismiss a recommendation for four weeks',
  description: 'The same kind is not recommended again for the same subject during this time.',
  errors: ['forbidden', 'not_found', 'invalid_state'],
})
