/** Accounts that people write to, and what the business sends from them. */
export const messagingChannels = ['pagechat', 'photoapp', 'chatapp'] as const
export type MessagingChannel = (typeof messagingChannels)[number]

/** How the account was authorized: with the page it is linked to, or by the photo app's own login. */
export const PAGE_LOGIN = 'facebook_login'
export const PHOTO_LOGIN = 'photoapp_login'

export type MessagingAccount = { channel: MessagingChannel; id: string; name: string }
