import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { asOfQuery, ModelParam, rangeQuery } from '../../insights/reports/fields.ts'

const BriefLanguage = z.enum(['en', 'es'])
export const briefPages = [
  'overview',
  'campaigns',
  'unattributed',
  'connections',
  'data-health',
  'pacing',
  'goals',
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
  kind: z
    .enum(['stale', 'empty', 'revenue', 'mover', 'spend', 'data_problem', 'goal', 'pacing', 'restated'])
    .describe('What the sentence is about'),
  tone: z.enum(['good', 'bad', 'neutral']).describe('Whether it is good news'),
  text: z.string().describe('The whole sentence'),
  parts: z
    .array(z.object({ text: z.string(), link: BriefLink.nullable().describe('Where its figure is') }))
    .describe('The same text, cut where a figure links to its report'),
})

export const getBrief = endpoint({
  name: 'getBrief',
  method: 'GET',
  path: '/reports/brief',
  summary: 'What changed, in at most five sentences',
  description:
    'Made by fixed rules from the reports of the range and of as many days before it. `contributions` are campaigns and unattributed revenue; their changes add up to `revenue.change`, and the text names the largest without claiming a cause. Data problems, targets of goals and pacing are those of now, for ranges that end within the last 3 days; keys get no targets and no pacing. With `as_of` these and stale data are left out, as `result_hash` always does.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({
    ...rangeQuery,
    model: ModelParam,
    language: BriefLanguage.default('en').describe('Language of the text'),
    ...asOfQuery,
  }),
  reply: z.object({
    previous: z
      .object({ date_from: z.string(), date_to: z.string() })
      .describe('The days that it is compared with'),
    sentences: z.array(BriefSentence).max(MAX_SENTENCES).describe('The most important first'),
    revenue: z
      .object({
        now: z.number().nullable(),
        before: z.number().nullable(),
        change: z.number().nullable().describe('now less before'),
      })
      .describe('Null where an exchange rate is missing'),
    contributions: z
      .array(
        z.object({
          kind: z.enum(['campaign', 'unattributed', 'other']),
          campaign_id: z.uuid().nullable(),
          name: z.string().nullable(),
          now: z.number().describe('Credited revenue of the range'),
          before: z.number().describe('Credited revenue of the days before'),
          change: z.number().describe('now less before'),
        }),
      )
      .nullable()
      .describe(
        'The 10 largest gains and losses, then all others in sum; null where an exchange rate is missing or the parts do not add up',
      ),
  }),
  meta: {
    date_from: z.string(),
    date_to: z.string(),
    model: z.enum(models),
    currency: z.string(),
    stale: z.boolean().describe('Data of the range is missing or still being counted'),
    result_hash: z.string(),
  },
  errors: ['invalid_date_range'],
})

const cadence = z
  .enum(['daily', 'weekly', 'never'])
  .describe('When a brief is sent. daily: about yesterday; weekly: about the last 7 days')
const weekday = 'Of weekly briefs; 1 is Monday'
const time = 'Wall-clock time in the profile’s time zone, such as 08:00'
const language = BriefLanguage.describe('Language of the text')

const alerts = 'Whether alerts are sent there too; unless given, true where briefs are'

const receiver = {
  profile_id: z.uuid(),
  cadence,
  weekday: z.int().describe(weekday),
  time: z.string().describe(time),
  language,
  alerts: z.boolean().describe(alerts),
  next_run_at: Instant.nullable().describe('When the next brief is due; null for never'),
}
const receiverBody = {
  profile_id: z.uuid(),
  weekday: z.int().min(1).max(7).default(1).describe(weekday),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:00')
    .default('08:00')
    .describe(time),
  language: language.default('en'),
  alerts: z.boolean().optional().describe(alerts),
}
const kind = z.enum(['slack', 'teams']).describe('Whose message format is sent')
const name = 'What people call the channel'

export const BriefSubscription = z.object(receiver)

export const BriefWebhook = z.object({
  id: z.uuid(),
  ...receiver,
  kind,
  name: z.string().describe(name),
  host: z.string().describe('Of the address; the address itself is a secret and is not returned'),
  last_sent_at: Instant.nullable().describe('When the last message was delivered'),
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
    subscriptions: z.array(BriefSubscription).describe('Your own'),
    webhooks: z.array(BriefWebhook).describe('Empty for members who are not owner or admin'),
  }),
})

export const putBriefSubscription = endpoint({
  name: 'putBriefSubscription',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/briefs/subscription',
  summary: 'Choose when a profile’s brief is mailed to you',
  description:
    'For the caller only, at a verified address. Times are those of the profile’s time zone. Each mail has a link that ends it with one click.',
  tag,
  access: { kind: 'workspace', role: 'viewer', writes: 'own' },
  params: WorkspaceParams,
  body: z.strictObject({ ...receiverBody, cadence }),
  reply: BriefSubscription,
  errors: ['not_found', 'app_provisioned_workspace', 'invalid_state'],
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
    ...receiverBody,
    cadence: cadence.default('daily'),
    kind,
    name: z.string().trim().min(1).max(80).describe(name),
    url: z.string().max(2000).describe('Address of the incoming webhook'),
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
  description: 'Nothing more is sent to it; what is queued is dropped. The removal is in the audit log.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams.extend({ webhookId: z.uuid().describe('Id of the webhook') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
