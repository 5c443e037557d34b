import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { UpdatedAt } from '../../../platform/contract/fields.ts'
import { providerErrors } from '../connections/provider-errors.ts'

const tag = 'conversations'
const text = z.string().nullable()
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

const Count = z.int().nullable()

export const ChatTemplate = z.object({
  id: z.string().describe('The platform’s id of the template'),
  account_id: z.string().describe('The account’s id at the provider'),
  name: z.string().describe('Name of the chat template'),
  language: z.string().describe('Language of the text, for example en'),
  status: text.describe('Status of the template at the platform; null if it reports none'),
  category: text.describe('The page’s category at the platform; null if the platform reports none'),
  updated_at: UpdatedAt,
  insights: z
    .array(
      z.object({
        day: z.iso.date().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
        sent: Count.describe('Number of messages that were sent; null if the platform reports no figures'),
        delivered: Count.describe(
          'Number of messages that were delivered; null if the platform reports no figures',
        ),
        read: Count.describe('Number of messages that were read; null if the platform reports no figures'),
        clicked: Count.describe('Number of people who clicked; null if the platform reports no figures'),
      }),
    )
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
    name: z.string().min(1).max(512).optional().describe('Name of the template'),
    language: z.string().min(2).max(20).optional().describe('Language of the text, for example en'),
    insights_days: z
      .string()
      .regex(/^[1-9]\d?$/, 'must be a whole number from 1 to 99')
      .transform(Number)
      .optional()
      .describe('Number of days with figures'),
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
  reply: z.object({
    accounts: z.int().describe('Number of messaging accounts that were synced'),
    templates: z.int().describe('Number of templates read'),
    added: z.int().describe('Number of templates that are new'),
    removed: z.int().describe('Number of templates that no longer exist'),
  }),
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
    name: z
      .string()
      .regex(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and _')
      .describe('Name of the template'),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, 'must be a language code such as es or en_US')
      .describe('Language of the text, for example en'),
    category: z.enum(['authentication', 'marketing', 'utility']).describe('The platform’s category'),
    components: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(20)
      .describe('Parts of the message, as the platform defines them'),
    header_media: z
      .strictObject({
        media_id: z
          .string()
          .regex(/^\d{1,30}$/, 'must be an id of POST /chatapp/media')
          .describe('Id of the uploaded file'),
      })
      .optional()
      .describe('Media file in the message header'),
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
