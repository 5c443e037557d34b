import { z } from 'zod'
import { mailboxVendors } from '../../../connectors/mailbox.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Handoff } from '../handoffs/contract.ts'

export const MailboxVendor = z.enum(mailboxVendors)

export const startMailboxLink = endpoint({
  name: 'startMailboxLink',
  method: 'POST',
  path: '/integrations/mailbox/link/start',
  summary: 'Create a link that a person follows to connect a mailbox',
  description:
    'The consent covers sending only; no mail is read. Poll the hand-off as with any connection. Connecting the same mailbox again is a reconnect. For partner apps, this needs a decision of an owner or admin.',
  tag: 'integrations',
  access: { kind: 'profile', scopes: ['connections:write'] },
  refusesApps: true,
  body: z.strictObject({
    provider: MailboxVendor.describe('Provider of the account, for example social_ads'),
    return_url: z
      .string()
      .max(10_000)
      .optional()
      .describe(
        'Where the person is redirected afterwards; its origin must be in `allowed_return_origins` or `redirect_uris` of the app',
      ),
  }),
  example: { body: { provider: 'gmail' } },
  reply: Handoff,
  errors: ['invalid_parameter', 'provider_not_configured', 'forbidden'],
})
