import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CampaignId, CurrencyCode } from '../../../platform/contract/fields.ts'
import { liveErrors } from '../connections/provider-errors.ts'

const tag = 'campaigns'
const applies = { kind: 'profile', scopes: ['campaigns:apply'] } as const
const byPlatformId = z.object({
  id: z.string().min(1).max(200).describe('The platform’s id of the campaign, ad set or ad'),
})
const money = z.union([z.number(), z.string().max(40)])

const readErrors = [...liveErrors, 'campaign_not_found', 'social_connection_required'] as const
const writeErrors = [...readErrors, 'social_write_permission_missing', 'validation_error'] as const

const statusDescription =
  'Responds after the platform has accepted the change. Reports show the new status immediately; the next sync confirms or corrects it.'

export const StatusChange = z.object({
  platform_id: z.string().describe('The platform’s id'),
  outcome: z.enum(['changed', 'no_change']).describe('Whether the platform made the change'),
  previous_status: z.string().describe('Status at the platform before the change'),
  status: z.string().describe('Status at the platform after the change'),
})

const write = { tag, access: applies, entitlement: 'platform_only', params: byPlatformId } as const
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
    campaign_id: CampaignId,
    platform_id: z.string().describe('The platform’s id'),
    status: z.string().describe('Status of the campaign at the platform'),
    effective_status: z
      .string()
      .nullable()
      .describe(
        'Status of the campaign at the platform, with that of its account and parents; null if it does not report one',
      ),
    daily_budget: z
      .number()
      .nullable()
      .describe('Budget per day in the currency of the account; null if there is none'),
    lifetime_budget: z
      .number()
      .nullable()
      .describe('Budget for the whole run in the currency of the account; null if there is none'),
    currency: z
      .string()
      .nullable()
      .describe('ISO 4217 code of the account’s currency; null if it is not known'),
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

export const Budget = z.strictObject({
  daily_budget: money.optional().describe('Budget per day in the currency of the account'),
  lifetime_budget: money.optional().describe('Budget for the whole run in the currency of the account'),
})
export const BudgetChange = z.object({
  platform_id: z.string().describe('The platform’s id'),
  outcome: z.enum(['changed', 'no_change']).describe('Whether the platform made the change'),
  budget_type: z.enum(['daily', 'lifetime']).describe('daily or lifetime'),
  previous_budget: z.number().nullable().describe('Budget before the change; null if there was none'),
  budget: z.number().describe('Budget in the currency of the account'),
  currency: CurrencyCode,
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
