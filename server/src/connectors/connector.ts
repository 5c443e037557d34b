/**
 * Interface of all provider connectors. A connector is data plus one mapping: it speaks the
 * provider's public protocol through the given `Outbound` and returns plain records.
 * It has no access to the database. A sandbox is the same connector with another base URL.
 */
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { Calendars } from './calendars.ts'
import type { ChatNumber, MediaFile, NewTemplate, ReceivedFile } from './chat-media.ts'
import type { ExperimentRecord } from './experiments.ts'
import type { Audiences, Datasets, Exports } from './exports.ts'
import type { MailboxVendor, MailRefusal, OutgoingMail } from './mailbox.ts'
import type { MessagingAccount, OutgoingMessage } from './messaging.ts'
import type { SyncPage, SyncRecord, SyncWindow } from './records.ts'
import type { ProviderApp, Session, TokenSet } from './session.ts'

export type * from './exports.ts'
export type * from './records.ts'
export type * from './session.ts'

export const providers = [
  'social_ads',
  'engine_ads',
  'engine_search_console',
  'engine_calendar',
  'external_calendar',
  'microsoft_ads',
  'crmsuite',
  'cardpay',
  'regionalpay',
  'storefront',
  'woocommerce',
  'hubspot',
  'linkedin_ads',
  'tiktok_ads',
] as const
/** Mailboxes have consent, tokens and health like other connections, but sync no records. */
export type Provider = (typeof providers)[number] | MailboxVendor

export type AccountKind = 'ad_account' | 'property' | 'location' | 'account' | 'store'
export type Account = {
  id: string
  name: string
  kind: AccountKind
  currency: string | null
  timezone: string | null
  /** Merged into the token's `extra` when this account is chosen; later calls need it. */
  tokenExtra?: Record<string, string>
}

export type ChatAccount = { id: string; name: string }
export type ChatTemplate = {
  id: string
  name: string
  language: string
  status: string | null
  category: string | null
}
export type TemplateInsights =
  | { state: 'enabling' | 'unsupported' }
  | {
      state: 'ready'
      days: {
        day: string
        sent: number | null
        delivered: number | null
        read: number | null
        clicked: number | null
      }[]
    }

/** What to do with a provider webhook whose signature was verified. */
export type WebhookAction =
  | { type: 'records'; accountId: string; records: SyncRecord[] }
  /**
   * The webhook only names a changed object: fetch it with the account's token.
   * `reported` is the content of the webhook itself; fetched fields override it.
   */
  | { type: 'read_back'; accountId: string; resource: string; id: string; reported?: SyncRecord }
  | { type: 'uninstalled'; accountId: string }
  /** Applies to all accounts whose token has these `extra` members. */
  | { type: 'uninstalled_by_owner'; token: Record<string, string> }
  | { type: 'ignored' }

/** A request of a person or a shop that arrives through the provider's privacy webhooks. */
export type PrivacyRequest = {
  type: 'data_request' | 'customer_redact' | 'shop_redact' | 'lead_redact'
  accountId: string
  /** Only for `lead_redact`: the platform's id of the lead that the person withdrew. */
  leadId?: string
  /** The affected person; null if all people of the account are affected, or if a lead identifies the person. */
  person: { contactId: string | null; email: string | null; phone: string | null } | null
}

export type InboundWebhook = {
  rawBody: Uint8Array
  headers: Record<string, string>
  query: Record<string, string>
}

/** A provider's refusal, with a reason that hand-offs and the error catalogue understand. */
export class ProviderError extends Error {
  readonly reason:
    | 'invalid_grant'
    | 'rate_limited'
    | 'unavailable'
    | 'permission_missing'
    | 'terms_not_accepted'
    /** The response would be too large; a request for half of it may succeed. */
    | 'asks_for_less'
    | 'not_found'
    | 'rejected'
    | 'malformed'
  readonly providerCode: string | null
  /** The provider's own message, without anything that looks like a secret or an email address; null if there was none. */
  readonly providerMessage: string | null
  /** Seconds, from Retry-After. */
  readonly retryAfterSeconds: number | null
  constructor(
    reason: ProviderError['reason'],
    message: string,
    options?: {
      cause?: unknown
      providerCode?: string | null
      providerMessage?: string | null
      retryAfterSeconds?: number | null
    },
  ) {
    super(message, { cause: options?.cause })
    this.name = 'ProviderError'
    this.reason = reason
    this.providerCode = options?.providerCode ?? null
    this.providerMessage = options?.providerMessage ?? null
    this.retryAfterSeconds = options?.retryAfterSeconds ?? null
  }
}

