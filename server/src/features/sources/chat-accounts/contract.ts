import { z } from 'zod'
import { mediaLimits } from '../../../connectors/chat-media.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { liveErrors } from '../connections/provider-errors.ts'

const tag = 'conversations'
const MULTIPART_OVERHEAD = 64 * 1024
const live = [...liveErrors, 'connection_revoked', 'forbidden'] as const
const text = z.string().nullable()
const platformId = z.string().regex(/^\d{1,30}$/, 'must be an id of the platform, which has only digits')

export const uploadChatMedia = endpoint({
  name: 'uploadChatMedia',
  method: 'POST',
  path: '/chatapp/media',
  summary: 'Upload a file to send in the chat app',
  description:
    'One file as the last part of the form: an image of at most 5 MB, video or audio of 16 MB, another document of 100 MB. It is streamed to the platform and not stored.',
  tag,
  access: { kind: 'profile', scopes: ['messages:write'] },
  entitlement: 'platform_only',
  rawBody: ['multipart/form-data'],
  streamsBody: true,
  bodyLimit: mediaLimits.document + MULTIPART_OVERHEAD,
  holdsFile: true,
  reply: z.object({ media_id: z.string().describe('Id of the uploaded file') }),
  statuses: [201],
  errors: [...live, 'invalid_content', 'payload_too_large'],
})

export const getChatMedia = endpoint({
  name: 'getChatMedia',
  method: 'GET',
  path: '/chatapp/media/{media_id}',
  summary: 'Read a file of the chat app',
  description: 'Read from the platform, which serves received files for 7 days.',
  tag,
  personLevel: 'refused',
  access: { kind: 'profile', scopes: ['customers:read'] },
  params: z.object({ media_id: platformId.describe('Id of the uploaded file') }),
  example: { params: { media_id: '1013859600285441' } },
  file: 'application/octet-stream',
  holdsFile: true,
  reply: z.string(),
  errors: [...live, 'media_expired', 'payload_too_large'],
})

export const ChatNumber = z.object({
  id: z.string().describe('The platform’s id of the phone number'),
  number: text.describe('The phone number, as the platform shows it; null if it reports none'),
  verification: text.describe('Verification status at the platform; null if it reports none'),
  status: text.describe('Status of the number at the platform; null if it reports none'),
})

export const listChatNumbers = endpoint({
  name: 'listChatNumbers',
  method: 'GET',
  path: '/chatapp/numbers',
  summary: 'List the numbers of the chat account, live',
  description: 'Queries the platform on each call.',
  tag,
  access: { kind: 'profile', scopes: ['connections:read'] },
  reply: z.array(ChatNumber),
  errors: [...live],
})

const byNumber = z.object({ id: platformId.describe('The platform’s id of the phone number') })
const writes = { kind: 'profile', scopes: ['connections:write'] } as const
const Done = z.object({
  id: z.string().describe('The platform’s id of the phone number'),
  done: z.literal(true).describe('Always true: the request has been carried out'),
})

export const requestChatCode = endpoint({
  name: 'requestChatCode',
  method: 'POST',
  path: '/chatapp/numbers/{id}/code',
  summary: 'Request the verification code of a number',
  description: 'The platform sends it by text message or call.',
  tag,
  access: writes,
  params: byNumber,
  body: z.strictObject({
    method: z.enum(['sms', 'voice']).describe('How the code is sent'),
    language: z
      .string()
      .regex(/^[a-z]{2}(_[A-Z]{2})?$/, 'must be a language code such as es or en_US')
      .default('en_US')
      .describe('Language of the message with the code'),
  }),
  example: { params: { id: '106540352242922' }, body: { method: 'sms' } },
  reply: Done,
  statuses: [202],
  errors: [...live, 'not_found', 'validation_error'],
})

export const registerChatNumber = endpoint({
  name: 'registerChatNumber',
  method: 'POST',
  path: '/chatapp/numbers/{id}/register',
  summary: 'Register a number for messages',
  description: 'With the verification code in `code`, or the one that the operator’s relay captured.',
  tag,
  access: writes,
  params: byNumber,
  body: z.strictObject({
    pin: z
      .string()
      .regex(/^\d{6}$/, 'must have 6 digits')
      .describe('PIN of the number at the platform'),
    code: z
      .string()
      .regex(/^\d{6}$/, 'must have 6 digits')
      .optional()
      .describe('The code that the platform sent to the number'),
  }),
  example: { params: { id: '106540352242922' }, body: { pin: '123456' } },
  reply: Done,
  errors: [
    ...live,
    'not_found',
    'validation_error',
    'chatapp_register_limit',
    'chatapp_otp_relay_unavailable',
  ],
})
