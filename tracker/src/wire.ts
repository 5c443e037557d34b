/** The wire format of the collector; docs/tracker.md describes it. */
export type EventType =
  | 'page_view'
  | 'identify'
  | 'track'
  | 'purchase'
  | 'form_lead'
  | 'outbound_click'
  | 'chat_click'

export type Consent = 'granted' | 'pending' | 'denied'

export type Utm = Partial<Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string>>

/** Equal to the server's `contract/click-ids.ts`, which a test verifies. */
export const CLICK_IDS = [
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'ttclid',
  'msclkid',
  'li_fat_id',
  'twclid',
  'rdt_cid',
  'ScCid',
  'epik',
] as const
export type ClickIds = Partial<Record<(typeof CLICK_IDS)[number], string>>

export type Ad = Partial<Record<'ad_id' | 'ad_set_id' | 'campaign_id', string>>

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

/** Cookies that the ad platforms' scripts set on the site, by the platform's field name. */
export type AdCookies = Partial<Record<'fbp' | 'fbc' | 'ttp', string>>

export type Properties = Record<string, unknown>

/** How the visitor came to a page. */
export type Arrival = { referrer: string; utm: Utm; click_ids: ClickIds; ad: Ad }

export type Touch = Arrival & { at: string; url: string }

export type Navigation = 'navigate' | 'reload' | 'back_forward' | 'bfcache' | 'spa' | 'manual'

export type WireEvent = Arrival & {
  event_id: string
  type: EventType
  event_name: string
  occurred_at: string
  anonymous_id: string
  session_id: string
  session_start: boolean
  url: string
  title: string
  properties: Properties
  user_traits: Traits
  cookies?: AdCookies
  signals?: string[]
  consent: 'granted'
  screen: { w: number; h: number }
  language: string
  tz: string
  /** Link token of the page, sent with its first event. */
  link_token?: string
  context: { navigation?: Navigation; first_touch?: Touch; latest_touch?: Touch; tracker: string }
}

export type SentEvent = WireEvent & { sent_at: string }

export type CollectBody = { key: string; events: SentEvent[] }

export const MAX_BATCH_EVENTS = 50
/** Below the 64 KiB that browsers allow for all keepalive requests and beacons in flight. */
export const MAX_BATCH_BYTES = 60_000
