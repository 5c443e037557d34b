/** Fills a profile with customers of one conversion and six touches each, straight into the tables, by a fixed seed. */

import { type Connection, withConnection } from '@whence/server/db/database.ts'
import { refreshReach } from '@whence/server/features/ad-people/refresh.ts'
import { entityId } from '@whence/server/features/ads/entities.ts'
import { recomputeAll, type Timings } from '@whence/server/features/attribution/full/recompute-all.ts'
import { lockProfile } from '@whence/server/features/attribution/lock.ts'
import { loadAttributionProfile } from '@whence/server/features/attribution/settings.ts'
import type { World } from './world.ts'

const ADS = 500
const DAYS = 300
/** An ad runs for some weeks; they start one after another. */
const AD_DAYS = 60
const adAt = (day: string) => {
  const first = `greatest(0, ceil((${day} - ${AD_DAYS}) * ${ADS}.0 / ${DAYS - AD_DAYS}))`
  const last = `least(${ADS} - 1, floor(${day} * ${ADS}.0 / ${DAYS - AD_DAYS}))`
  return `(${first} + floor(random() * (${last} - ${first} + 1)))::int`
}
const startOf = (ad: string) => `floor(${ad} * ${DAYS - AD_DAYS}.0 / ${ADS})::int`
/** Ours, from the platform's, as the service makes them. */
const ads = (profileId: string) => Array.from({ length: ADS }, (_, ad) => entityId(profileId, 'ad', `a${ad}`))

export async function fillProfile(world: World, conversions: number): Promise<void> {
  await withConnection(world.service.db, async (_tx, client) => {
    const run = (text: string, values: unknown[] = [world.profileId]) => client.query(text, values)
    await run('set local statement_timeout = 0', [])
    await run('select setseed(0.42)', [])
    const putBack = await takeIndexes(client)
    const people = `md5('p' || n)::uuid`
    await run(
      `insert into identifiers (profile_id, id, kind, customer_id) select $1, ${people}, 5, ${people} from generate_series(1, ${conversions}) n`,
    )
    await run(`
      insert into conversions (profile_id, id, event_id, goal_id, identifier_id, occurred_at, recorded_at, day, outcome_type, revenue_type,
        attribution_eligible, value_minor, currency, report_value_minor)
      select $1, gen_random_uuid(), gen_random_uuid(), g.id, ${people}, t, t, t::date, g.outcome_type, g.revenue_type, true,
        case when g.revenue_type = 'cash' then v end, 'EUR', case when g.revenue_type = 'cash' then v end
      from (select n, timestamptz '2026-01-01' + random() * interval '${DAYS} days' as t, (100 + random() * 50000)::bigint as v from generate_series(1, ${conversions}) n) c
      join goals g on g.profile_id = $1 and g.conversion_key = case when n % 2 = 0 then 'payment_received' else 'lead_created' end`)
    await run(`
      insert into touches (profile_id, identifier_id, occurred_at, id, recorded_at, channel, origin, is_direct, campaign_external_id, ad_set_external_id, ad_external_id)
      select $1, c.identifier_id, c.occurred_at - t.age * interval '35 days', gen_random_uuid(), c.occurred_at, 'paid_social', 'web', t.ad < 0,
        case when t.ad >= 0 then 'c' || t.ad / 20 end, case when t.ad >= 0 then 's' || t.ad / 5 end, case when t.ad >= 0 then 'a' || t.ad end
      from conversions c
      cross join lateral (
        select age, case when random() < 0.25 then -1 else ${adAt('greatest(0, day)')} end as ad
        from (
          select age, extract(epoch from c.occurred_at - timestamptz '2026-01-01')::float8 / 86400 - age * 35 as day
          from (select random() as age from generate_series(1, 6) where c.id is not null) ages) days) t
      where c.profile_id = $1`)
    await putBack()
    const known = `(select id, (row_number() over ())::int - 1 as ad from unnest($2::uuid[]) id)`
    const withAds = [world.profileId, ads(world.profileId)]
    await run(
      `insert into ad_entities (profile_id, id, level, external_id, source, name, updated_at)
       select $1, id, 'ad', 'a' || ad, 'social_ads', 'Ad ' || ad, now() from ${known} a`,
      withAds,
    )
    await run(
      `insert into delivery_daily (profile_id, level, day, entity_id, source, spend_minor, impressions, clicks, fx_missing)
       select $1, 'ad', date '2026-01-01' + d, a.id, 'social_ads', 100 + a.ad, 1000, 10, 0
       from ${known} a cross join lateral generate_series(${startOf('a.ad')}, ${startOf('a.ad')} + ${AD_DAYS} - 1) d`,
      withAds,
    )
    await run(`
      insert into delivery_spans (profile_id, level, span, start, entity_id, source, spend_minor, impressions, clicks, fx_missing)
      select profile_id, level, s.span, date '1970-01-01' + ((day - date '1970-01-01') / s.span) * s.span, entity_id, source,
        sum(spend_minor), sum(impressions), sum(clicks), 0
      from delivery_daily cross join (values (5), (25)) as s(span) where profile_id = $1 group by 1, 2, 3, 4, 5, 6`)
  })
  await keepHouse(world)
}

const FILLED = ['touches', 'conversions', 'identifiers']

/**
 * Takes keys and indexes away and gives back what puts them there again: sorted once at the end, they cost a fraction
 * of what they cost row by row. Emptied in the same transaction, the tables need no log.
 */
async function takeIndexes(client: Connection['client']): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ tableName: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "tableName", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'p' and conrelid = any($1::regclass[])`,
    [FILLED],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = any($1) and indexname <> all($2)`,
    [FILLED, keys.map((key) => key.name)],
  )
  await client.query(`truncate ${FILLED.join(', ')}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const { tableName, name } of keys)
    await client.query(`alter table ${tableName} drop constraint ${name}`)
  return async () => {
    await client.query(`set local maintenance_work_mem = '512MB'`)
    for (const { tableName, name, definition } of keys)
      await client.query(`alter table ${tableName} add constraint ${name} ${definition}`)
    for (const { definition } of indexes) await client.query(definition)
  }
}

/** What the database does by itself within a minute or two. */
export async function keepHouse(world: World): Promise<void> {
  const client = await world.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
    await client.query('reset statement_timeout')
  } finally {
    client.release()
  }
}

export async function recompute(world: World): Promise<{ seconds: number; timings: Timings }> {
  const begin = performance.now()
  const { timings } = await withConnection(world.service.db, async (tx, client) => {
    await lockProfile(tx, world.profileId)
    const profile = await loadAttributionProfile(tx, world.profileId)
    return recomputeAll(world.service.db, { tx, client }, profile, new Date())
  })
  return { seconds: (performance.now() - begin) / 1000, timings }
}

/** Counts who was reached, through the service's own code; returns the seconds. */
export async function reachEveryone(world: World, customers: number): Promise<number> {
  const begin = performance.now()
  const at = 5000
  for (let from = 1; from <= customers; from += at)
    await withConnection(world.service.db, async (tx, client) => {
      await lockProfile(tx, world.profileId)
      const { rows } = await client.query<{ id: string }>(
        `select md5('p' || n)::uuid as id from generate_series($1::int, $2::int) n`,
        [from, Math.min(customers, from + at - 1)],
      )
      const profile = await loadAttributionProfile(tx, world.profileId)
      await refreshReach(
        tx,
        profile,
        rows.map((row) => row.id),
      )
    })
  return (performance.now() - begin) / 1000
}
