/**
 * What every provider connector offers. A connector is data plus one mapping: it speaks the
 * provider's public protocol through the `Outbound` it is given, and returns plain records.
 * It never sees the database. A sandbox is the same connector on another base URL.
 */
import type { Outbound } from '../outbound/outbound.ts'
import type { AdDetailRecord } from './ad-details.ts'
import type { ExperimentRecord } from './experiments.ts'
import type { ConversionExports } from './exports.ts'
import type { Money, ProviderApp, Session, TokenSet } from './session.ts'

export type * from './exports.ts'
export type * from './session.ts'

export const providers = [
  'social_ads',
  'engine_ads',
  'engine_search_console',
  'crmsuite',
  'cardpay',
  'regionalpay',
  'storefront',
] as const
export type Provider = (typeof providers)[number]

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

export type AdEntityRecord = {
  type: 'ad_entity'
  level: 'campaign' | 'ad_set' | 'ad'
  externalId: string
  campaignExternalId: string | null
  adSetExternalId: string | null
  name: string
  status: string | null
  objective: string | null
  dailyBudgetMinor: number | null
  lifetimeBudgetMinor: number | null
  currency: string | null
  creative: {
    thumbnailUrl: string | null
    videoId: string | null
    format: string | null
    title: string | null
    body: string | null
    ctaType: string | null
  } | null
}

export type DeliveryRecord = {
  type: 'delivery'
  level: 'campaign' | 'ad_set' | 'ad'
  externalId: string
  /** The ad account's own day, YYYY-MM-DD. */
  day: string
  spendMinor: number
  currency: string
  impressions: number | null
  clicks: number | null
  reach: number | null
  /** Platform counts may be fractional (data-driven attribution); thousandths keep them exact. */
  platformConversionsMilli: number | null
  platformConversionValueMinor: number | null
  messagingConversationsStarted7d: number | null
  /** Delivery outlives its ad: what the report says of an entity that the structure no longer lists. */
  entity?: {
    name: string | null
    campaignExternalId: string | null
    adSetExternalId: string | null
    /** The platform no longer lists it; reports still tell of it. */
    isDeleted?: true
  }
}

/** A thing that happened to a person at a CRM: becomes an outcome event. */
export type OutcomeRecord = {
  type: 'outcome'
  /** Provider's id of the outcome, stable across syncs and webhooks. */
  externalId: string
  outcomeType: string
  /** ISO 8601 UTC. */
  occurredAt: string
  value: Money | null
  person: PersonRecord
  /** Set where the outcome is an opportunity entering a stage, so that the profile's stage mapping decides. */
  stageId: string | null
  /** The outcome no longer holds at the provider (deleted, moved back). */
  retracted: boolean
}

export type PersonRecord = {
  /** The provider's own opaque id of the person. */
  contactId: string | null
  email: string | null
  phone: string | null
  firstName: string | null
  lastName: string | null
  externalId: string | null
  anonymousId: string | null
  /** Click ids and ad ids that the provider recorded with the person (first-touch attribution of the CRM, order attributes). */
  clickIds: Record<string, string>
  ad: { adId: string | null; adSetId: string | null; campaignId: string | null }
  /** What the link that brought the person said of itself: source, medium, campaign, content, term. Absent where it said nothing. */
  utm?: Record<string, string>
  /** When the visit was that brought the click, or else the earliest time that the provider knows of; ISO 8601 UTC. */
  visitedAt: string | null
}

export type PaymentRecord = {
  type: 'payment'
  externalId: string
  occurredAt: string
  amount: Money
  status: 'succeeded' | 'pending' | 'failed' | 'disputed'
  person: PersonRecord
  orderId: string | null
}

/** Money given back; one row per refund or lost dispute, keyed by its own id. */
export type RefundRecord = {
  type: 'refund'
  externalId: string
  paymentExternalId: string
  occurredAt: string
  amount: Money
  kind: 'refund' | 'dispute'
}

export type SearchQueryRecord = {
  type: 'search_query'
  day: string
  query: string
  page: string | null
  clicks: number
  impressions: number
  positionMilli: number | null
}

export type LeadRecord = {
  type: 'lead'
  pageId: string
  leadgenId: string
  formId: string | null
  adId: string | null
  campaignId: string | null
  occurredAt: string
  fieldData: { name: string; values: string[] }[]
}

