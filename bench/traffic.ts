/** What the benchmarks send: outcomes that a server reports, and visits that the tracker sees. */
import { randomUUID } from 'node:crypto'
import { seededRandom } from '@whence/server/platform/seeded-random.ts'
import { makeWirePage } from '../server/test/wire-page.ts'

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
