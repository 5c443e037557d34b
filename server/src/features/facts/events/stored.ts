/** An event as it is kept: normalised once on the way in, so that every later step is a plain reading of it. */
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
  /** Named by a provider's record, not seen by the tracker. */
  reported?: true
  /** When the provider says that the visit was; absent where it does not say, and the touch is at the event's time. */
  at?: string
}

/** Of a touch that says nothing of the click, the link and the page by which it came. */
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
  /** The identifiers were not sent together: the visitor followed a link with a token of the customer. */
  evidence?: 'link_token'
  /** Set after an erasure: id of the anonymous customer that replaces the person. */
  erased_as?: string
  /** The connection that brought it. */
  connection_id?: string
  /** The provider's own id of the person. */
  contact_id?: string
  touch?: StoredTouch
  money?: { minor: number; currency: string }
  subject_ref?: string
  order_id?: string
  /** Keyed hash of the order's id: what is left of it when the person is erased. */
  order_ref?: string
  /** Payments of integrations: whether the money arrived. */
  payment_status?: 'succeeded' | 'pending' | 'failed' | 'disputed'
  /** The outcome no longer holds at its source. */
  retracted?: true
  /** It was no outcome when it became too old to be kept whole: a goal of later does not make it one. */
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
  /** Null keeps the time of the stored version, or takes the time of receipt. */
  occurredAt: Date | null
  receivedAt: Date
  source: EventSource
  provider: string | null
  externalId: string | null
  name: string
  anonymousId: string | null
  sessionId: string | null
  isBot: boolean
  /** Over what the sender said, so that an equal re-send changes nothing. */
  contentHash: Buffer
  body: EventBody
  /** The visitor's browser; absent where no ad platform is sent the event. Stored in `event_agents`. */
  userAgent?: string
  /** The visitor's address, where a server reports it; stored with the browser. */
  ip?: string
  /** Cookies of the ad platforms' scripts; stored with the browser. */
  cookies?: AdCookies
}

export type AdCookies = Partial<Record<'fbp' | 'fbc' | 'ttp', string>>

export type StoredEvent = Omit<NewEvent, 'occurredAt' | 'contentHash' | 'userAgent' | 'ip' | 'cookies'> & {
  occurredAt: Date
}