/** Which ad a click was of, as the platform resolves its click id (`externalId`). */
export type AdClickRecord = {
  type: 'ad_click'
  externalId: string
  clickIdKind: 'gclid'
  /** The ad account's own day, YYYY-MM-DD. */
  day: string
  campaignExternalId: string | null
  adSetExternalId: string | null
  adExternalId: string | null
}

/** A visit that the provider saw and the tracker perhaps did not: becomes a touch at its own time. */
export type VisitRecord = {
  type: 'visit'
  /** The provider's id of the visit. */
  externalId: string
  occurredAt: string
  /** When the record that told of it happened (the order). */
  reportedAt: string
  landingPage: string | null
  referrer: string | null
  person: PersonRecord
}

/** Something that a person wrote to the business, without its words. */
export type MessageRecord = {
  type: 'message'
  channel: 'chatapp' | 'photoapp' | 'pagechat'
  /** The provider's own id of the message. */
  externalId: string
  /** The page, photo account or chat account that was written to. */
  accountId: string
  /** The provider's id of the person, for this account. */
  personId: string
  /** `referral`: came back to a thread by an ad or a link, and wrote nothing. */
  kind: 'message' | 'postback' | 'referral'
  occurredAt: string
  phone: string | null
  name: string | null
  /** What brought the person: an ad, a post, a link. */
  referral: { source: string; adId: string | null; clickId: string | null } | null
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

export type ContactRecord = { type: 'contact'; externalId: string; updatedAt: string; person: PersonRecord }

export type SyncRecord = (
  | AdEntityRecord
  | AdDetailRecord
  | DeliveryRecord
  | OutcomeRecord
  | PaymentRecord
  | RefundRecord
  | SearchQueryRecord
  | LeadRecord
  | MessageRecord
  | AdClickRecord
  | ContactRecord
  | VisitRecord
) & {
  /** What the provider said beside the fields we know, kept as it came. */
  aside?: Record<string, unknown>
}

/** A record that could not be read. Its content is not kept: it may name a person. */
export type SetAside = { kind: string; externalId: string; reason: string }

/** One step of a sync. `cursor` resumes after this page; null means the sync is complete. */
export type SyncPage = {
  records: SyncRecord[]
  /** What the page held and could not be read. */
  setAside?: SetAside[]
  cursor: string | null
  progress: { done: number; total: number | null; unit: string }
}

export type SyncWindow = {
  /** First local day to read, YYYY-MM-DD. */
  sinceDay: string
  /** Last local day to read, YYYY-MM-DD. */
  untilDay: string
  /** The account's pages whose leads are read, where the provider has such. */
  pageIds?: readonly string[]
  /** Only those leads: a page that is subscribed later than the account was read. */
  leadsOnly?: true
}

/** What an inbound provider webhook means, after its signature held. */
export type WebhookMeaning =
  | { type: 'records'; accountId: string; records: SyncRecord[] }
  /**
   * The provider only said that something changed; read it back with the account's token.
   * `told` is what the webhook itself said; what is read back is laid over it.
   */
  | { type: 'read_back'; accountId: string; resource: string; id: string; told?: SyncRecord }
  | { type: 'uninstalled'; accountId: string }
  | { type: 'ignored' }

/** What a person or a shop may ask by the provider's privacy webhooks. */
export type PrivacyRequest = {
  type: 'data_request' | 'customer_redact' | 'shop_redact'
  accountId: string
  /** Whom it is about; null where it is about everybody of the account. */
  person: { contactId: string | null; email: string | null; phone: string | null } | null
}

export type InboundWebhook = {
  rawBody: Uint8Array
  headers: Record<string, string>
  query: Record<string, string>
}

export type Pixel = {
  id: string
  name: string | null
  created_at: string | null
  last_fired_at: string | null
  is_unavailable: boolean | null
  owner_business: { id: string; name: string } | null
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
  /** Only for storefront: the shop's domain. */
  shop: string | null
}

/** What came back on the callback's query, already read as strings. */
export type CallbackQuery = Record<string, string>
export type CallbackMeaning =
  | { type: 'code'; code: string }
  | { type: 'cancelled' }
  | { type: 'denied' }
  | { type: 'error' }

export type Connector = ConversionExports & {
  provider: Provider
  accountKind: AccountKind
  /** Whether one account may belong to only one profile of a workspace. */
  exclusiveAccount: boolean
  authorizeUrl(app: ProviderApp, request: AuthorizeRequest): string
  /** Reads the callback's query, provider signature included where the protocol has one. */
  readCallback(app: ProviderApp, query: CallbackQuery): CallbackMeaning
  exchange(
    http: Outbound,
    app: ProviderApp,
    args: { code: string; redirectUri: string; codeVerifier: string; query: CallbackQuery; now: Date },
  ): Promise<TokenSet>
  refresh: ((http: Outbound, app: ProviderApp, token: TokenSet, now: Date) => Promise<TokenSet>) | null
  revoke(http: Outbound, app: ProviderApp, token: TokenSet): Promise<void>
  listAccounts(http: Outbound, app: ProviderApp, token: TokenSet): Promise<Account[]>
  /** One page a call, so that the caller commits each page with its cursor and can resume after a crash. */
  syncPage(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage>
  /** Pure; checks the signature on the raw bytes. Null where the provider sends no webhooks. */
  verifyWebhook: ((app: ProviderApp, webhook: InboundWebhook, now: Date) => boolean) | null
  mapWebhook: ((webhook: InboundWebhook) => WebhookMeaning[]) | null
  /** Requests under privacy law, which are answered apart from what webhooks tell. Null for every other webhook. */
  readPrivacyRequest?: (webhook: InboundWebhook) => PrivacyRequest | null
  readBack: ((session: Session, resource: string, id: string) => Promise<SyncRecord[]>) | null
  /** What to keep of a webhook whose signature held, where it says more than is needed. */
  withoutWords?: (rawBody: Uint8Array) => Uint8Array
  /** The provider asks by GET whether a webhook address is ours; the text to answer, or null to refuse. */
  answerChallenge?: (app: ProviderApp, query: Record<string, string>) => string | null
  readStatus?: (
    session: Session,
    campaignExternalId: string,
  ) => Promise<{
    status: string
    effectiveStatus: string | null
    dailyBudgetMinor: number | null
    lifetimeBudgetMinor: number | null
  }>
  setStatus?: (session: Session, campaignExternalId: string, status: 'ACTIVE' | 'PAUSED') => Promise<void>
  setBudget?: (
    session: Session,
    target: { level: 'campaign' | 'ad_set'; externalId: string },
    budget: { type: 'daily' | 'lifetime'; amountMinor: number },
  ) => Promise<void>
  readBudget?: (
    session: Session,
    target: { level: 'campaign' | 'ad_set'; externalId: string },
  ) => Promise<{
    status: string
    campaignStatus: string | null
    dailyBudgetMinor: number | null
    lifetimeBudgetMinor: number | null
  }>
  /** Studies and experiments of the account, those that are over too. */
  listExperiments?: (session: Session) => Promise<ExperimentRecord[]>
  listPixels?: (session: Session) => Promise<Pixel[]>
  listPages?: (session: Session) => Promise<{ id: string; name: string; category: string | null }[]>
  /** Photo accounts of the pages, whose messages come under their own id. */
  listPhotoAccounts?: (session: Session) => Promise<{ pageId: string; id: string }[]>
  listChatAccounts?: (session: Session) => Promise<ChatAccount[]>
  subscribeChatAccount?: (session: Session, accountId: string) => Promise<void>
  listChatTemplates?: (session: Session, accountId: string) => Promise<ChatTemplate[]>
  readTemplateInsights?: (
    session: Session,
    template: { accountId: string; templateId: string },
    range: { sinceDay: string; untilDay: string },
  ) => Promise<TemplateInsights>
  /** Asks the provider to send (or no longer send) a page's leads. */
  subscribePage?: (session: Session, pageId: string, subscribed: boolean) => Promise<void>
  listPipelines?: (
    session: Session,
  ) => Promise<{ id: string; name: string; stages: { id: string; name: string; position: number }[] }[]>
  activateWebPixel?: (
    session: Session,
    settings: { trackingKey: string; collectorUrl: string },
  ) => Promise<{ status: string; webPixelId: string }>
}
