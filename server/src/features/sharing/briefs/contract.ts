import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CurrencyCode,
  FirstDay,
  Instant,
  LastDay,
  ProfileId,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'
import { asOfQuery, ModelParam, rangeQuery } from '../../figures/definitions/fields.ts'

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
  page: z.enum(briefPages).describe('Page of the console'),
  campaign_id: z.uuid().nullable().describe('Id of the campaign to open; null for other pages'),
  date_from: z.string().nullable().describe('First day of the range to open; null for pages without a range'),
  date_to: z
    .string()
    .nullable()
    .describe('Last day of the range to open, inclusive; null for pages without a range'),
  api: z.string().describe('API request that returns the figure'),
})

export const BriefSentence = z.object({
  kind: z
    .enum(['stale', 'empty', 'revenue', 'mover', 'spend', 'data_problem', 'goal', 'pacing', 'restated'])
    .describe('Topic of the sentence'),
  tone: z
    .enum(['good', 'bad', 'neutral'])
    .describe('Whether the news is good or bad; neutral for a change of a size that the profile often shows'),
  text: z.string().describe('The complete sentence'),
  parts: z
    .array(
      z.object({
        text: z.string().describe('Text of this part of the sentence'),
        link: BriefLink.nullable().describe('Page of the figure; null for plain text'),
      }),
    )
    .describe('The same text, split at figures that link to their report'),
})

export const getBrief = endpoint({
  name: 'getBrief',
  method: 'GET',
  path: '/reports/brief',
  summary: 'What changed, in at most five sentences',
  description:
    'Written by fixed rules from the reports of the range and of the preceding period of the same length. `contributions` are campaigns and unattributed revenue; their changes add up to `revenue.change`, and the text names the largest without claiming a cause. Data problems, goal targets and pacing are the current ones and only included for ranges that end within the last 3 days; API keys get no targets and no pacing. With `as_of`, these and the notice on stale data are left out; `result_hash` never covers them.',
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
      .object({ date_from: FirstDay, date_to: LastDay })
      .describe('The days that the range is compared with'),
    sentences: z.array(BriefSentence).max(MAX_SENTENCES).describe('Most important first'),
    revenue: z
      .object({
        now: z
          .number()
          .nullable()
          .describe('All cash of the range, less refunds; null if an exchange rate is missing'),
        before: z
          .number()
          .nullable()
          .describe('All cash of the preceding period, less refunds; null if an exchange rate is missing'),
        change: z.number().nullable().describe('`now` minus `before`; null if an exchange rate is missing'),
      })
      .describe('Null if an exchange rate is missing'),
    contributions: z
      .array(
        z.object({
          kind: z
            .enum(['campaign', 'unattributed', 'other'])
            .describe('Whether it is a campaign, revenue without credit, or the sum of all others'),
          campaign_id: z.uuid().nullable().describe('Id of the campaign; null for the other parts'),
          name: z.string().nullable().describe('Name of the campaign; null for the other parts'),
          now: z.number().describe('Credited revenue of the range'),
          before: z.number().describe('Credited revenue of the preceding period'),
          change: z.number().describe('now minus before'),
        }),
      )
      .nullable()
      .describe(
        'The 10 largest gains and 10 largest losses, then the sum of all others; null if an exchange rate is missing or the parts do not add up',
      ),
  }),
  meta: {
    date_from: FirstDay,
    date_to: LastDay,
    model: z.enum(models).describe('Attribution model that splits the credit'),
    currency: CurrencyCode,
    stale: z.boolean().describe('True if data of the range is missing or still being processed'),
    result_hash: z.string().describe('Hash of the figures: equal hashes mean equal figures'),
  },
  errors: ['invalid_date_range'],
})

const cadence = z
  .enum(['daily', 'weekly', 'never'])
  .describe(
    'When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only',
  )
const weekday = 'For weekly briefs; 1 is Monday'
const time = 'Wall-clock time in the profile’s time zone, such as 08:00'
const language = BriefLanguage.describe('Language of the text')

const alerts = 'Whether alerts are sent to this receiver too; default: true unless cadence is never'

const receiver = {
  profile_id: ProfileId,
  cadence,
  weekday: z.int().describe(weekday),
  time: z.string().describe(time),
  language,
  alerts: z.boolean().describe(alerts),
  next_run_at: Instant.nullable().describe('When the next brief is due; null for never'),
}
const receiverBody = {
  profile_id: ProfileId,
  weekday: z.int().min(1).max(7).default(1).describe(weekday),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:00')
    .default('08:00')
    .describe(time),
  language: language.default('en'),
  alerts: z.boolean().optional().describe(alerts),
}
const kind = z.enum(['slack', 'teams']).describe('Message format')
const name = 'Display name of the channel'

export const BriefSubscription = z.object(receiver)

export const BriefWebhook = z.object({
  id: z.uuid().describe('Id of the brief webhook'),
  ...receiver,
  kind: kind.describe('Chat service that receives the message'),
  name: z.string().describe(name),
  host: z.string().describe('Host of the address; the address itself is a secret and is not returned'),
  last_sent_at: Instant.nullable().describe('When the most recent message was delivered; null if none was'),
  last_error: z.string().nullable().describe('Why the most recent message was not delivered; null if it was'),
})

const tag = 'client-reports'

export const listBriefReceivers = endpoint({
  name: 'listBriefReceivers',
  method: 'GET',
  path: '/workspaces/{workspaceId}/briefs',
  summary: 'List your mailed briefs, and the webhooks that receive briefs',
  description: 'Covers the profiles that you can open. Webhooks are listed for owners and admins only.',
  tag,
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.object({
    subscriptions: z.array(BriefSubscription).describe('The caller’s own'),
    webhooks: z.array(BriefWebhook).describe('Empty for members who are not owner or admin'),
  }),
})

export const putBriefSubscription = endpoint({
  name: 'putBriefSubscription',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/briefs/subscription',
  summary: 'Choose when a profile’s brief is mailed to you',
  description:
    'For the caller only, at a verified address. Times are in the profile’s time zone. Each mail has a one-click unsubscribe link.',
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
    'Posts to an incoming webhook of Slack, of a Teams workflow, or of a service that accepts the same JSON. Only public https addresses are accepted; they are stored encrypted. Messages contain no personal data.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    ...receiverBody,
    cadence: cadence.default('daily'),
    kind: kind.describe('Chat service that receives the message'),
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
  summary: 'Delete a webhook for briefs',
  description:
    'Nothing more is sent to it, and queued messages are dropped. The deletion is recorded in the audit log.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams.extend({ webhookId: z.uuid().describe('Id of the webhook') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
