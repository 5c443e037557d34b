import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { providerErrors } from '../connections/provider-errors.ts'

const tag = 'conversations'
const text = z.string().nullable()
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

const Count = z.int().nullable()

export const ChatTemplate = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  language: z.string(),
  status: text,
  category: text,
  updated_at: Instant,
  insights: z
    .array(z.object({ day: z.iso.date(), sent: Count, delivered: Count, read: Count, clicked: Count }))
    .nullable()
    .describe('By UTC day, oldest first; null if not requested'),
})

export const listChatTemplates = endpoint({
  name: 'listChatTemplates',
  method: 'GET',
  path: '/chatapp/templates',
  summary: 'List the chat-app templates as of the last sync',
  description:
    'With `name` and `language`, only that template. With `insights_days`, also how often it was sent, delivered, read and clicked. If the account’s insights are off, this turns them on permanently.',
  tag,
  access: reads,
  query: z.object({
    name: z.string().min(1).max(512).optional(),
    language: z.string().min(2).max(20).optional(),
    insights_days: z
      .string()
      .regex(/^[1-9]\d?$/, 'must be a whole number from 1 to 99')
      .transform(Number)
      .optional(),
  }),
  reply: z.array(ChatTemplate),
  errors: [
    ...providerErrors,
    'template_not_found',
    'insights_enabling',
    'insights_unsupported',
    'social_unavailable',
    'invalid_parameter',
  ],
})

export const syncChatTemplates = endpoint({
  name: 'syncChatTemplates',
  method: 'POST',
  path: '/chatapp/templates/sync',
  summary: 'Refresh the chat accounts and their templates',
  description:
    'Reads the chat accounts of the connected businesses from the platform, subscribes to their messages and replaces the cached templates.',
  tag,
  access: writes,
  reply: z.object({ accounts: z.int(), templates: z.int(), added: z.int(), removed: z.int() }),
  errors: [...providerErrors],
})

export const createChatTemplate = endpoint({
  name: 'createChatTemplate',
  method: 'POST',
  path: '/chatapp/templates',
  summary: 'Submit a chat-app template for review',
  description:
    'The file of `header_media` is submitted as the sample of the header: an image (up to 5 MB), a video (16 MB) or a PDF (100 MB).',
  tag,
  access: writes,
  body: z.strictObject({
    name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and _'),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, 'must be a language code such as es or en_US'),
    category: z.enum(['authentication', 'marketing', 'utility']),
    components: z.array(z.record(z.string(), z.unknown())).min(1).max(20),
    header_media: z
      .strictObject({ media_id: z.string().regex(/^\d{1,30}$/, 'must be an id of POST /chatapp/media') })
      .optional(),
  }),
  example: {
    body: {
      name: 'plan_is_ready',
      language: 'es',
      category: 'utility',
      components: [{ type: 'BODY', text: 'Hola' }],
    },
  },
  reply: ChatTemplate,
  statuses: [201],
  errors: [...providerErrors, 'validation_error', 'media_expired', 'payload_too_large'],
})
