/**
 * What a touch names and whether it was direct, as one id: a hash, so that nobody has to look a number up. The table
 * tells what an id stands for; it is kept beside the touches and made again from them where it is short.
 */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { BoundedCache } from '../../bounded-cache.ts'
import { booleans, texts, uuidList, uuids } from '../../db/bulk/columns.ts'
import type { Tx } from '../../db/database.ts'
import type { NamedAd } from './credits/paths.ts'

export type TouchSource = NamedAd & { is_direct: boolean }

const BETWEEN = '\x1f'
const NOTHING = '\x1e'
/** Ids by what they stand for, and those known to be stored: nothing is lost when they are forgotten. */
const MAX_REMEMBERED = 100_000
const ids = new BoundedCache<string, string>(MAX_REMEMBERED)
const stored = new BoundedCache<string, true>(MAX_REMEMBERED)

export function sourceIdOf(source: TouchSource): string {
  const text = [
    source.is_direct ? 'direct' : '',
    source.platform ?? NOTHING,
    source.campaign_external_id ?? NOTHING,
    source.ad_set_external_id ?? NOTHING,
    source.ad_external_id ?? NOTHING,
  ].join(BETWEEN)
  return ids.recall(text, () => {
    const hex = createHash('sha256').update(text).digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  })
}

/** Only what was found in place is remembered as stored: what this transaction adds may still be taken back. */
export async function saveSources(tx: Tx, profileId: string, sources: Iterable<TouchSource>): Promise<void> {
  const fresh = new Map<string, TouchSource>()
  for (const source of sources) {
    const id = sourceIdOf(source)
    if (!stored.has(`${profileId} ${id}`)) fresh.set(id, source)
  }
  if (fresh.size === 0) return
  const rows = [...fresh]
  const added = await sql<{ id: string }>`
    insert into touch_sources (profile_id, id, is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id)
    select ${profileId}::uuid, * from unnest(${uuids(rows, ([id]) => id)}::uuid[], ${booleans(rows, ([, source]) => source.is_direct)}::boolean[],
      ${texts(rows, ([, source]) => source.platform)}::text[], ${texts(rows, ([, source]) => source.campaign_external_id)}::text[],
      ${texts(rows, ([, source]) => source.ad_set_external_id)}::text[], ${texts(rows, ([, source]) => source.ad_external_id)}::text[])
    on conflict (profile_id, id) do nothing
    returning id`.execute(tx)
  for (const { id } of added.rows) fresh.delete(id)
  for (const id of fresh.keys()) stored.set(`${profileId} ${id}`, true)
}

/** What each of the ids stands for. */
export async function loadSources(
  tx: Tx,
  profileId: string,
  wanted: readonly string[],
): Promise<Map<string, TouchSource>> {
  const found = await readSources(tx, profileId, wanted)
  const missing = wanted.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const { rows } = await sql<TouchSource>`
    select distinct is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id from touches
    where profile_id = ${profileId} and source_id = any(${uuidList(missing)}::uuid[])`.execute(tx)
  for (const id of missing) stored.delete(`${profileId} ${id}`)
  await saveSources(tx, profileId, rows)
  for (const row of rows) found.set(sourceIdOf(row), row)
  return found
}

async function readSources(
  tx: Tx,
  profileId: string,
  wanted: readonly string[],
): Promise<Map<string, TouchSource>> {
  const { rows } = await sql<TouchSource & { id: string }>`
    select id, is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id from touch_sources
    where profile_id = ${profileId} and id = any(${uuidList(wanted)}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, ...source }) => [id, source]))
}
