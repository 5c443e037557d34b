import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt, Instant, ProfileId, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { periods } from '../client-reports/period-rules.ts'

const tag = 'live-links'
export const liveReports = ['summary', 'trend', 'changes', 'campaigns', 'channels'] as const
export const LiveReport = z.enum(liveReports)
export type LiveReport = z.output<typeof LiveReport>
export const LivePeriod = z.enum(periods).exclude(['custom'])
export type LivePeriod = z.output<typeof LivePeriod>
const Reports = z
  .array(LiveReport)
  .min(1)
  .max(20)
  .transform((chosen) => liveReports.filter((report) => chosen.includes(report)))

export const LiveLink = z.object({
  id: z.uuid().describe('Id of the live link'),
  profile_id: ProfileId,
  profile_name: z.string().describe('Name of the profile'),
  name: z.string().describe('Title of the page'),
  url: z.string().describe('Anyone with this address can open the page; a password may be required'),
  reports: z.array(LiveReport).describe('Sections of the page, in this order'),
  period: LivePeriod.describe('Period shown first; the reader can choose another'),
  model: z.enum(models).describe('Attribution model of credited revenue'),
  language: z.enum(['en', 'es']).describe('Language of the page'),
  has_password: z.boolean().describe('True if the page needs a password'),
  created_at: CreatedAt,
  expires_at: Instant.describe('When the link expires'),
  views: z.int().describe('How often the page was opened'),
  last_viewed_at: Instant.nullable().describe('Null until it is opened for the first time'),
})

export const listLiveLinks = endpoint({
  name: 'listLiveLinks',
  method: 'GET',
  path: '/workspaces/{workspaceId}/live-links',
  summary: 'List live links for clients',
  description:
    'Links that are neither expired nor revoked, for the profiles that you can open, newest first.',
  tag,
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.array(LiveLink),
})

export const NewLiveLink = z.strictObject({
  profile_id: ProfileId,
  name: z.string().trim().min(1).max(120).describe('Title of the page'),
  reports: Reports.default([...liveReports]).describe('Sections of the page'),
  period: LivePeriod.default('last_28_days').describe('Period shown first'),
  model: z.enum(models).default('last_touch').describe('Attribution model of credited revenue'),
  language: z.enum(['en', 'es']).default('en').describe('Language of the page'),
  expires_in_days: z.int().min(1).max(365).default(90).describe('Days until the link expires'),
  password: z.string().min(8).max(200).optional().describe('Password required to open the page'),
})

export const createLiveLink = endpoint({
  name: 'createLiveLink',
  method: 'POST',
  path: '/workspaces/{workspaceId}/live-links',
  summary: 'Create a page of live figures for a client',
  description:
    'A read-only page with the branding of the workspace and current figures each time it is opened; it shows no customers. Search engines do not index it. It expires after `expires_in_days` or when it is revoked. On a healthcare profile it requires an owner or admin and a password, and all owners are notified by mail. At most 100 active links per profile.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams,
  body: NewLiveLink,
  reply: LiveLink,
  statuses: [201],
  errors: ['not_found', 'invalid_state', 'plan_upgrade_required', 'forbidden', 'validation_error'],
})

export const revokeLiveLink = endpoint({
  name: 'revokeLiveLink',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/live-links/{liveLinkId}',
  summary: 'Revoke a live link',
  description: 'The link returns 404 immediately. Revoking it again has no effect.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams.extend({ liveLinkId: z.uuid().describe('Id of the live link') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
