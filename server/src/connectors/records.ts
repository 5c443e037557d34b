/** Records that syncs and webhooks produce, in one form for all providers. */
import type { AdDetailRecord } from './ad-details.ts'
import type { CalendarListRecord, CalendarReadRecord, MeetingRecord } from './calendars.ts'
import type { Money } from './session.ts'

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

/** An entity with empty optional fields. Without a name it is shown by its id. */
export const newAdEntity = (
  level: AdEntityRecord['level'],
  externalId: string,
  currency: string,
  name?: string | null,
): AdEntityRecord => ({
  type: 'ad_entity',
  level,
  externalId,
  campaignExternalId: null,
  adSetExternalId: null,
  name: name ?? externalId,
  status: null,
  objective: null,
  dailyBudgetMinor: null,
  lifetimeBudgetMinor: null,
  currency,
  creative: null,
})

export type DeliveryRecord = {
  type: 'delivery'
  level: 'campaign' | 'ad_set' | 'ad'
  externalId: string
  /** Day in the ad account's time zone, YYYY-MM-DD. */
  day: string
  spendMinor: number
  currency: string
  impressions: number | null
  clicks: number | null
  reach: number | null
  /** In thousandths, because platform counts may be fractional (data-driven attribution). */
  platformConversionsMilli: number | null
  platformConversionValueMinor: number | null
  messagingConversationsStarted7d: number | null
  /** Attributes from the report, for entities that the structure no longer lists. */
  entity?: {
    name: string | null
    campaignExternalId: string | null
    adSetExternalId: string | null
    /** Deleted at the platform, but still in its reports. */
    isDeleted?: true
  }
}

/** Something that happened to a person in a CRM; becomes an outcome event. */
export type OutcomeRecord = {
  type: 'outcome'
  /** The provider's id of the outcome, stable across syncs and webhooks. */
  externalId: string
  outcomeType: string
  /** ISO 8601 UTC. */
  occurredAt: string
  value: Money | null
  person: PersonRecord
  /** Set if an opportunity entered a stage; the profile's stage mapping then decides the outcome. */
  stageId: string | null
  /** The outcome is no longer valid at the provider (deleted, moved back). */
  retracted: boolean
  /** Start of the booked appointment, to match it with a calendar's record of it. ISO 8601 UTC. */
  startsAt?: string
}

export type PersonRecord = {
  /** The provider's opaque id of the person. */
  contactId: string | null
  email: string | null
  /** As stored at the provider. A number without a country code is parsed with `country`, or else the profile's country. */
  phone: string | null
  /** ISO 3166 code of the person's address. */
  country?: string | null
  firstName: string | null
  lastName: string | null
  /** Hashed before it is sent to an ad platform. */
  address?: { city: string | null; region: string | null; postalCode: string | null }
  externalId: string | null
  anonymousId: string | null
  /** Click ids and ad ids that the provider stored with the person (first-touch attribution of the CRM, order attributes). */
  clickIds: Record<string, string>
  ad: { adId: string | null; adSetId: string | null; campaignId: string | null }
  /** UTM parameters of the landing link (source, medium, campaign, content, term); absent if it had none. */
  utm?: Record<string, string>
  /** Time of the visit with the click, or else the earliest time that the provider reports. ISO 8601 UTC. */
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

/** Money returned: one record per refund or lost dispute, keyed by its own id. */
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
  /** Set if the provider reports the ad set instead of the campaign. */
  adSetId?: string | null
  campaignId: string | null
  occurredAt: string
  fieldData: { name: string; values: string[] }[]
}

/** The ad behind a click id (`externalId`), as resolved by the platform. */
export type AdClickRecord = {
  type: 'ad_click'
  externalId: string
  clickIdKind: 'gclid' | 'msclkid'
  /** Day in the ad account's time zone, YYYY-MM-DD. */
  day: string
  campaignExternalId: string | null
  adSetExternalId: string | null
  adExternalId: string | null
}

/** A visit recorded by the provider, which the tracker may have missed; becomes a touch at the time of the visit. */
export type VisitRecord = {
  type: 'visit'
  /** The provider's id of the visit. */
  externalId: string
  occurredAt: string
  /** Time of the record that contains the visit (the order). */
  reportedAt: string
  landingPage: string | null
  referrer: string | null
  person: PersonRecord
}

