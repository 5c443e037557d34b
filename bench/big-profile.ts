/**
 * Fills a profile by COPY from a fixed seed: customers with one conversion and six touches each. Rows are in order of
 * receipt, as the service would store them: conversions with ids that begin with their time, touches by time.
 */

import {
  recomputeAll,
  type Timings,
} from '@whence/server/features/attribution/crediting/full/recompute-all.ts'
import { refreshReach } from '@whence/server/features/attribution/crediting/reach/refresh.ts'
import { loadAttributionProfile } from '@whence/server/features/attribution/crediting/settings.ts'
import { entityId } from '@whence/server/features/facts/ads/entities.ts'
import { type Connection, withConnection } from '@whence/server/platform/db/database.ts'
import { lockProfile } from '@whence/server/platform/db/profile-lock.ts'
import { withoutIndexes } from './indexes.ts'
import { AD_DAYS, ADS, DAYS, makePeople } from './people.ts'
import { writeConversions, writeIdentifiers, writeTouches } from './people-rows.ts'
import type { World } from './world.ts'

const REACHED_AT_ONCE = 10_000
const FIRST_DAY = '2026-01-01'
const startOf = (ad: string) => `floor(${ad} * ${DAYS - AD_DAYS}.0 / ${ADS})::int`
/** Ids of the ads, derived from the platform's ids as the service does. */
const ads = (profileId: string) => Array.from({ length: ADS }, (_, ad) => entityId(profileId, 'ad', `a${ad}`))

export async function fillProfile(world: World, conversions: number): Promise<void> {
  const { profileId } = world
  await withConnection(world.service.db, async (tx, client) => {
    await client.query('set local statement_timeout = 0')
    // COPY into tables that were truncated in the same transaction writes no log.
    await client.query(`truncate ${FILLED.join(', ')}`)
    await withoutIndexes(client, FILLED, async () => {
      const people = makePeople(conversions, Date.parse(FIRST_DAY))
      await writeIdentifiers(client, profileId, people)
      await writeConversions(client, profileId, people)
      await writeTouches({ tx, client }, profileId, people)
    })
    await fillDelivery(client, profileId)
  })
  await vacuumAndAnalyze(world)
}

async function fillDelivery(client: Connection['client'], profileId: string): Promise<void> {
  const numberedAds = `(select id, (row_number() over ())::int - 1 as ad from unnest($2::uuid[]) id)`
  const withAds = [profileId, ads(profileId)]
  await client.query(
    `insert into ad_entities (profile_id, id, level, external_id, source, name, updated_at)
     select $1, id, 'ad', 'a' || ad, 'social_ads', 'Ad ' || ad, now() from ${numberedAds} a on conflict do nothing`,
    withAds,
  )
  await client.query(
    `insert into delivery_daily (profile_id, level, day, entity_id, source, spend_minor, impressions, clicks, fx_missing)
     select $1, 'ad', date '${FIRST_DAY}' + d, a.id, 'social_ads', 100 + a.ad, 1000, 10, 0
     from ${numberedAds} a cross join lateral generate_series(${startOf('a.ad')}, ${startOf('a.ad')} + ${AD_DAYS} - 1) d
     on conflict do nothing`,
    withAds,
  )
  await client.query(
    `insert into delivery_spans (profile_id, level, span, start, entity_id, source, spend_minor, impressions, clicks, fx_missing)
     select profile_id, level, s.span, date '1970-01-01' + ((day - date '1970-01-01') / s.span) * s.span, entity_id, source,
       sum(spend_minor), sum(impressions), sum(clicks), 0
     from delivery_daily cross join (values (5), (25)) as s(span) where profile_id = $1 group by 1, 2, 3, 4, 5, 6
     on conflict do nothing`,
    [profileId],
  )
}

const FILLED = ['touches', 'conversions', 'identifiers']

/** Does now what autovacuum would do within a minute or two. */
export async function vacuumAndAnalyze(world: World): Promise<void> {
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

/** Deletes all credit, as before the first recompute. */
export async function deleteCredit(world: World): Promise<void> {
  await world.run(
    'truncate credits, credit_daily, credit_spans, held_daily, platform_daily, conversion_daily, uncredited_daily, ad_paths',
  )
}

export async function recompute(world: World): Promise<{ seconds: number; timings: Timings }> {
  const begin = performance.now()
  const { timings } = await withConnection(world.service.db, async (tx, client) => {
    await lockProfile(tx, world.profileId)
    const profile = await loadAttributionProfile(tx, world.profileId)
    return recomputeAll(world.service.db, { tx, client }, profile, new Date(), {
      cause: 'repair',
      fact: null,
    })
  })
  return { seconds: (performance.now() - begin) / 1000, timings }
}

/** Computes the people reached of all identifiers with the service's code; returns the seconds. */
export async function computePeopleReached(world: World): Promise<number> {
  const begin = performance.now()
  const { rows } = await world.pool.query<{ id: string }>(
    'select id from identifiers where profile_id = $1',
    [world.profileId],
  )
  const profile = await withConnection(world.service.db, (tx) => loadAttributionProfile(tx, world.profileId))
  for (let from = 0; from < rows.length; from += REACHED_AT_ONCE)
    await withConnection(world.service.db, async (tx) => {
      await lockProfile(tx, world.profileId)
      const ids = rows.slice(from, from + REACHED_AT_ONCE).map((row) => row.id)
      await refreshReach(tx, profile, ids)
    })
  return (performance.now() - begin) / 1000
}
