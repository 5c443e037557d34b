export type { OutgoingMail } from '../platform/mail/compose.ts'

/** Mailboxes that the business sends from, at the two large mail vendors. */
export const mailboxVendors = ['gmail', 'microsoft_mail'] as const
export type MailboxVendor = (typeof mailboxVendors)[number]

/** The channel of a mailbox connection; its vendor is the subtype. */
export const MAILBOX = 'mailbox'

/** Refusals with an error code of their own. */
export type MailRefusal =
  | 'account_suspended'
  | 'auth_revoked'
  | 'mailbox_disabled'
  | 'quota_exceeded'
  | 'recipient_rejected'

/** Code of a mail that is larger than one call takes; nothing was sent. */
export const TOO_LARGE = 'message_too_large'

export const isVendor = (name: string): name is MailboxVendor =>
  (mailboxVendors as readonly string[]).includes(name)

/** The connector that serves a connection: of a mailbox its vendor's. */
export const connectorOf = (row: { provider: string; provider_subtype: string | null }): string =>
  row.provider === MAILBOX ? (row.provider_subtype ?? '') : row.provider

/** How connections of a connector are stored. */
export const storedProvider = (provider: string): { provider: string; subtype?: string } =>
  isVendor(provider) ? { provider: MAILBOX, subtype: provider } : { provider }
