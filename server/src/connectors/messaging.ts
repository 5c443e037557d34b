/** Accounts that people write to, and what the business sends from them. */
export const messagingChannels = ['pagechat', 'photoapp', 'chatapp'] as const
export type MessagingChannel = (typeof messagingChannels)[number]

/** How the account was authorized: with the page it is linked to, or by the photo app's own login. */
export const PAGE_LOGIN = 'facebook_login'
export const PHOTO_LOGIN = 'photoapp_login'

export type OutgoingContent =
  | { kind: 'text'; text: string }
  | { kind: 'template'; name: string; language: string; components: Record<string, unknown>[] }
  | { kind: 'media'; mediaId: string }

export type OutgoingMessage = {
  channel: MessagingChannel
  accountId: string
  /** The platform's id of the person, for this account. */
  personId: string
  /** Of the chat app: the number that the person wrote to; null where it is not known. */
  numberId: string | null
  humanAgent: boolean
  /** Our own id: the platform repeats it in its reports. */
  reference: string
  content: OutgoingContent
}

export type MessagingAccount = { channel: MessagingChannel; id: string; name: string }
