/** The stored form of an event: normalised once on ingest, so that later steps only read it. */
import type { IdentifierKind } from '@whence/engine'

export type StoredTouch = {
  channel: string
  origin: 'web' | 'partner_ad_referral' | 'conversation_referral' | 'other'
  is_direct: boolean
  platform: string | null
  campaign_id: string | null
  ad_set_id: string | null
  ad_id: string | null
  click_id_kind: string | null
  click_id: string | null
  utm_source: string | null
  utm_medium: string | null
  utm_campaign: string | null
  referrer_host: string | null
  landing_path: string | null
  /** Reported by a provider, not seen by the tracker. */
  reported?: true
  /** Time of the visit as reported by the provider; default: the event's time. */
  at?: string
}

/** Clears the fields of a touch that identify click, link and page. */
export const noTraces = {
  click_id: null,
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  referrer_host: null,
  landing_path: null,
} satisfies Partial<StoredTouch>

export type Traits = Partial<
  Record<
    | 'email'
    | 'phone'
    | 'country'
    | 'external_id'
    | 'first_name'
    | 'last_name'
    | 'city'
    | 'region'
    | 'postal_code',
    string
  >
>

export type EventBody = {
  /** Identifiers as keyed hashes; the plain values are only in `traits`. */
  identifiers: { kind: IdentifierKind; id: string }[]
  traits?: Traits
  /**
   * The identifiers were not sent together: the visitor opened a link with a token of the customer, or the person wrote
   * the code that the visitor's page had put into a message.
   */
  evidence?: 'link_token' | 'chat_code'
  /** Set after an erasure: id of the anonymous customer that replaces the person. */
  erased_as?: string
  /** The connection that the event comes from. */
  connection_id?: string
  /** The provider's id of the person. */
  contact_id?: string
  touch?: StoredTouch
  /** `reported`: the sender's amount, if it had more digits than the currency and was rounded. */
  money?: { minor: number; currency: string; reported?: string }
  subject_ref?: string
  /** What the browser or a banner stated with the event, such as `gpc`. */
  consent_signals?: string[]
  /** The first event of its session. */
  session_start?: true
  order_id?: string
  /** Keyed hash of the order id; kept after an erasure. */
  order_ref?: string
  /** Of a refund: the event of the payment, if it was sent with the order's id as its key. */
  refund_of?: string
  /** Payments of integrations: whether the money was received. */
  payment_status?: 'succeeded' | 'pending' | 'failed' | 'disputed'
  /** The source retracted the outcome. */
  retracted?: true
  /** The event was no outcome when retention reduced it; later goals do not count it. */
  settled?: true
  properties?: Record<string, unknown>
  page?: { url: string; referrer: string; title: string }
  device?: Record<string, string | null>
  utm?: Record<string, string>
  click_ids?: Record<string, string>
  ad?: Record<string, string>
}

export type EventSource = 'tracker' | 'api' | 'integration' | 'import'

export type NewEvent = {
  id: string
  /** Null: the time of the stored version if there is one, else the time of receipt. */
  occurredAt: Date | null
  receivedAt: Date
  source: EventSource
  provider: string | null
  externalId: string | null
  name: string
  anonymousId: string | null
  sessionId: string | null
  isBot: boolean
  /** Hash of the sent content, so that sending an equal event again changes nothing. */
  contentHash: Buffer
  body: EventBody
  /** The visitor's user agent; absent unless the event is exported. Stored in `event_agents`. */
  userAgent?: string
  /** The visitor's IP address if a server reports it; stored with the user agent. */
  ip?: string
  /** Cookies of the ad platforms' scripts; stored with the user agent. */
  cookies?: AdCookies
}

export type AdCookies = Partial<Record<'fbp' | 'fbc' | 'ttp', string>>

export type StoredEvent = Omit<NewEvent, 'occurredAt' | 'contentHash' | 'userAgent' | 'ip' | 'cookies'> & {
  occurredAt: Date
}
