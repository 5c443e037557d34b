/** Messaging accounts of a business, and the messages that it sends from them. */
export const messagingChannels = ['pagechat', 'photoapp', 'chatapp'] as const
export type MessagingChannel = (typeof messagingChannels)[number]

/** How the account was authorized: through its linked page, or through the photo app's own login. */
export const PAGE_LOGIN = 'facebook_login'
export const PHOTO_LOGIN = 'photoapp_login'

export type OutgoingContent =
  | { kind: 'text'; text: string }
  | { kind: 'template'; name: string; language: string; components: Record<string, unknown>[] }
  | { kind: 'media'; mediaId: string }

export type OutgoingMessage = {
  channel: MessagingChannel
  accountId: string
  /** The platform's id of the person, scoped to this account. */
  personId: string
  /** Chat app only: the number that the person wrote to; null if unknown. */
  numberId: string | null
  humanAgent: boolean
  /** Our own id; the platform returns it in its status reports. */
  reference: string
  content: OutgoingContent
}

export type MessagingAccount = { channel: MessagingChannel; id: string; name: string }
