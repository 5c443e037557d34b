/**
 * Disk of a mix with late events: sends batches and prints the bytes an event takes in all tables and in the record of
 * changes of closed days, as written and once summed by day; then those of spend that a platform restates.
 *
 *   node bench/late-events.ts [percent late] [events] [events per batch]
 */

import { thinDay } from '@whence/server/features/facts/restatements/thin-queries.ts'
import { DAY_MS } from '@whence/server/platform/contract/dates.ts'
import { inTransaction } from '@whence/server/platform/db/database.ts'
import { openWorld } from './world.ts'

const [percentLate = 20, events = 12_000, perBatch = 100] = process.argv.slice(2).map(Number)
const DAYS = 60
const ADS = 200
/** Of four events: three visits and a payment. */
const STEPS = 4

const world = await openWorld({ INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' })
const sizes = async () => {
  const { rows } = await world.pool.query<{ name: string; bytes: string }>(
    `select coalesce(p.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::bigint as bytes
     from pg_class c left join pg_inherits p on p.inhrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
const before = await sizes()

async function post(path: string, body: unknown): Promise<void> {
  const reply = await fetch(`${world.baseUrl}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (reply.status >= 300) throw new Error(`${reply.status} ${await reply.text()}`)
}

function makeEvent(number: number) {
  const [person, step] = [Math.floor(number / STEPS), number % STEPS]
  const isLate = (person * 37) % 100 < percentLate
  const daysAgo = isLate ? 3 + ((person * 7) % DAYS) : 0
  const isPayment = step === STEPS - 1
  return {
    event_name: isPayment ? 'payment_received' : 'visit',
    timestamp: new Date(Date.now() - daysAgo * DAY_MS - (STEPS - step) * 60_000).toISOString(),
    idempotency_key: `late-${number}`,
    anonymous_id: `person-${person}`,
    ...(isPayment
      ? { properties: { value: 20 + (person % 80) }, user_traits: { email: `p${person}@example.com` } }
      : {
          ad: {
            ad_id: `ad-${(person * 31 + step * 17) % ADS}`,
            ad_set_id: `set-${person % 20}`,
            campaign_id: `c-${person % 5}`,
          },
        }),
  }
}

for (let sent = 0; sent < events; sent += perBatch) {
  const batch = Array.from({ length: Math.min(perBatch, events - sent) }, (_, at) => makeEvent(sent + at))
  await post('events/batch', { events: batch })
  if (sent % 1000 === 0) await world.service.processor.settled(world.profileId)
}
await world.service.processor.settled(world.profileId)

const rowsStored = async () =>
  (await world.pool.query<{ rows: number }>('select count(*)::int as rows from restatements')).rows[0]!.rows

async function print(title: string): Promise<void> {
  const after = await sizes()
  const grown = [...after].map(([name, bytes]) => ({
    name,
    bytes: (bytes - (before.get(name) ?? 0)) / events,
  }))
  const all = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  const record = grown.find(({ name }) => name === 'restatements')!.bytes
  console.log(
    `${title}: ${(all / 1000).toFixed(2)} kB an event in all tables, restatements ${record.toFixed(0)} bytes ` +
      `(${((100 * record) / all).toFixed(1)} %), ${await rowsStored()} rows`,
  )
}

async function sumByDay(): Promise<void> {
  const [start, end] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)]
  await inTransaction(world.service.db, (tx) => thinDay(tx, { profileId: world.profileId, start, end }))
  await world.run('vacuum full restatements')
}

await world.run('vacuum full restatements')
await print(`${percentLate} % late, batches of ${perBatch}`)
await sumByDay()
await print('summed by day')

/** Every ad's spend of some closed days, reported a second time with another amount. */
const SPEND_DAYS = 10
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
for (const amount of [10, 11]) {
  const stored = (await sizes()).get('restatements')!
  for (let day = 0; day < SPEND_DAYS; day++)
    await post('imports/spend', {
      rows: Array.from({ length: ADS }, (_, ad) => ({
        source: 'radio',
        level: 'ad',
        ad_id: `ad-${ad}`,
        date: dayAgo(day + 5),
        spend: `${amount + ad}.50`,
        impressions: 1000 + ad,
        clicks: 10,
      })),
    })
  await world.run('vacuum full restatements')
  const bytes = ((await sizes()).get('restatements')! - stored) / (ADS * SPEND_DAYS)
  console.log(
    `${amount === 10 ? 'first' : 'changed'} spend of an ad and day: ${bytes.toFixed(0)} bytes of restatements`,
  )
}
await world.close()