/** A message between a person and the business, without its text. */
export type MessageRecord = {
  type: 'message'
  channel: 'chatapp' | 'photoapp' | 'pagechat'
  /** The provider's id of the message. */
  externalId: string
  /** The page, photo account or chat account of the conversation. */
  accountId: string
  /** The provider's id of the person, scoped to this account. */
  personId: string
  /** `referral`: the person reopened a thread through an ad or a link without writing. `reply`: sent by the business. */
  kind: 'message' | 'postback' | 'referral' | 'reply'
  occurredAt: string
  phone: string | null
  name: string | null
  /** The ad, post or link that opened the conversation. */
  referral: { source: string; adId: string | null; clickId: string | null } | null
  /** Chat app only: the account's number that received the message. */
  numberId?: string | null
  /** SHA-256, in hex, of the code in the message that a link of ours prefilled. */
  chatCode?: string | null
}

/** Delivery status of a message that the business sent. */
export type MessageStatusRecord = {
  type: 'message_status'
  channel: MessageRecord['channel']
  accountId: string
  externalId: string
  /** Our own id, if the platform returns it. */
  reference: string | null
  status: 'sent' | 'delivered' | 'failed'
  /** The platform's error code. */
  code: string | null
  occurredAt: string
}

export type ContactRecord = { type: 'contact'; externalId: string; updatedAt: string; person: PersonRecord }

/** Status of an order in a store. The sale and its payments are separate records. */
export type OrderStatusRecord = {
  type: 'order_status'
  externalId: string
  status: string
  placedAt: string
  /** When the order last changed. */
  occurredAt: string
}

/** A product that was added to a store, changed or removed. */
export type ProductChangeRecord = {
  type: 'product_change'
  externalId: string
  change: 'created' | 'updated' | 'deleted'
  /** Null if the provider reports no time; the time of receipt is used then. */
  changedAt: string | null
}

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
  | MessageStatusRecord
  | AdClickRecord
  | ContactRecord
  | VisitRecord
  | OrderStatusRecord
  | ProductChangeRecord
  | CalendarListRecord
  | CalendarReadRecord
  | MeetingRecord
) & {
  /** Fields of the provider that the schema does not name, stored unchanged. */
  aside?: Record<string, unknown>
}

/** A record that could not be parsed. Its content is not stored, because it may contain personal data. */
export type SetAside = {
  kind: string
  externalId: string
  reason: string
  /** The list or report that contained it, if reading that again clears the notice. */
  list?: string
  /** Day of a report row. */
  day?: string
}

/** What a connection may lack without being broken: its app, plan or consent does not cover it. */
export const abilities = [
  'leads',
  'form_submissions',
  'conversions',
  'ad_texts',
  'reservation_spend',
] as const
export type Ability = (typeof abilities)[number]

export type ListRead = { list: string; since?: string; until?: string }

/** One step of a sync. `cursor` resumes after this page; null means the sync is complete. */
export type SyncPage = {
  records: SyncRecord[]
  /** Items of the page that could not be parsed. */
  setAside?: SetAside[]
  /** Ids of earlier notices that are resolved but have no record that shows it: a permission, a setting. */
  cleared?: string[]
  /** Kinds whose current notices this page lists completely; earlier notices of these kinds are cleared. */
  clearedKinds?: string[]
  /** Set on the first page of a list: clears earlier notices of that list, or of these days of it. */
  rereads?: ListRead
  cursor: string | null
  progress: { done: number; total: number | null; unit: string }
}

export type SyncWindow = {
  /** First local day to read, YYYY-MM-DD. */
  sinceDay: string
  /** Last local day to read, YYYY-MM-DD. */
  untilDay: string
  /** Pages of the account whose leads are read, if the provider has lead forms. */
  pageIds?: readonly string[]
  /** Reads only leads: the page was subscribed after the account had been synced. */
  leadsOnly?: true
  /** Sync tokens by calendar id, which limit the read to changes since the last sync. */
  syncTokens?: Readonly<Record<string, string>>
}
