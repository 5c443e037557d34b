import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { providerErrors } from '../../sources/connections/provider-errors.ts'

const MAX_TEXT = 4096
const MAX_COMPONENTS = 20

export const NewMessage = z
  .strictObject({
    text: z.string().min(1).max(MAX_TEXT).optional().describe('Text of the message'),
    template: z
      .strictObject({
        name: z
          .string()
          .regex(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and _')
          .describe('Name of the template'),
        language: z
          .string()
          .regex(/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, 'must be a language code such as es or en_US')
          .describe('Language of the text, for example en'),
        components: z
          .array(z.record(z.string(), z.unknown()))
          .max(MAX_COMPONENTS)
          .default([])
          .describe('Parts of the message, as the platform defines them'),
      })
      .optional()
      .describe('An approved template to send instead of a text'),
    media: z
      .strictObject({
        id: z
          .string()
          .regex(/^\d{1,30}$/, 'must be an id of POST /chatapp/media')
          .describe('Id of the uploaded file'),
      })
      .optional()
      .describe('The file of the message'),
    human_agent: z.boolean().default(false).describe('True if a person wrote the reply'),
  })
  .refine(
    ({ text, template, media }) => [text, template, media].filter((part) => part !== undefined).length === 1,
    'give one of text, template and media',
  )

export const SentMessage = z.object({
  message_id: z.uuid().describe('Id of the message'),
  provider_message_id: z
    .string()
    .nullable()
    .describe('The provider’s id of the message; null until it is sent'),
  status: z
    .enum(['sent', 'unknown'])
    .describe('`unknown`: the platform did not respond; the message is not retried'),
})

export const sendMessage = endpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/conversations/{id}/messages',
  summary: 'Send a message to the person of a conversation',
  description:
    'A text or, in the chat app, a template or uploaded media, within the channel’s messaging window. The text is not stored. With an `Idempotency-Key` a repeated request does not send again.',
  tag: 'conversations',
  access: { kind: 'profile', scopes: ['messages:write'] },
  personLevel: 'refused',
  entitlement: 'platform_only',
  secretReply: true,
  params: z.object({ id: z.uuid().describe('Id of the conversation') }),
  body: NewMessage,
  example: { body: { text: 'Thank you for writing. The plan is ready.' } },
  reply: SentMessage,
  statuses: [202],
  errors: [
    ...providerErrors,
    'validation_error',
    'template_not_found',
    'messaging_window_closed',
    'chatapp_service_window_expired',
    'chatapp_payment_required',
    'pagechat_feature_not_approved',
  ],
})
