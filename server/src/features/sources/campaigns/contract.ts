import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { liveErrors } from '../connections/provider-errors.ts'

const tag = 'campaigns'
const applies = { kind: 'profile', scopes: ['campaigns:apply'] } as const
const byPlatformId = z.object({ id: z.string().min(1).max(200) })
const money = z.union([z.number(), z.string().max(40)])

const readErrors = [...liveErrors, 'campaign_not_found', 'social_connection_required'] as const
const writeErrors = [...readErrors, 'social_write_permission_missing', 'validation_error'] as const

const statusDescription =
  'Responds after the platform has accepted the change. Reports show the new status immediately; the next sync confirms or corrects it.'

export const StatusChange = z.object({
  platform_id: z.string(),
  outcome: z.enum(['changed', 'no_change']),
  previous_status: z.string(),
  status: z.string(),
})

const write = { tag, access: applies, entitlement: 'none', params: byPlatformId } as const
const statusChange = {
  ...write,
  method: 'POST',
  description: statusDescription,
  reply: StatusChange,
} as const

export const getCampaignStatus = endpoint({
  name: 'getCampaignStatus',
  mcp: { description: 'Live status and budget of a campaign at the ad platform.' },
  method: 'GET',
  path: '/campaigns/{id}/status',
  summary: 'Read a campaign’s status and budget from the platform, live',
  description:
    'Calls the platform once per request, without a cache. `id` is the campaign’s platform id or our id.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  params: byPlatformId,
  reply: z.object({
    campaign_id: z.uuid(),
    platform_id: z.string(),
    status: z.string(),
    effective_status: z.string().nullable(),
    daily_budget: z.number().nullable(),
    lifetime_budget: z.number().nullable(),
    currency: z.string().nullable(),
  }),
  errors: [...readErrors],
})

export const pauseCampaign = endpoint({
  ...statusChange,
  name: 'pauseCampaign',
  mcp: { description: 'Pause a campaign at the ad platform.', preview: 'getCampaignStatus' },
  path: '/campaigns/{id}/pause',
  summary: 'Pause a campaign at the platform',
  errors: [...writeErrors, 'campaign_not_pausable'],
})

export const resumeCampaign = endpoint({
  ...statusChange,
  name: 'resumeCampaign',
  mcp: { description: 'Resume a paused campaign at the ad platform.', preview: 'getCampaignStatus' },
  path: '/campaigns/{id}/resume',
  summary: 'Resume a paused campaign at the platform',
  errors: [...writeErrors, 'campaign_not_resumable'],
})

export const pauseAdSet = endpoint({
  ...statusChange,
  name: 'pauseAdSet',
  path: '/ad-sets/{id}/pause',
  summary: 'Pause an ad set at the platform',
  errors: [...writeErrors, 'not_found', 'adset_not_editable'],
})

export const resumeAdSet = endpoint({
  ...statusChange,
  name: 'resumeAdSet',
  path: '/ad-sets/{id}/resume',
  summary: 'Resume a paused ad set at the platform',
  errors: [...writeErrors, 'not_found', 'adset_not_editable'],
})

export const pauseAd = endpoint({
  ...statusChange,
  name: 'pauseAd',
  path: '/ads/{id}/pause',
  summary: 'Pause an ad at the platform',
  errors: [...writeErrors, 'not_found', 'invalid_state'],
})

export const resumeAd = endpoint({
  ...statusChange,
  name: 'resumeAd',
  path: '/ads/{id}/resume',
  summary: 'Resume a paused ad at the platform',
  errors: [...writeErrors, 'not_found', 'invalid_state'],
})

export const Budget = z.strictObject({ daily_budget: money.optional(), lifetime_budget: money.optional() })
export const BudgetChange = z.object({
  platform_id: z.string(),
  outcome: z.enum(['changed', 'no_change']),
  budget_type: z.enum(['daily', 'lifetime']),
  previous_budget: z.number().nullable(),
  budget: z.number(),
  currency: z.string(),
})

const budgetChange = {
  ...write,
  method: 'PUT',
  description: 'A change that exceeds the limit of one step is refused before anything is written.',
  body: Budget,
  reply: BudgetChange,
} as const

export const setCampaignBudget = endpoint({
  ...budgetChange,
  name: 'setCampaignBudget',
  mcp: {
    description: 'Set the daily or lifetime budget of a campaign, in the currency of the ad account.',
    preview: 'getCampaignStatus',
  },
  path: '/campaigns/{id}/budget',
  summary: 'Set a campaign’s daily or lifetime budget, in the ad account’s currency',
  errors: [...writeErrors, 'campaign_not_editable', 'budget_change_out_of_bounds'],
})

export const setAdSetBudget = endpoint({
  ...budgetChange,
  name: 'setAdSetBudget',
  path: '/ad-sets/{id}/budget',
  summary: 'Set an ad set’s daily or lifetime budget, in the ad account’s currency',
  errors: [...writeErrors, 'not_found', 'adset_not_editable', 'budget_change_out_of_bounds'],
})
