import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Contact, Instant } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'conversations'
const text = z.string().nullable()
const Channel = z.enum(['chatapp', 'photoapp', 'pagechat'])

export const Conversation = z.object({
  id: z.uuid(),
  channel: Channel,
  account_id: text.describe('The page, photo account or chat account that received the messages'),
  customer_id: z.uuid().nullable(),
  contact: Contact.nullable().describe('Null if no contact data is stored'),
  started_at: Instant,
  last_message_at: Instant.nullable(),
  first_reply_at: Instant.nullable().describe('First reply of the business, if the platform reports it'),
  messages: z.int().describe('Number of messages from the person; messages of the business are not counted'),
  referral: z
    .object({ source: z.string(), ad_id: text, ad_name: text })
    .nullable()
    .describe('Source of the first message: `ads` or `ad`, a post or a link'),
  account_status: text,
  reply_window: z
    .object({
      open: z.boolean(),
      closes_at: Instant,
      human_agent_closes_at: Instant.nullable(),
    })
    .nullable(),
  started_event_id: z.uuid().nullable().describe('The `dm_started` event'),
  lead_event_id: z.uuid().nullable().describe('The event recorded as lead of this conversation'),
})

const ConversationMessage = z.object({
  id: z.uuid(),
  occurred_at: Instant,
  direction: z.enum(['in', 'out']),
  kind: z.enum(['message', 'postback', 'text', 'template', 'media']),
  template: text,
  status: z.enum(['sending', 'sent', 'delivered', 'failed', 'unknown']).nullable(),
  ad_id: text,
})

const people = { kind: 'profile', scopes: ['customers:read'] } as const
const byId = z.object({ id: z.uuid() })

export const listConversations = endpoint({
  name: 'listConversations',
  method: 'GET',
  path: '/conversations',
  summary: 'List conversations, most recent message first',
  description:
    'People who wrote to a tracked page, its photo account or a chat account. Message text is not stored.',
  tag,
  personLevel: 'refused',
  access: people,
  query: z.object({
    channel: Channel.optional(),
    customer_id: z.uuid().optional(),
    ...pageQuery,
  }),
  reply: z.array(Conversation),
  extra: { pagination: Pagination },
})

export const getConversation = endpoint({
  name: 'getConversation',
  method: 'GET',
  path: '/conversations/{id}',
  summary: 'Get a conversation with its messages',
  description:
    'Time and ad of the newest 200 messages from the person, and the newest 200 replies of the business. Message text is not stored.',
  tag,
  personLevel: 'refused',
  access: people,
  params: byId,
  reply: z.object({ conversation: Conversation, messages: z.array(ConversationMessage) }),
  errors: ['not_found'],
})
