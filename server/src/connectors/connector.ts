/**
 * What every provider connector offers. A connector is data plus one mapping: it speaks the
 * provider's public protocol through the `Outbound` it is given, and returns plain records.
 * It never sees the database. A sandbox is the same connector on another base URL.
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
/** Mailboxes have consent, tokens and health like the rest, and bring no records. */
export type Provider = (typeof providers)[number] | MailboxVendor

export type AccountKind = 'ad_account' | 'property' | 'location' | 'account' | 'store'
export type Account = {
  id: string
  name: string
  kind: AccountKind
  currency: string | null
  timezone: string | null
  /** Laid over the token's `extra` when this account is chosen, because later calls need it. */
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

/** What an inbound provider webhook means, after its signature held. */
export type WebhookMeaning =
  | { type: 'records'; accountId: string; records: SyncRecord[] }
  /**
   * The provider only said that something changed; read it back with the account's token.
   * `reported` is what the webhook itself contained; fields that are read back override it.
   */
  | { type: 'read_back'; accountId: string; resource: string; id: string; reported?: SyncRecord }
  | { type: 'uninstalled'; accountId: string }
  /** All accounts whose token has these `extra` members. */
  | { type: 'uninstalled_by_owner'; token: Record<string, string> }
  | { type: 'ignored' }

/** What a person or a shop may ask by the provider's privacy webhooks. */
export type PrivacyRequest = {
  type: 'data_request' | 'customer_redact' | 'shop_redact' | 'lead_redact'
  accountId: string
  /** Of `lead_redact`: the platform's id of the lead that the person withdrew. */
  leadId?: string
  /** The person it is about; null if it is about everyone of the account, or named by a lead. */
  person: { contactId: string | null; email: string | null; phone: string | null } | null
}

export type InboundWebhook = {
  rawBody: Uint8Array
  headers: Record<string, string>
  query: Record<string, string>
}

/** How a provider refused, in the words the hand-off and the error catalogue need. */
export class ProviderError extends Error {
  readonly reason:
    | 'invalid_grant'
    | 'rate_limited'
    | 'unavailable'
    | 'permission_missing'
    | 'terms_not_accepted'
    /** The answer would be too large: half of it may not be. */
    | 'asks_for_less'
    | 'not_found'
    | 'rejected'
    | 'malformed'
  readonly providerCode: string | null
  /** The provider's own words, without anything that looks like a secret or an address; null where it said none. */
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
  /** Only where the consent begins at the account itself (`shops.ts`): its address. */
  shop: string | null
}

/** What came back on the callback's query, already read as strings. */
export type CallbackQuery = Record<string, string>
/** Credentials that the account itself posted; a person's address bar cannot contain them. */
export type Deposit = Record<string, string>
export type CallbackMeaning =
  | { type: 'code'; code: string }
  | { type: 'cancelled' }
  | { type: 'denied' }
  | { type: 'error' }

/** What can be paused and resumed at an ad platform. Some platforms find it only below its parents. */
export type StatusTarget = {
  level: 'campaign' | 'ad_set' | 'ad'
  externalId: string
  campaignExternalId?: string | null
  adSetExternalId?: string | null
}

/** How a person lets us in, and how access is renewed and given back. */
export type OAuth = {
  authorizeUrl(app: ProviderApp, request: AuthorizeRequest): string
  /**
   * Only where the account posts credentials to the callback address before the person comes back: which state they
   * belong to, and what they are.
   */
  readDeposit?: (body: unknown) => { state: string; fields: Deposit } | null
  /** Reads the callback's query, provider signature included where the protocol has one. */
  readCallback(app: ProviderApp, query: CallbackQuery, deposit?: Deposit): CallbackMeaning
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
  /** Missing where a token never ends or a person must consent again. */
  refresh?: (http: Outbound, app: ProviderApp, token: TokenSet, now: Date) => Promise<TokenSet>
  revoke(http: Outbound, app: ProviderApp, token: TokenSet): Promise<void>
}

/** One page a call, so that the caller commits each page with its cursor and can resume after a crash. */
export type Sync = {
  page(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage>
}

type Webhooks = {
  /** Pure; checks the signature on the raw bytes. */
  verify(app: ProviderApp, webhook: InboundWebhook, now: Date): boolean
  map(webhook: InboundWebhook): WebhookMeaning[]
  /** A trial of the address that carries nothing: answered with 200, not stored. */
  isPing?: (webhook: InboundWebhook) => boolean
  /** Bodies of a verified webhook that are stored and worked on by themselves, without what is not needed; total. */
  split?: (rawBody: Uint8Array) => Uint8Array[]
  /** Requests under privacy law, which are answered apart from what webhooks report. Null for every other webhook. */
  readPrivacyRequest?: (webhook: InboundWebhook) => PrivacyRequest | null
  /** For webhooks that mean `read_back`. */
  readBack?: (session: Session, resource: string, id: string) => Promise<SyncRecord[]>
  /** The part of a verified webhook that is stored, built from known fields; total: any bytes at all have one. */
  withoutWords?: (rawBody: Uint8Array) => Uint8Array
  /** The provider asks by GET whether a webhook address is ours; the text or JSON to answer, or null to refuse. */
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
/** Changes of campaigns, ad sets and ads. */
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
  /** Asks the provider to send (or no longer send) a page's leads. */
  subscribe(session: Session, pageId: string, subscribed: boolean): Promise<void>
  /** Photo accounts of the pages, whose messages come under their own id. */
  listPhotoAccounts(session: Session): Promise<{ pageId: string; id: string }[]>
}

type Messaging = {
  /** Pages, photo accounts and chat accounts of the authorization. */
  listAccounts(session: Session): Promise<MessagingAccount[]>
  subscribe(session: Session, account: Pick<MessagingAccount, 'channel' | 'id'>): Promise<void>
  unsubscribeChat(session: Session, accountId: string): Promise<void>
  /** The id of the account's dataset, which is created where it has none. */
  createDataset(session: Session, account: Pick<MessagingAccount, 'channel' | 'id'>): Promise<string>
  /** The photo account whose own login gave the session's token. */
  readPhotoAccount(session: Session): Promise<MessagingAccount>
  /** The platform's id of the message. Called once: an answer that is lost may have been a yes. */
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
    asked: { method: 'sms' | 'voice'; language: string },
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
  /** The vendor's id of the mail, where it gives one. Called once: an answer that is lost may have been a yes. */
  send(session: Session, mail: OutgoingMail): Promise<string | null>
  /** Null where the refusal has no code of its own. */
  refusalOf(error: ProviderError): MailRefusal | null
}

type Pipeline = { id: string; name: string; stages: { id: string; name: string; position: number }[] }

/** What every provider has, and the facets that say what this one can do: a missing facet is a missing ability. */
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
  /** Studies and experiments of the account, those that are over too. */
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
