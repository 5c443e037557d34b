/** What a sync and a webhook give: plain records, the same from every provider. */
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

/** An entity of which only this much is known; one without a name is shown by its id. */
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
  /** When the appointment begins that was booked; a calendar may report the same one. ISO 8601 UTC. */
  startsAt?: string
}

export type PersonRecord = {
  /** The provider's own opaque id of the person. */
  contactId: string | null
  email: string | null
  /** As the provider has it. A number without a country code is read in `country`, or else in the profile's. */
  phone: string | null
  /** ISO 3166 code of the person's address. */
  country?: string | null
  firstName: string | null
  lastName: string | null
  /** Where the provider has one; hashed before an ad platform receives it. */
  address?: { city: string | null; region: string | null; postalCode: string | null }
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
  /** Where the provider names it and not the campaign. */
  adSetId?: string | null
  campaignId: string | null
  occurredAt: string
  fieldData: { name: string; values: string[] }[]
}

/** Which ad a click was of, as the platform resolves its click id (`externalId`). */
export type AdClickRecord = {
  type: 'ad_click'
  externalId: string
  clickIdKind: 'gclid' | 'msclkid'
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
  /** When the record that reported it happened (the order). */
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
  /** `referral`: came back to a thread by an ad or a link, and wrote nothing. `reply`: the business wrote to the person. */
  kind: 'message' | 'postback' | 'referral' | 'reply'
  occurredAt: string
  phone: string | null
  name: string | null
  /** What brought the person: an ad, a post, a link. */
  referral: { source: string; adId: string | null; clickId: string | null } | null
  /** Of the chat app: which of the account's numbers was written to. */
  numberId?: string | null
}

/** What became of a message that the business sent. */
export type MessageStatusRecord = {
  type: 'message_status'
  channel: MessageRecord['channel']
  accountId: string
  externalId: string
  /** Our own id, where the platform repeats it. */
  reference: string | null
  status: 'sent' | 'delivered' | 'failed'
  /** The platform's code of the failure. */
  code: string | null
  occurredAt: string
}

export type ContactRecord = { type: 'contact'; externalId: string; updatedAt: string; person: PersonRecord }

/** The status that a store gives an order; a sale and its money are records of their own. */
export type OrderStatusRecord = {
  type: 'order_status'
  externalId: string
  status: string
  placedAt: string
  /** When the order last changed. */
  occurredAt: string
}

/** A product of a store that was added, changed or removed. */
export type ProductChangeRecord = {
  type: 'product_change'
  externalId: string
  change: 'created' | 'updated' | 'deleted'
  /** Null where the provider gives no time: when it was reported counts. */
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
  /** What the provider said next to the fields we know, kept as it came. */
  aside?: Record<string, unknown>
}

/** A record that could not be read. Its content is not kept: it may name a person. */
export type SetAside = {
  kind: string
  externalId: string
  reason: string
  /** The list or report that it was in, where reading that again ends the notice. */
  list?: string
  /** Of a row of a report. */
  day?: string
}

export type ListRead = { list: string; since?: string; until?: string }

/** One step of a sync. `cursor` resumes after this page; null means the sync is complete. */
export type SyncPage = {
  records: SyncRecord[]
  /** What the page held and could not be read. */
  setAside?: SetAside[]
  /** Ids of what earlier syncs set aside and is right now, where no record shows it: a permission, a setting. */
  cleared?: string[]
  /** Kinds of notices that this page names completely, so that earlier ones of the kind end. */
  clearedKinds?: string[]
  /** The list that this page is the first of: what earlier syncs set aside of it, or of these days of it, ends. */
  rereads?: ListRead
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
  /** By calendar: what reads only the changes since the last sync. */
  syncTokens?: Readonly<Record<string, string>>
}
