import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Contact, CustomerId, Instant, OccurredAt } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'conversations'
const text = z.string().nullable()
const Channel = z.enum(['chatapp', 'photoapp', 'pagechat'])

export const Conversation = z.object({
  id: z.uuid().describe('Id of the conversation'),
  channel: Channel.describe('Messaging channel of the conversation'),
  account_id: text.describe(
    'The page, photo account or chat account that received the messages; null if it is not known',
  ),
  customer_id: z
    .uuid()
    .nullable()
    .describe('Id of the customer; null after an erasure, or if no customer is known'),
  contact: Contact.nullable().describe('Null if no contact data is stored'),
  started_at: Instant.describe('When it started'),
  last_message_at: Instant.nullable().describe('Time of the last message; null without one'),
  first_reply_at: Instant.nullable().describe(
    'First reply of the business; null without one, or if the platform does not report it',
  ),
  messages: z.int().describe('Number of messages from the person; messages of the business are not counted'),
  referral: z
    .object({
      source: z.string().describe('Source of the data'),
      ad_id: text.describe('Id of the ad; null if it is not known'),
      ad_name: text.describe('Name of the ad; null if the platform does not report it'),
    })
    .nullable()
    .describe('Source of the first message: `ads` or `ad`, a post or a link; null if it had none'),
  origin: z
    .enum(['ad', 'chat_code', 'short_link', 'link', 'unknown'])
    .describe(
      'What opened it: an ad, a link of a page with a chat code, a short link, another link or post. `unknown` also if the person removed the code',
    ),
  account_status: text.describe(
    'State of the connected account that received the message; null if it is no longer connected',
  ),
  reply_window: z
    .object({
      open: z.boolean().describe('Whether a reply is still allowed now'),
      closes_at: Instant.describe('When replies are no longer allowed'),
      human_agent_closes_at: Instant.nullable().describe(
        'When replies by a human agent are no longer allowed; null if the channel has no such window',
      ),
    })
    .nullable()
    .describe('How long a reply is still allowed; null if none is'),
  started_event_id: z.uuid().nullable().describe('The `dm_started` event; null if there is none'),
  lead_event_id: z
    .uuid()
    .nullable()
    .describe('The event recorded as lead of this conversation; null if none was'),
})

const ConversationMessage = z.object({
  id: z.uuid().describe('Id of the message'),
  occurred_at: OccurredAt,
  direction: z.enum(['in', 'out']).describe('above or below the threshold; for a message, in or out'),
  kind: z
    .enum(['message', 'postback', 'text', 'template', 'media'])
    .describe('Form of the message, for example text or image'),
  template: text.describe('Name of the template that was sent; null if none was'),
  status: z
    .enum(['sending', 'sent', 'delivered', 'failed', 'unknown'])
    .nullable()
    .describe('Delivery status of the message; null for received messages'),
  ad_id: text.describe('Id of the ad; null if it is not known'),
})

const people = { kind: 'profile', scopes: ['customers:read'] } as const
const byId = z.object({ id: z.uuid().describe('Id of the conversation') })

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
    channel: Channel.optional().describe('Messaging channel of the conversation'),
    customer_id: CustomerId.optional(),
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
  reply: z.object({
    conversation: Conversation.describe('The conversation and its state'),
    messages: z.array(ConversationMessage).describe('Messages of the conversation, oldest first'),
  }),
  errors: ['not_found'],
})