export type AuthorizeRequest = {
  redirectUri: string
  state: string
  /** S256 challenge; a provider without PKCE ignores it. */
  codeChallenge: string
  /** The shop's address, if the consent starts at the shop itself (`shops.ts`). */
  shop: string | null
}

/** Query parameters of the callback, as strings. */
export type CallbackQuery = Record<string, string>
/** Credentials that the account's server posted to us directly, because they must not appear in a browser's URL. */
export type Deposit = Record<string, string>
export type CallbackResult =
  | { type: 'code'; code: string }
  | { type: 'cancelled' }
  | { type: 'denied' }
  | { type: 'error' }

/** An entity that can be paused and resumed at an ad platform. Some platforms address it only through its parents. */
export type StatusTarget = {
  level: 'campaign' | 'ad_set' | 'ad'
  externalId: string
  campaignExternalId?: string | null
  adSetExternalId?: string | null
}

/** Consent, token exchange, renewal and revocation. */
export type OAuth = {
  authorizeUrl(app: ProviderApp, request: AuthorizeRequest): string
  /**
   * Only for platforms whose account posts credentials to the callback URL before the person returns: the state that
   * they belong to, and the credentials.
   */
  readDeposit?: (body: unknown) => { state: string; fields: Deposit } | null
  /** Reads the callback's query and verifies its signature if the protocol has one. */
  readCallback(app: ProviderApp, query: CallbackQuery, deposit?: Deposit): CallbackResult
  exchange(
    http: Outbound,
    app: ProviderApp,
    args: {
      code: string
      redirectUri: string
      codeVerifier: string
      query: CallbackQuery
      deposit?: Deposit
      now: Date
    },
  ): Promise<TokenSet>
  /** Absent if tokens never expire or renewal needs a new consent. */
  refresh?: (http: Outbound, app: ProviderApp, token: TokenSet, now: Date) => Promise<TokenSet>
  revoke(http: Outbound, app: ProviderApp, token: TokenSet): Promise<void>
}

