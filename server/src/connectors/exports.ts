/**
 * What a connector offers to send conversions and customer lists back to its ad platform. The caller decides
 * what may leave (consent, privacy mode, catalogue); a connector decides how its platform wants it written.
 */
import type { MessagingChannel } from './messaging.ts'
import type { Money, ProviderApp, Session, TokenSet } from './session.ts'

export type ExportClick = {
  /** The URL parameter or cookie it came in: gclid, gbraid, wbraid, fbclid, fbc, ttclid, ttp… */
  kind: string
  /** As it came: platforms compare letter case. */
  id: string
  /** When it was first seen, ISO 8601 UTC. */
  seenAt: string
}

/** Of one record, as it was written. */
export type ExportAddress = {
  firstName: string | null
  lastName: string | null
  city: string | null
  region: string | null
  postalCode: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
}

/** Who converted. Values are normalised, not hashed: each connector hashes by its platform's rule. */
export type ExportPerson = {
  emails: string[]
  /** E.164. */
  phones: string[]
  externalIds: string[]
  /** Null where no name and no address may leave or is known. */
  address: ExportAddress | null
  /** Of an instant form on the platform. */
  leadId: string | null
  /** The platform's own browser cookie (`_fbp`). */
  browserId: string | null
  ip: string | null
  userAgent: string | null
  /** ISO 3166-1 alpha-2; decides where the platform demands consent. */
  country: string | null
}

type ConsentState = 'granted' | 'denied' | 'unspecified'
export type ExportConsent = { adUserData: ConsentState; adPersonalization: ConsentState }

/** What may leave for an ad platform. */
export type ExportConversion = {
  /** Our id of the conversion; results refer to it. */
  eventId: string
  /**
   * The platforms recognise a repetition by it, also one of the shop's own pixel: our id, the order's, or a property, as
   * the destination chooses. Stable for a conversion.
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
  /** A change of an earlier export; `value` is the new value of that conversion. */
  adjustment: 'none' | 'restate' | 'retract'
  messaging?: ExportMessaging
}

/** The conversation with the business that an ad began, which the conversion came of. */
export type ExportMessaging = {
  channel: MessagingChannel
  accountId: string
  /** The platform's id of the person for this account; null for the chat app, where it may be their number. */
  personId: string | null
  /** Only this dataset takes conversions of the account's conversations. */
  datasetId: string
}

declare const clearance: unique symbol
/** A conversion that passed the gate (`outbound/gate.ts`), which alone can make one. */
export type ClearedConversion = ExportConversion & { readonly [clearance]: true }

/** Dataset, conversion action or pixel. */
export type ExportTarget = { id: string; testEventCode: string | null }

export type ExportResult = {
  eventId: string
  ok: boolean
  code: string | null
  /** Never carries a personal value. */
  message: string | null
  retryable: boolean
}

/** One per conversion, in the order they were given. */
export type ExportReply = {
  /** What the platform calls the request; its diagnostics are asked for by it. */
  requestId: string | null
  /** `processing` where the platform has accepted and shows later what became of it; null where nothing arrived. */
  providerStatus: 'processing' | 'success' | null
  /** How long the platform asks to be left alone; null where it does not. */
  retryAfterSeconds: number | null
  results: ExportResult[]
}

export type ExportStatus = {
  status: 'processing' | 'success' | 'partial_success' | 'failed'
  /** Platforms tell counts per reason, never which conversion. */
  counts: { reason: string; count: number }[]
}

/** The bodies that would be sent, and what would not be sent at all. */
export type ExportPreview = { bodies: Record<string, unknown>[]; refused: ExportResult[] }

/** As much of a session as a body needs; a whole session fits. */
export type ExportAccount = {
  accountId: string
  token: Pick<TokenSet, 'extra'>
  app: Pick<ProviderApp, 'extra'>
}

export type CustomerListMember = Pick<ExportPerson, 'emails' | 'phones' | 'externalIds'>

/** A list is changed in calls of at most 10,000 members; the calls of one change share a session. */
export type CustomerListBatch = {
  members: CustomerListMember[]
  consent: ExportConsent
  /** The account's person has accepted the platform's terms for customer lists. */
  termsAccepted: boolean
  sessionId: number
  /** From 1. */
  sequence: number
  isLast: boolean
}

export type CustomerListReply = {
  requestId: string | null
  providerStatus: 'processing' | 'success'
  received: number
  /** How many of them the platform could not read. */
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
  /** At most `exportRules[kind].maxBatch` conversions a call. `now` decides what is too old to be sent. */
  send(
    session: Session,
    target: ExportTarget,
    conversions: ClearedConversion[],
    now: Date,
  ): Promise<ExportReply>
  /** Pure; sending uses the same bodies. */
  preview(
    account: ExportAccount,
    target: ExportTarget,
    conversions: ClearedConversion[],
    now: Date,
  ): ExportPreview
  /** Where the platform shows later what became of a request. */
  readStatus?: (session: Session, target: ExportTarget, requestId: string) => Promise<ExportStatus>
}

export type Audiences = {
  /** A person who has not accepted the platform's terms for customer lists: `ProviderError` with reason `terms_not_accepted`. */
  create(session: Session, list: { name: string; description: string | null }): Promise<{ id: string }>
  upload(session: Session, listId: string, batch: CustomerListBatch): Promise<CustomerListReply>
  remove(session: Session, listId: string, batch: CustomerListBatch): Promise<CustomerListReply>
}

export type Datasets = {
  list(session: Session): Promise<Dataset[]>
  create(session: Session, name: string): Promise<Dataset>
  /** Ad sets that are being delivered and optimise for the dataset. */
  listLiveAdSets(session: Session, datasetId: string): Promise<LiveAdSet[]>
  /** A delivered ad set keeps its dataset for life: each is copied onto the new dataset, the copy goes live, the old one pauses. */
  swapAdSets(session: Session, adSetIds: string[], datasetId: string): Promise<SwappedAdSet[]>
  listPixels(session: Session): Promise<Pixel[]>
}
