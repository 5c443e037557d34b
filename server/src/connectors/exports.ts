/**
 * Interfaces for sending conversions and customer lists back to an ad platform. The caller decides what may be
 * sent (consent, privacy mode, catalogue); the connector writes it in the platform's format.
 */
import type { MessagingChannel } from './messaging.ts'
import type { Money, ProviderApp, Session, TokenSet } from './session.ts'

export type ExportClick = {
  /** Name of its URL parameter or cookie: gclid, gbraid, wbraid, fbclid, fbc, ttclid, ttp… */
  kind: string
  /** Unchanged, because platforms compare case-sensitively. */
  id: string
  /** Time of the first sighting, ISO 8601 UTC. */
  seenAt: string
}

/** All fields come from one record, unchanged. */
export type ExportAddress = {
  firstName: string | null
  lastName: string | null
  city: string | null
  region: string | null
  postalCode: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
}

/** The person who converted. Values are normalised but not hashed; each connector hashes by its platform's rules. */
export type ExportPerson = {
  emails: string[]
  /** E.164. */
  phones: string[]
  externalIds: string[]
  /** Null if name and address are unknown or must not be sent. */
  address: ExportAddress | null
  /** Id of the lead from an instant form on the platform. */
  leadId: string | null
  /** The platform's browser cookie (`_fbp`). */
  browserId: string | null
  ip: string | null
  userAgent: string | null
  /** ISO 3166-1 alpha-2; decides whether the platform requires consent. */
  country: string | null
}

type ConsentState = 'granted' | 'denied' | 'unspecified'
export type ExportConsent = { adUserData: ConsentState; adPersonalization: ConsentState }

/** A conversion in the form that is handed to a connector. */
export type ExportConversion = {
  /** Our id of the conversion; results refer to it. */
  eventId: string
  /**
   * Deduplication key of the platform, also against events of the shop's own pixel: our id, the order's id or a property,
   * as configured for the destination. Stable per conversion.
   */
  dedupId: string
  eventName: string
  /** ISO 8601 UTC. */
  occurredAt: string
  value: Money | null
  source: 'website' | 'crm' | 'system'
  sourceUrl: string | null
  clicks: ExportClick[]
  person: ExportPerson
  orderId: string | null
  consent: ExportConsent
  limitedDataUse: boolean
  /** `restate` and `retract` change an earlier export; `value` is then the conversion's new value. */
  adjustment: 'none' | 'restate' | 'retract'
  messaging?: ExportMessaging
}

/** The conversation with the business that an ad opened and that led to the conversion. */
export type ExportMessaging = {
  channel: MessagingChannel
  accountId: string
  /** The platform's id of the person, scoped to this account; null for the chat app, where it may be their phone number. */
  personId: string | null
  /** The only dataset that accepts conversions of this account's conversations. */
  datasetId: string
}

declare const clearance: unique symbol
/** A conversion that passed the export gate (`outbound/gate.ts`); nothing else can create this type. */
export type ClearedConversion = ExportConversion & { readonly [clearance]: true }

/** A dataset, conversion action or pixel. */
export type ExportTarget = { id: string; testEventCode: string | null }

export type ExportResult = {
  eventId: string
  ok: boolean
  code: string | null
  /** Contains no personal data. */
  message: string | null
  retryable: boolean
}

export type ExportReply = {
  /** The platform's request id, by which its diagnostics are queried. */
  requestId: string | null
  /** `processing`: accepted, the outcome is available later. Null if no conversion was accepted. */
  providerStatus: 'processing' | 'success' | null
  /** Delay that the platform requests before the next call, if any. */
  retryAfterSeconds: number | null
  /** One result per conversion, in the order of the input. */
  results: ExportResult[]
}

export type ExportStatus = {
  status: 'processing' | 'success' | 'partial_success' | 'failed'
  /** Counts per reason: platforms do not report the individual conversions. */
  counts: { reason: string; count: number }[]
}

/** The request bodies that would be sent, and the conversions that would be refused before sending. */
export type ExportPreview = { bodies: Record<string, unknown>[]; refused: ExportResult[] }

/** The part of a `Session` that request bodies depend on. */
export type ExportAccount = {
  accountId: string
  token: Pick<TokenSet, 'extra'>
  app: Pick<ProviderApp, 'extra'>
}

export type CustomerListMember = Pick<ExportPerson, 'emails' | 'phones' | 'externalIds'>

/** A list is changed in batches of at most 10,000 members; the batches of one change share a session id. */
export type CustomerListBatch = {
  members: CustomerListMember[]
  consent: ExportConsent
  /** Whether the account's owner has accepted the platform's terms for customer lists. */
  termsAccepted: boolean
  sessionId: number
  /** Starts at 1. */
  sequence: number
  isLast: boolean
}

export type CustomerListReply = {
  requestId: string | null
  providerStatus: 'processing' | 'success'
  received: number
  /** Members that the platform could not parse. */
  invalid: number
}

export type Dataset = { id: string; name: string | null; isUnavailable: boolean | null }
export type LiveAdSet = { id: string; name: string; campaignId: string | null }
export type SwappedAdSet = { id: string; replacedBy: string }

export type Pixel = {
  id: string
  name: string | null
  created_at: string | null
  last_fired_at: string | null
  is_unavailable: boolean | null
  owner_business: { id: string; name: string } | null
}

export type Exports = {
  /** At most `exportRules[kind].maxBatch` conversions per call. Conversions that are too old at `now` are not sent. */
  send(
    session: Session,
    target: ExportTarget,
    conversions: ClearedConversion[],
    now: Date,
  ): Promise<ExportReply>
  /** Pure. Returns the bodies that `send` would use. */
  preview(
    account: ExportAccount,
    target: ExportTarget,
    conversions: ClearedConversion[],
    now: Date,
  ): ExportPreview
  /** Only if the platform reports the outcome of a request later. */
  readStatus?: (session: Session, target: ExportTarget, requestId: string) => Promise<ExportStatus>
}

export type Audiences = {
  /** Throws `ProviderError` with reason `terms_not_accepted` if the platform's terms for customer lists were not accepted. */
  create(session: Session, list: { name: string; description: string | null }): Promise<{ id: string }>
  upload(session: Session, listId: string, batch: CustomerListBatch): Promise<CustomerListReply>
  remove(session: Session, listId: string, batch: CustomerListBatch): Promise<CustomerListReply>
}

export type Datasets = {
  list(session: Session): Promise<Dataset[]>
  create(session: Session, name: string): Promise<Dataset>
  /** Ad sets in delivery that optimise for the dataset. */
  listLiveAdSets(session: Session, datasetId: string): Promise<LiveAdSet[]>
  /** The dataset of a delivered ad set cannot be changed: each is copied to the new dataset, the copy is activated, the original paused. */
  swapAdSets(session: Session, adSetIds: string[], datasetId: string): Promise<SwappedAdSet[]>
  listPixels(session: Session): Promise<Pixel[]>
}