/** Reads one page per call, so that the caller commits each page with its cursor and can resume after a crash. */
export type Sync = {
  page(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage>
}

type Webhooks = {
  /** Pure; verifies the signature over the raw bytes. */
  verify(app: ProviderApp, webhook: InboundWebhook, now: Date): boolean
  map(webhook: InboundWebhook): WebhookAction[]
  /** A test call without content: answered with 200, not stored. */
  isPing?: (webhook: InboundWebhook) => boolean
  /** Splits a verified webhook into bodies that are stored and processed separately, without unneeded parts. Must not throw. */
  split?: (rawBody: Uint8Array) => Uint8Array[]
  /** Privacy requests are handled separately from records. Null for every other webhook. */
  readPrivacyRequest?: (webhook: InboundWebhook) => PrivacyRequest | null
  /** Required if `map` returns `read_back`. */
  readBack?: (session: Session, resource: string, id: string) => Promise<SyncRecord[]>
  /** The part of a verified webhook that is stored, built from an allowlist of fields. Must accept any bytes. */
  redactBody?: (rawBody: Uint8Array) => Uint8Array
  /** Response to the GET request by which a provider verifies that we own the webhook address; null rejects it. */
  answerChallenge?: (
    app: ProviderApp,
    query: Record<string, string>,
  ) => string | Record<string, string> | null
}

type BudgetTarget = { level: 'campaign' | 'ad_set'; externalId: string }
type Budgets = {
  status: string
  campaignStatus: string | null
  dailyBudgetMinor: number | null
  lifetimeBudgetMinor: number | null
}
/** Reads and changes status and budget of campaigns, ad sets and ads. */
type Ads = {
  readStatus(session: Session, target: StatusTarget): Promise<Budgets & { effectiveStatus: string | null }>
  setStatus(session: Session, target: StatusTarget, status: 'ACTIVE' | 'PAUSED'): Promise<void>
  readBudget(session: Session, target: BudgetTarget): Promise<Budgets>
  setBudget(
    session: Session,
    target: BudgetTarget,
    budget: { type: 'daily' | 'lifetime'; amountMinor: number },
  ): Promise<void>
}

type Pages = {
  list(session: Session): Promise<{ id: string; name: string; category: string | null }[]>
  /** Subscribes to a page's leads, or unsubscribes from them. */
  subscribe(session: Session, pageId: string, subscribed: boolean): Promise<void>
  /** Photo accounts linked to the pages; their messages arrive under their own id. */
  listPhotoAccounts(session: Session): Promise<{ pageId: string; id: string }[]>
}

type Messaging = {
  /** Pages, photo accounts and chat accounts that the authorization covers. */
  listAccounts(session: Session): Promise<MessagingAccount[]>
  subscribe(session: Session, account: Pick<MessagingAccount, 'channel' | 'id'>): Promise<void>
  unsubscribeChat(session: Session, accountId: string): Promise<void>
  /** Returns the id of the account's dataset; creates one if there is none. */
  createDataset(session: Session, account: Pick<MessagingAccount, 'channel' | 'id'>): Promise<string>
  /** The photo account whose own login issued the session's token. */
  readPhotoAccount(session: Session): Promise<MessagingAccount>
  /** Returns the platform's id of the message. Not retried: if the response is lost, the message may have been sent. */
  send(session: Session, message: OutgoingMessage): Promise<string>
}

/** Numbers, files and templates of chat accounts. */
type Chat = {
  listAccounts(session: Session): Promise<ChatAccount[]>
  subscribe(session: Session, accountId: string): Promise<void>
  listNumbers(session: Session, accountId: string): Promise<ChatNumber[]>
  requestCode(
    session: Session,
    numberId: string,
    delivery: { method: 'sms' | 'voice'; language: string },
  ): Promise<void>
  verifyCode(session: Session, numberId: string, code: string): Promise<void>
  register(session: Session, numberId: string, pin: string): Promise<void>
  uploadMedia(session: Session, numberId: string, file: MediaFile): Promise<string>
  readMedia(session: Session, mediaId: string): Promise<ReceivedFile>
  uploadSample(session: Session, file: MediaFile): Promise<string>
  createTemplate(
    session: Session,
    accountId: string,
    template: NewTemplate,
  ): Promise<{ id: string; status: string | null; category: string | null }>
  listTemplates(session: Session, accountId: string): Promise<ChatTemplate[]>
  readInsights(
    session: Session,
    template: { accountId: string; templateId: string },
    range: { sinceDay: string; untilDay: string },
  ): Promise<TemplateInsights>
}

type Mail = {
  /** Returns the vendor's id of the mail, if any. Not retried: if the response is lost, the mail may have been sent. */
  send(session: Session, mail: OutgoingMail): Promise<string | null>
  /** Null if the refusal has no specific code. */
  refusalOf(error: ProviderError): MailRefusal | null
}

type Pipeline = { id: string; name: string; stages: { id: string; name: string; position: number }[] }

/** Common parts of every provider and its optional facets. An absent facet means that the provider does not support it. */
export type Connector = {
  provider: Provider
  accountKind: AccountKind
  /** Whether one account may belong to only one profile of a workspace. */
  exclusiveAccount: boolean
  oauth: OAuth
  listAccounts(http: Outbound, app: ProviderApp, token: TokenSet): Promise<Account[]>
  sync?: Sync
  webhooks?: Webhooks
  ads?: Ads
  /** Studies and experiments of the account, including finished ones. */
  experiments?: { list(session: Session): Promise<ExperimentRecord[]> }
  exports?: Exports
  audiences?: Audiences
  datasets?: Datasets
  pages?: Pages
  messaging?: Messaging
  chat?: Chat
  mail?: Mail
  calendars?: Calendars
  pipelines?: { list(session: Session): Promise<Pipeline[]> }
  webPixel?: {
    activate(
      session: Session,
      settings: { trackingKey: string; collectorUrl: string },
    ): Promise<{ status: string; webPixelId: string }>
  }
}
