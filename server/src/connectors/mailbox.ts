export type { OutgoingMail } from '../platform/mail/compose.ts'

/** The mail vendors whose mailboxes the business can send from. */
export const mailboxVendors = ['gmail', 'microsoft_mail'] as const
export type MailboxVendor = (typeof mailboxVendors)[number]

/** The stored provider of a mailbox connection; the vendor is its subtype. */
export const MAILBOX = 'mailbox'

/** Refusals that have a specific error code in the API. */
export type MailRefusal =
  | 'account_suspended'
  | 'auth_revoked'
  | 'mailbox_disabled'
  | 'quota_exceeded'
  | 'recipient_rejected'

/** Error code for a mail that exceeds the size limit of one call; nothing was sent. */
export const MESSAGE_TOO_LARGE = 'message_too_large'

export const isMailboxVendor = (name: string): name is MailboxVendor =>
  (mailboxVendors as readonly string[]).includes(name)

/** The connector of a connection; for a mailbox the connector of its vendor. */
export const connectorOf = (row: { provider: string; provider_subtype: string | null }): string =>
  row.provider === MAILBOX ? (row.provider_subtype ?? '') : row.provider

/** The columns under which a connection of a connector is stored. */
export const storedProvider = (provider: string): { provider: string; subtype?: string } =>
  isMailboxVendor(provider) ? { provider: MAILBOX, subtype: provider } : { provider }
