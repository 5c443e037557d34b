/**
 * Messaging accounts: pages, the photo accounts linked to them, and chat accounts, each with its dataset.
 * `/dataset` of a page and of a chat account: facebook-nodejs-business-sdk 24.0.1 (Page, WhatsAppBusinessAccount) and
 * Meta's "Conversions API for Business Messaging: Onboarding Guide" (updated 2026-05-05, read on 2026-11-17): a POST
 * returns the existing dataset or creates one. A photo account has no dataset; the linked page's is used.
 */
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import type { MessagingAccount } from '../messaging.ts'
import { callJson } from '../provider-http.ts'
import { id, text } from '../reply-fields.ts'
import { callGraph, graphRefusal, readWholeList } from './calls.ts'
import { listChatAccounts } from './chat-accounts.ts'
import { messagesEnabled } from './login.ts'

const LinkedPage = z.looseObject({
  id,
  name: text,
  access_token: text,
  instagram_business_account: z.looseObject({ id, username: text }).nullish(),
})
type LinkedPage = z.infer<typeof LinkedPage>
const Success = z.looseObject({ success: z.boolean().nullish() })
const CreatedDataset = z.looseObject({ id })

const listLinkedPages = ({ http, app, token }: Session): Promise<LinkedPage[]> =>
  readWholeList(http, app, token, '/me/accounts', LinkedPage, {
    fields: 'id,name,access_token,instagram_business_account{id,username}',
    limit: 100,
  })

type Account = Pick<MessagingAccount, 'channel' | 'id'>

/** The page behind a page or photo account, with the page's own token. */
export async function findLinkedPage(
  session: Session,
  account: Account,
): Promise<{ id: string; accessToken: string }> {
  const page = (await listLinkedPages(session)).find(
    ({ id: pageId, instagram_business_account: photo }) =>
      (account.channel === 'pagechat' ? pageId : photo?.id) === account.id,
  )
  if (!page?.access_token) throw new ProviderError('not_found', 'The person does not manage this account')
  return { id: page.id, accessToken: page.access_token }
}

export async function listMessagingAccounts(session: Session): Promise<MessagingAccount[]> {
  if (!messagesEnabled(session.app)) return []
  const pages = await listLinkedPages(session)
  const chats = await listChatAccounts(session)
  return [
    ...pages.map((page) => ({ channel: 'pagechat' as const, id: page.id, name: page.name ?? page.id })),
    ...pages.flatMap(({ name, instagram_business_account: photo }) =>
      photo ? [{ channel: 'photoapp' as const, id: photo.id, name: photo.username ?? name ?? photo.id }] : [],
    ),
    ...chats.map((chat) => ({ channel: 'chatapp' as const, ...chat })),
  ]
}

export const messageFields = [
  'messages',
  'message_echoes',
  'message_deliveries',
  'messaging_postbacks',
  'messaging_referrals',
]

/** Subscribes our app to webhooks of the account's messages. */
export async function subscribeMessages(session: Session, account: Account): Promise<void> {
  const isChat = account.channel === 'chatapp'
  const owner = isChat
    ? { id: account.id, accessToken: session.token.accessToken }
    : await findLinkedPage(session, account)
  await callGraph(session.http, session.app, owner.accessToken, {
    method: 'POST',
    path: `/${encodeURIComponent(owner.id)}/subscribed_apps`,
    // The list replaces the previous one, so it must include leads.
    ...(isChat ? {} : { form: { subscribed_fields: ['leadgen', ...messageFields].join(',') } }),
    schema: Success,
  })
}

/** Chat accounts only: the subscription of a page also delivers its leads. */
export async function unsubscribeChat(session: Session, accountId: string): Promise<void> {
  await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'DELETE',
    path: `/${encodeURIComponent(accountId)}/subscribed_apps`,
    schema: Success,
  })
}

export async function createMessagingDataset(session: Session, account: Account): Promise<string> {
  const owner =
    account.channel === 'chatapp'
      ? { id: account.id, accessToken: session.token.accessToken }
      : await findLinkedPage(session, account)
  const dataset = await callGraph(session.http, session.app, owner.accessToken, {
    method: 'POST',
    path: `/${encodeURIComponent(owner.id)}/dataset`,
    form: {},
    schema: CreatedDataset,
  })
  return dataset.id
}

const PhotoUser = z.looseObject({ user_id: id, username: text })

/** Instagram API with Instagram Login: a separate host, no page and no app secret proof. */
export const photoApiBase = ({ app }: Pick<Session, 'app'>): string =>
  `${app.extra.photoApiBaseUrl ?? 'https://graph.instagram.com'}/v26.0`

export async function readPhotoAccount(session: Session): Promise<MessagingAccount> {
  const user = await callJson(session.http, {
    url: `${photoApiBase(session)}/me`,
    query: { fields: 'user_id,username' },
    bearer: session.token.accessToken,
    schema: PhotoUser,
    refusal: graphRefusal,
  })
  return { channel: 'photoapp', id: user.user_id, name: user.username ?? user.user_id }
}
