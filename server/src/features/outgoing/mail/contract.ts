import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { EXAMPLE_ID } from '../../../platform/contract/example-values.ts'

const MAX_RECIPIENTS = 10
const MAX_TEXT = 100_000
const MAX_HTML = 500_000

const Address = z.email({ error: 'must be an email address' }).max(254)

export const NewMail = z.strictObject({
  connection_id: z.uuid().describe('Connection of the mailbox'),
  to: z.array(Address).min(1).max(MAX_RECIPIENTS).describe('Email addresses of the recipients'),
  subject: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .refine((subject) => !/\p{Cc}/u.test(subject), 'must be one line')
    .describe('Subject line of the mail'),
  text: z.string().min(1).max(MAX_TEXT).describe('Text of the mail, without formatting'),
  html: z.string().min(1).max(MAX_HTML).optional().describe('HTML version of the text'),
  reply_to: Address.optional().describe('Address for replies; default: the mailbox'),
})

export const SentMail = z.object({
  message_id: z.uuid().describe('Id of the message'),
  provider_message_id: z.string().nullable().describe('Null if the vendor returns none'),
  status: z
    .enum(['sent', 'unknown'])
    .describe('`unknown`: the vendor did not respond; the mail is not retried'),
})

export const sendMail = endpoint({
  name: 'sendMail',
  method: 'POST',
  path: '/mail/messages',
  summary: 'Send a mail from a connected mailbox',
  description:
    'Recipients are customers of the profile or members of its workspace; they see each other’s addresses. Subject and text are not stored. With an `Idempotency-Key` a repeated request does not send again.',
  tag: 'conversations',
  access: { kind: 'profile', scopes: ['messages:write'] },
  personLevel: 'refused',
  entitlement: 'platform_only',
  secretReply: true,
  body: NewMail,
  example: {
    body: {
      connection_id: EXAMPLE_ID,
      to: ['ana@example.com'],
      subject: 'Your plan is ready',
      text: 'Thank you for your visit. The plan is ready.',
    },
  },
  reply: SentMail,
  statuses: [202],
  errors: [
    'not_found',
    'validation_error',
    'account_suspended',
    'auth_revoked',
    'mailbox_disabled',
    'quota_exceeded',
    'recipient_rejected',
    'connection_revoked',
    'provider_error',
    'service_unavailable',
    'provider_not_configured',
  ],
  secondStatus: { provider_error: 422 },
})
