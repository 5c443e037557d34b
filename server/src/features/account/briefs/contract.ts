import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { ModelParam, rangeQuery } from '../../insights/reports/fields.ts'

export const BriefLanguage = z.enum(['en', 'es'])
export const briefPages = [
  'overview',
  'campaigns',
  'unattributed',
  'connections',
  'data-health',
  'pacing',
] as const
export const MAX_SENTENCES = 5

const BriefLink = z.object({
  page: z.enum(briefPages).describe('Of the console'),
  campaign_id: z.uuid().nullable(),
  date_from: z.string().nullable(),
  date_to: z.string().nullable(),
  api: z.string().describe('The request that has the figure'),
})

export const BriefSentence = z.object({
  kind: z.enum(['stale', 'empty', 'revenue', 'mover', 'spend', 'data_problem', 'pacing', 'restated']),
  tone: z.enum(['good', 'bad', 'neutral']),
  text: z.string(),
  parts: z
    .array(z.object({ text: z.string(), link: BriefLink.nullable() }))
    .describe('The same text, cut where a figure links to its report'),
})

export const getBrief = endpoint({
  name: 'getBrief',
  method: 'GET',
  path: '/reports/brief',
  summary: 'What changed, in at most five sentences',
  description:
    'Made by fixed rules from the reports of the range and of as many days before it. `contributions` are campaigns and unattributed revenue; their changes add up to `revenue.change`, and the text names the largest without claiming a cause. Data problems and pacing are those of now, for ranges that end within the last 3 days.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({ ...rangeQuery, model: ModelParam, language: BriefLanguage.default('en') }),
  reply: z.object({
    previous: z.object({ date_from: z.string(), date_to: z.string() }),
    sentences: z.array(BriefSentence).max(MAX_SENTENCES),
    revenue: z.object({
      now: z.number().nullable(),
      before: z.number().nullable(),
      change: z.number().nullable(),
    }),
    contributions: z
      .array(
        z.object({
          kind: z.enum(['campaign', 'unattributed', 'other']),
          campaign_id: z.uuid().nullable(),
          name: z.string().nullable(),
          now: z.number(),
          before: z.number(),
          change: z.number(),
        }),
      )
      .describe(
        'The 10 largest gains and losses, then all others in sum; empty where an exchange rate is missing',
      ),
  }),
  meta: {
    date_from: z.string(),
    date_to: z.string(),
    model: z.enum(models),
    currency: z.string(),
    stale: z.boolean(),
    result_hash: z.string(),
  },
  errors: ['invalid_date_range'],
})

const receiver = {
  cadence: z.enum(['daily', 'weekly', 'never']).describe('daily: yesterday; weekly: the last 7 days'),
  weekday: z.int().min(1).max(7).describe('Of weekly briefs; 1 is Monday'),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:00'),
  language: BriefLanguage,
}
const receiverDefaults = {
  weekday: receiver.weekday.default(1),
  time: receiver.time.default('08:00'),
  language: receiver.language.default('en'),
}

export const BriefSubscription = z.object({
  profile_id: z.uuid(),
  ...receiver,
  next_run_at: Instant.nullable(),
})

export const BriefWebhook = z.object({
  id: z.uuid(),
  profile_id: z.uuid(),
  kind: z.enum(['slack', 'teams']),
  name: z.string(),
  host: z.string().describe('Of the address; the address itself is a secret and is not returned'),
  ...receiver,
  next_run_at: Instant.nullable(),
  last_sent_at: Instant.nullable(),
  last_error: z.string().nullable().describe('Why the last message was not delivered'),
})

const tag = 'client-reports'

export const listBriefReceivers = endpoint({
  name: 'listBriefReceivers',
  method: 'GET',
  path: '/workspaces/{workspaceId}/briefs',
  summary: 'Your mailed briefs, and the webhooks that receive briefs',
  description: 'Of the profiles that you can open. Webhooks are listed for owners and admins.',
  tag,
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.object({
    subscriptions: z.array(BriefSubscription),
    webhooks: z.array(BriefWebhook),
  }),
})

export const putBriefSubscription = endpoint({
  name: 'putBriefSubscription',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/briefs/subscription',
  summary: 'Choose when a profile’s brief is mailed to you',
  description:
    'For the caller only. Times are those of the profile’s time zone. Each mail has a link that ends it with one click.',
  tag,
  access: { kind: 'workspace', role: 'viewer', writes: 'own' },
  params: WorkspaceParams,
  body: z.strictObject({ profile_id: z.uuid(), cadence: receiver.cadence, ...receiverDefaults }),
  reply: BriefSubscription,
  errors: ['not_found', 'app_provisioned_workspace'],
  example: { body: { profile_id: '0190a0b0-0000-7000-8000-000000000001', cadence: 'daily' } },
})

export const createBriefWebhook = endpoint({
  name: 'createBriefWebhook',
  method: 'POST',
  path: '/workspaces/{workspaceId}/briefs/webhooks',
  summary: 'Send a profile’s briefs to a chat channel',
  description:
    'To the incoming webhook of Slack, of a Teams workflow, or of a service that takes the same JSON. The address is https and public, and is stored sealed. Messages hold no values of people.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    profile_id: z.uuid(),
    kind: z.enum(['slack', 'teams']),
    name: z.string().trim().min(1).max(80),
    url: z.string().max(2000),
    cadence: receiver.cadence.default('daily'),
    ...receiverDefaults,
  }),
  reply: BriefWebhook,
  statuses: [201],
  errors: ['not_found', 'invalid_state'],
  example: {
    body: {
      profile_id: '0190a0b0-0000-7000-8000-000000000001',
      kind: 'slack',
      name: '#marketing',
      url: 'https://hooks.example.com/services/T000/B000/XXXX',
    },
  },
})

export const deleteBriefWebhook = endpoint({
  name: 'deleteBriefWebhook',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/briefs/webhooks/{webhookId}',
  summary: 'Remove a webhook for briefs',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams.extend({ webhookId: z.uuid() }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
