/** What the benchmarks send: outcomes that a server reports, and visits that the tracker sees. */
import { randomUUID } from 'node:crypto'
import { makeWirePage } from '../server/test/wire-page.ts'

/** One in ten brings money (in the profile's currency), the rest are leads of people seen before or not. */
export function makeEvent(key: string) {
  const person = Math.floor(Math.random() * 200_000)
  const pays = Math.random() < 0.1
  return {
    event_name: pays ? 'payment_received' : 'lead_created',
    idempotency_key: key,
    anonymous_id: `visitor-${person}`,
    properties: pays ? { value: Math.floor(Math.random() * 50_000) / 100 } : {},
    user_traits: pays ? { email: `person${person}@example.com` } : {},
    ad: Math.random() < 0.5 ? { ad_id: `ad-${person % 300}` } : {},
  }
}

export function makeVisit() {
  const now = new Date().toISOString()
  return makeWirePage({
    event_id: randomUUID(),
    anonymous_id: randomUUID(),
    session_id: randomUUID(),
    occurred_at: now,
    sent_at: now,
    url: 'https://shop.example/landing?gclid=abc',
    title: 'Landing',
    utm: { source: 'engine', medium: 'cpc' },
    click_ids: { gclid: 'abc' },
    ad: { ad_id: `ad-${Math.floor(Math.random() * 300)}` },
  })
}
