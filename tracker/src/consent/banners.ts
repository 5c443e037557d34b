// What each kind of banner states, as pure functions. docs/guides/privacy.md describes the mapping.
import type { Consent } from '../wire.ts'
import { mayLieIn } from './regions.ts'

export const purposes = ['statistics', 'ad_user_data', 'ad_personalization'] as const
export type Purpose = (typeof purposes)[number]

/** A purpose that is missing is one that the banner states nothing about. */
export type Reading = Partial<Record<Purpose, Consent>>

const granted = (is: unknown): Consent => (is ? 'granted' : 'denied')

/** `gtag('consent', action, values)`, as found in `dataLayer`. */
export type ConsentCommand = { action: 'default' | 'update'; values: Record<string, unknown> }

/** The command of an entry of `dataLayer`; entries may be anything. */
export function toConsentCommand(entry: unknown): ConsentCommand | undefined {
  const [kind, action, values] = [0, 1, 2].map((index) => Object(entry)[index])
  if (kind !== 'consent' || (action !== 'default' && action !== 'update')) return
  return { action, values: { ...Object(values) } }
}

/** A default that denies is no choice of the visitor; an update makes every value one. */
export function readConsentMode(commands: readonly ConsentCommand[], timeZone: string): Reading | undefined {
  if (!commands.length) return
  const isUpdated = commands.some(({ action }) => action === 'update')
  const stateOf = (name: string): Consent | undefined => {
    const updated = commands
      .filter(({ action, values }) => action === 'update' && isState(values[name]))
      .map(({ values }) => values[name] as Consent)
      .pop()
    const value = updated || defaultOf(commands, name, timeZone)
    return value === 'denied' && !isUpdated ? 'pending' : value
  }
  const reading: Reading = { statistics: stateOf('analytics_storage') }
  reading.ad_user_data = strictest([stateOf('ad_user_data'), refusalIn(stateOf('ad_storage'))])
  reading.ad_personalization = stateOf('ad_personalization')
  return withoutGaps(reading)
}

const isState = (value: unknown) => value === 'granted' || value === 'denied'

/** Storage for ads is no consent to send data, but without it none may be sent. */
const refusalIn = (value: Consent | undefined) => (value === 'granted' ? undefined : value)

/** Of the most specific region; between equals the denial. */
function defaultOf(commands: readonly ConsentCommand[], name: string, timeZone: string): Consent | undefined {
  let best: { rank: number; value: Consent } | undefined
  for (const { action, values } of commands) {
    const value = values[name] as Consent
    if (action !== 'default' || !isState(value)) continue
    const regions: unknown[] = Array.isArray(values.region) ? values.region : []
    const ranks = regions
      .filter((code) => mayLieIn(String(code), timeZone, value === 'denied'))
      .map((code) => (String(code).includes('-') ? 2 : 1))
    if (regions.length && !ranks.length) continue
    const rank = Math.max(0, ...ranks)
    if (!best || rank > best.rank || (rank === best.rank && value === 'denied')) best = { rank, value }
  }
  return best?.value
}

/** The members of `TCData` that are read. Vendors are not: the site is the controller. */
export type TcData = {
  eventStatus?: unknown
  gdprApplies?: unknown
  purposeOneTreatment?: unknown
  purpose?: { consents?: Record<string, unknown> }
}

/** Undefined until the banner has answered. */
export function readTcf(data: TcData | undefined): Reading {
  if (data && data.gdprApplies === false) return {}
  const isChosen = data && (data.eventStatus === 'tcloaded' || data.eventStatus === 'useractioncomplete')
  if (!data || !isChosen || data.gdprApplies !== true) return allPending
  const consents = Object(Object(data.purpose).consents) as Record<string, unknown>
  const has = (...numbers: number[]) => numbers.every((number) => consents[number] === true)
  return {
    statistics: granted((has(1) || data.purposeOneTreatment === true) && (has(8) || has(9))),
    ad_user_data: granted(has(1, 7)),
    ad_personalization: granted(has(3, 4)),
  }
}

export type ShopifyPrivacy = {
  analyticsProcessingAllowed?(): boolean
  marketingAllowed?(): boolean
  saleOfDataAllowed?(): boolean
  currentVisitorConsent?(): Record<string, unknown>
}

/** Undefined: the interface is still loading. */
export function readShopify(privacy: ShopifyPrivacy | undefined): Reading {
  if (!privacy) return allPending
  const stated = Object(privacy.currentVisitorConsent?.()) as Record<string, unknown>
  const stateOf = (name: string, allowed: () => unknown): Consent => {
    const value = stated[name]
    return value === 'no' ? 'denied' : value === 'yes' || allowed() === true ? 'granted' : 'pending'
  }
  const marketing = stateOf('marketing', () => privacy.marketingAllowed?.())
  const sale = stateOf('sale_of_data', () => privacy.saleOfDataAllowed?.())
  const allowsStatistics = () => privacy.analyticsProcessingAllowed?.()
  return {
    statistics: stateOf('analytics', allowsStatistics),
    ad_user_data: strictest([marketing, sale])!,
    ad_personalization: marketing,
  }
}

/** `has`: `wp_has_consent`; `cookie`: the value of the category's cookie. */
export function readWp(
  has: (category: string) => unknown,
  cookie: (category: string) => string | undefined,
): Reading {
  const stateOf = (category: string): Consent =>
    has(category) === true ? 'granted' : cookie(category) === 'deny' ? 'denied' : 'pending'
  const marketing = stateOf('marketing')
  return { statistics: stateOf('statistics'), ad_user_data: marketing, ad_personalization: marketing }
}

export const allPending: Reading = {
  statistics: 'pending',
  ad_user_data: 'pending',
  ad_personalization: 'pending',
}

/** Denied before pending before granted; undefined if nothing is stated. */
export function strictest(states: readonly (Consent | undefined)[]): Consent | undefined {
  return (['denied', 'pending', 'granted'] as const).find((state) => states.includes(state))
}

function withoutGaps(reading: Reading): Reading {
  const result: Reading = {}
  for (const purpose of purposes) if (reading[purpose]) result[purpose] = reading[purpose]
  return result
}
