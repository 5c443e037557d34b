/** Events of the benchmarks: outcomes as a server sends them, and visits as the tracker sends them. */
import { randomUUID } from 'node:crypto'
import { seededRandom } from '@whence/server/platform/seeded-random.ts'
import { makeWirePage } from '../server/test/wire-page.ts'

type WirePage = ReturnType<typeof makeWirePage>

/** Difference of a later version of an event: a word that no credit depends on, or money and ad. */
export type Change = 'word' | 'credit'

/** One event in ten is a payment in the profile's currency, the others are leads; of 200,000 visitors. */
export function makeEvent(
  key: string,
  { random = Math.random, change = undefined as Change | undefined } = {},
) {
  const person = Math.floor(random() * 200_000)
  const isPayment = random() < 0.1
  const value = Math.floor(random() * 50_000) / 100
  const changesCredit = change === 'credit'
  return {
    event_name: isPayment ? 'payment_received' : 'lead_created',
    idempotency_key: key,
    anonymous_id: `visitor-${person}`,
    properties: {
      ...(isPayment ? { value: changesCredit ? Math.round(100 * value + 100) / 100 : value } : {}),
      ...(change === 'word' ? { note: 'changed' } : {}),
    },
    user_traits: isPayment ? { email: `person${person}@example.com` } : {},
    ad: random() < 0.5 || changesCredit ? { ad_id: `ad-${(person + (changesCredit ? 1 : 0)) % 300}` } : {},
  }
}

export function makeVisit({
  random = Math.random,
  id = randomUUID as () => string,
  at = new Date().toISOString(),
  change = undefined as Change | undefined,
} = {}) {
  const ad = Math.floor(random() * 300)
  return makeWirePage({
    event_id: id(),
    anonymous_id: id(),
    session_id: id(),
    occurred_at: at,
    // The current time also for resent visits, because the collector corrects the browser's clock by it.
    sent_at: new Date().toISOString(),
    url: 'https://shop.example/landing?gclid=abc',
    title: change === 'word' ? 'Landing, changed' : 'Landing',
    utm: { source: 'engine', medium: 'cpc' },
    click_ids: { gclid: 'abc' },
    ad: { ad_id: `ad-${(ad + (change === 'credit' ? 1 : 0)) % 300}` },
  })
}

/** Reproducible events: the same position in the same series is the same event. */
export type Series = { name: string; at: string; change?: Change }

export function makeSeriesEvent({ name, change }: Series, position: number) {
  const { next: random } = seededRandom(name, position)
  return makeEvent(`${name}-${position}`, { random, change })
}

export function makeSeriesVisit({ name, at, change }: Series, position: number) {
  const { next: random } = seededRandom(name, position)
  const digits = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  const id = () =>
    `${digits()}-${digits().slice(4)}-4${digits().slice(5)}-8${digits().slice(5)}-${digits()}${digits().slice(4)}`
  return makeVisit({ random, id, at, change })
}

/** Visits, leads and orders as the tracker sends them: half of a new visitor, the others of the last 2,000 visitors. */
export function makeVisits(hasTimedIds: boolean): () => WirePage {
  const id = () => (hasTimedIds ? timedId(Date.now()) : randomUUID())
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

/** Same as `makeId` of the tracker. */
export function timedId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-8ada-a${randomUUID().slice(20)}`
}
