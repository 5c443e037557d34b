/** A closed-loop sender: as many requests under way as connections, for some seconds. Started by bench/ingest.ts. */
import { randomBytes, randomUUID } from 'node:crypto'
import { Pool } from 'undici'

type Load = {
  url: string
  headers: Record<string, string>
  kind: 'event' | 'collect' | 'batch' | 'bare'
  seconds: number
  connections: number
  key: string
}
const BATCH = 100

process.once('message', async (message) => {
  const load = message as Load
  const { origin, pathname } = new URL(load.url)
  const pool = new Pool(origin, { connections: load.connections, pipelining: 1 })
  const times: number[] = []
  let errors = 0
  const end = performance.now() + load.seconds * 1000
  const started = performance.now()
  const loop = async () => {
    while (performance.now() < end) {
      const begun = performance.now()
      const reply = await pool.request({
        path: pathname,
        method: 'POST',
        headers: load.headers,
        body: bodyOf(load),
      })
      await reply.body.dump()
      if (reply.statusCode !== 202) errors += 1
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: load.connections }, loop))
  const seconds = (performance.now() - started) / 1000
  await pool.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  const events = times.length * (load.kind === 'batch' ? BATCH : 1)
  process.send?.({
    requests: times.length,
    events,
    seconds,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    errors,
  })
  process.disconnect?.()
})

function bodyOf(load: Load): string {
  switch (load.kind) {
    case 'bare':
    case 'event':
      return JSON.stringify(event())
    case 'batch':
      return JSON.stringify({ events: Array.from({ length: BATCH }, event) })
    case 'collect':
      return JSON.stringify({ key: load.key, events: [visit()] })
  }
}

/** One in ten brings money, the rest are leads of people seen before or not. */
function event() {
  const person = Math.floor(Math.random() * 200_000)
  const pays = Math.random() < 0.1
  return {
    event_name: pays ? 'payment_received' : 'lead_created',
    idempotency_key: randomBytes(12).toString('hex'),
    anonymous_id: `visitor-${person}`,
    properties: pays ? { value: Math.floor(Math.random() * 50_000) / 100, currency: 'EUR' } : {},
    user_traits: pays ? { email: `person${person}@example.com` } : {},
    ad: Math.random() < 0.5 ? { ad_id: `ad-${person % 300}` } : {},
  }
}

function visit() {
  const now = new Date().toISOString()
  return {
    event_id: randomUUID(),
    type: 'page_view',
    event_name: 'page_view',
    occurred_at: now,
    sent_at: now,
    anonymous_id: randomUUID(),
    session_id: randomUUID(),
    session_start: true,
    url: 'https://shop.example/landing?gclid=abc',
    referrer: '',
    title: 'Landing',
    utm: { source: 'engine', medium: 'cpc' },
    click_ids: { gclid: 'abc' },
    ad: { ad_id: `ad-${Math.floor(Math.random() * 300)}` },
    properties: {},
    user_traits: {},
    consent: 'granted',
    screen: { w: 1280, h: 800 },
    language: 'en',
    tz: 'Europe/Madrid',
  }
}
