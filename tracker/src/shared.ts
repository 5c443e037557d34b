import type { Outbox } from './outbox.ts'
import type { Consent, EventType, Navigation, Properties, Traits } from './wire.ts'

/** The tracker as the parts of the script see it, the second script included (`whence.tracker`). */
export type Tracker = {
  config: Config
  /** Whether Global Privacy Control refuses ads; the second script lifts it where the profile allows. */
  gpc: boolean
  /** What banners state about ads: `ad_user_data,ad_personalization`; empty: what is remembered. */
  ads: string
  /** Sent with events: what stated the consent, and marks. */
  signals?: string[]
  /** The newest `whence('consent', …)` of the page. */
  chosen?: [Consent, unknown] | undefined
  /** Until the second script has run: events wait. */
  isWaiting: boolean
  listeners: ((state: SignalState) => void)[]
  isLoading?: boolean
  read(name: string): string | undefined
  write(name: string, value: string): void
  erase(name: string): void
  siteHost(): string
  /** Applies a consent and ends the wait; without one, that of the tag. */
  start(value?: Consent, isChosen?: boolean): void
  /** Runs the second script, once. */
  load(): void
  /** Called after `whence('consent', …)` and `whence('signals', …)`. */
  changed?(): void
  /** Whether an event is excluded from measurement. */
  skips?(draft: Draft): boolean
  /** The visitor's id; empty without consent and before the first event of a new visitor. */
  visitorId(): string
  /** Requests a token for this visit, or the visit of a token; empty if there is none. */
  askVisit(visit?: string): Promise<string>
  /** Continues the visit of another domain of the business, or this browser's own visit if there was no response. */
  settle(visitor?: string): void
  outbox: Outbox
  record(
    type: EventType,
    name: string,
    properties?: unknown,
    traits?: Traits,
    details?: { navigation?: Navigation; referrer?: string },
  ): void
  /** The page states a consent; `ads`: consent to ad measurement, if omitted the previous choice remains. */
  choose(value: Consent, ads?: unknown): void
  startConsent(): void
  /** Runs when a visitor grants consent after denying it: the current page is not recorded yet. */
  whenRegained(action: () => void): void
  /** Calls back with the visitor's id: immediately if known, and on every change; empty after consent is withdrawn. */
  whenVisitor(listener: (id: string) => void): void
  reset(): void
}

/** What `whence('signals', fn)` passes to the function. */
export type SignalState = {
  gpc: boolean
  statistics: Consent
  ad_user_data: Consent | 'unspecified'
  ad_personalization: Consent | 'unspecified'
  source: string
}

export type Config = {
  key: string
  origin: string
  canonical: string
  consent: Consent
  sessionMinutes: number
  forms: string
  spa: string
  checkout: string
  domains: string
  /** Attributes of the tag, or options of `init`. */
  values: Record<string, unknown>
}

/** An event before it is assigned to a visitor, which happens once consent allows storage. */
export type Draft = {
  id: string
  at: number
  type: EventType
  name: string
  url: string
  title: string
  referrer: string
  navigation?: Navigation
  properties: Properties
  traits: Traits
  linkToken: string
}
