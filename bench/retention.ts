/**
 * Cost of dropping old raw events and the disk space it frees. Fills one old month of a site with sessions of five pages,
 * of which 40 % begin with an ad, one in forty ends with a lead and one in eighty with a payment, then runs the job.
 *
 *   node bench/retention.ts [sessions=20000]
 */

import { jobs } from '@whence/server/app.ts'
import { ensureMonths } from '@whence/server/features/facts/events/partitions.ts'
import { uuidv5 } from '@whence/server/platform/secrets/uuid5.ts'
import { seededRandom } from '@whence/server/platform/seeded-random.ts'
import { runSchedule } from '../server/test/jobs.ts'
import { makeWirePage } from '../server/test/wire-page.ts'
import { startDatabaseClock } from './cpu.ts'
import { openWorld, type World } from './world.ts'

const NAMESPACE = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'
const sessions = Number(process.argv[2] ?? 20_000)
const PAGES = 5
const SESSIONS_AT_ONCE = 10
const DAY_MS = 86_400_000
const start = new Date(Date.now() - 500 * DAY_MS)
const month = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), 1))

function pagesOf(session: number) {
  const { next } = seededRandom('retention', session)
  const visitor = `visitor-${Math.floor(next() * sessions * 0.7)}`
  const at = month.getTime() + next() * 27 * DAY_MS
  const kind = next()
  const pages = Array.from({ length: PAGES }, (_, page) =>
    makeWirePage({
      event_id: uuidv5(NAMESPACE, `${session}-${page}`),
      anonymous_id: visitor,
      session_id: `session-${session}`,
      session_start: page === 0,
      occurred_at: new Date(at + page * 40_000).toISOString(),
      sent_at: new Date().toISOString(),
      url: `https://shop.example/collections/page-${Math.floor(next() * 500)}?variant=${session}`,
      referrer: page === 0 ? '' : 'https://shop.example/',
      title: 'A page of the shop',
      ...(page === 0 && kind < 0.4
        ? {
            utm: { source: 'engine', medium: 'cpc', campaign: 'spring' },
            click_ids: { gclid: `click-${session}` },
            ad: { ad_id: `ad-${session % 300}` },
          }
        : {}),
    }),
  )
  const end = {
    ...pages[PAGES - 1]!,
    event_id: uuidv5(NAMESPACE, `${session}-end`),
    user_traits: { email: `${visitor}@example.com` },
  }
  if (next() < 1 / 40) pages.push({ ...end, type: 'track', event_name: 'lead_created' })
  else if (next() < 1 / 80)
    pages.push({
      ...end,
      type: 'purchase',
      event_name: 'payment_received',
      properties: { value: 49.9, currency: 'EUR', order_id: `order-${session}` },
    })
  return pages
}

async function fill({ baseUrl, trackingKey }: World): Promise<number> {
  let sent = 0
  for (let from = 0; from < sessions; from += SESSIONS_AT_ONCE * 4)
    await Promise.all(
      [0, 1, 2, 3].map(async (part) => {
        const sessionIds = Array.from(
          { length: SESSIONS_AT_ONCE },
          (_, at) => from + part * SESSIONS_AT_ONCE + at,
        )
        const events = sessionIds.filter((session) => session < sessions).flatMap(pagesOf)
        for (let at = 0; at < events.length; at += 20) {
          const batch = events.slice(at, at + 20)
          const reply = await fetch(`${baseUrl}/api/tracking/collect`, {
            method: 'POST',
            headers: {
              'content-type': 'text/plain',
              'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
            },
            body: JSON.stringify({ key: trackingKey, events: batch }),
          })
          if (reply.status >= 300) throw new Error(await reply.text())
          sent += batch.length
        }
      }),
    )
  return sent
}

async function sizes({ pool }: World, events: number): Promise<string> {
  const { rows } = await pool.query<{ name: string; rows: number; bytes: number }>(`
    select 'events' as name, (select count(*) from events) as rows,
      sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits where inhparent = 'events'::regclass
    union all select 'event_keys', (select count(*) from event_keys), pg_total_relation_size('event_keys')
    union all select 'touches', (select count(*) from touches), pg_total_relation_size('touches')`)
  return rows
    .map(({ name, rows: count, bytes }) => `${name} ${count} rows ${(bytes / events).toFixed(0)} B an event`)
    .join(', ')
}

const world = await openWorld({ INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' })
try {
  await ensureMonths(world.service.db, [month])
  const events = await fill(world)
  await world.service.processor.settled(world.profileId)
  await world.pool.query('vacuum analyze')
  console.log(`${events} events: ${await sizes(world, events)}`)
  const clock = await startDatabaseClock(world.pool)
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  await runSchedule(world.service, jobs, 'events.drop_old')
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedMs) / 1000
  const spent = [(user + system) / events, ((await clock()) * 1e6) / events].map((each) => each.toFixed(1))
  console.log(`dropped in ${seconds.toFixed(1)} s, CPU an event ${spent.join(' + ')} µs (service + database)`)
  console.log(`left: ${await sizes(world, events)}`)
} finally {
  await world.close()
}
