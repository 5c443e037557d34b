/** What the benchmarks send: outcomes that a server reports, and visits that the tracker sees. */
import { randomUUID } from 'node:crypto'
import { seededRandom } from '@whence/server/platform/seeded-random.ts'
import { makeWirePage } from '../server/test/wire-page.ts'

type WirePage = ReturnType<typeof makeWirePage>

/** What a later version of an event says otherwise: a word that no credit depends on, or money and ad. */
export type Change = 'word' | 'credit'

/** One in ten brings money (in the profile's currency), the rest are leads of people seen before or not. */
export function makeEvent(
  key: string,
  { next = Math.random, change = undefined as Change | undefined } = {},
) {
  const person = Math.floor(next() * 200_000)
  const pays = next() < 0.1
  const value = Math.floor(next() * 50_000) / 100
  const isOther = change === 'credit'
  return {
    event_name: pays ? 'payment_received' : 'lead_created',
    idempotency_key: key,
    anonymous_id: `visitor-${person}`,
    properties: {
      ...(pays ? { value: isOther ? Math.round(100 * value + 100) / 100 : value } : {}),
      ...(change === 'word' ? { note: 'changed' } : {}),
    },
    user_traits: pays ? { email: `person${person}@example.com` } : {},
    ad: next() < 0.5 || isOther ? { ad_id: `ad-${(person + (isOther ? 1 : 0)) % 300}` } : {},
  }
}

export function makeVisit({
  next = Math.random,
  id = randomUUID as () => string,
  at = new Date().toISOString(),
  change = undefined as Change | undefined,
} = {}) {
  const ad = Math.floor(next() * 300)
  return makeWirePage({
    event_id: id(),
    anonymous_id: id(),
    session_id: id(),
    occurred_at: at,
    // A retry is sent now: the collector corrects the browser's clock by it.
    sent_at: new Date().toISOString(),
    url: 'https://shop.example/landing?gclid=abc',
    title: change === 'word' ? 'Landing, changed' : 'Landing',
    utm: { source: 'engine', medium: 'cpc' },
    click_ids: { gclid: 'abc' },
    ad: { ad_id: `ad-${(ad + (change === 'credit' ? 1 : 0)) % 300}` },
  })
}

/** Events that can be made again: the same place in the same series is the same event. */
export type Series = { name: string; at: string; change?: Change }

export function eventOf({ name, change }: Series, place: number) {
  const { next } = seededRandom(name, place)
  return makeEvent(`${name}-${place}`, { next, change })
}

export function visitOf({ name, at, change }: Series, place: number) {
  const { next } = seededRandom(name, place)
  const digits = () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  const id = () =>
    `${digits()}-${digits().slice(4)}-4${digits().slice(5)}-8${digits().slice(5)}-${digits()}${digits().slice(4)}`
  return makeVisit({ next, id, at, change })
}

/** Visits, leads and orders as the tracker sends them: every second event of a new visitor, the others of the last 2,000. */
export function makeVisits(timed: boolean): () => WirePage {
  const id = () => (timed ? timedId(Date.now()) : randomUUID())
  const visitors: string[] = []
  return () => {
    const isNew = visitors.length === 0 || Math.random() < 0.5
    const anonymousId = isNew ? id() : visitors[Math.floor(Math.random() * visitors.length)]!
    if (isNew && visitors.push(anonymousId) > 2000) visitors.shift()
    const visit = { ...makeVisit({ id }), anonymous_id: anonymousId }
    const kind = Math.random()
    if (kind < 0.8) return visit
    if (kind < 0.9) return { ...visit, type: 'track', event_name: 'lead_created' }
    const value = Math.floor(Math.random() * 50_000) / 100
    return { ...visit, type: 'purchase', event_name: 'order_placed', properties: { value, order_id: id() } }
  }
}

/** As `makeId` of the tracker. */
export function timedId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-8ada-a${randomUUID().slice(20)}`
}
