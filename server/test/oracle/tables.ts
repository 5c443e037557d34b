/** Dumps a profile's derived tables in canonical text form, and deletes them. */
import { models } from '@whence/engine'
import { sql } from 'kysely'
import { shareOf, unpackCredit } from '../../src/features/attribution/crediting/credits/packed.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { tableKinds } from '../../src/platform/db/tables.ts'

/** Tables derived from the events, with the columns to omit, such as write times. */
const derived: Record<string, readonly string[]> = {
  identifiers: [],
  identity_links: [],
  identity_traits: [],
  erased_customers: [],
  touches: [],
  conversions: [],
  payments: [],
  refunds: ['recorded_at'],
  ad_delivery: ['updated_at'],
  delivery_daily: [],
  delivery_spans: [],
  credit_daily: [],
  credit_spans: [],
  conversion_daily: [],
  uncredited_daily: [],
  held_daily: [],
  platform_daily: [],
  paid_touch_daily: [],
  ad_people: [],
  reach_daily: [],
  reach_ads: [],
  reach_first: [],
}

export async function dumpTables(db: Db, profileId: string): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const [table, leftOut] of Object.entries(derived)) {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where profile_id = ${profileId}`.execute(db)
    dump[table] = rows.map((row) => lineOf(row, leftOut)).sort()
  }
  dump.credits = await dumpCredits(db, profileId)
  return dump
}

function lineOf(row: Record<string, unknown>, leftOut: readonly string[]): string {
  return JSON.stringify(
    Object.entries(row)
      .filter(([column]) => !leftOut.includes(column))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Path numbers depend on the order of arrival, so they are replaced by their paths. */
async function dumpCredits(db: Db, profileId: string): Promise<string[]> {
  const paths = await sql<{ number: number }>`
    select * from ad_paths where profile_id = ${profileId}`.execute(db)
  const pathOf = new Map(paths.rows.map(({ number, ...path }) => [number, JSON.stringify(path)]))
  const { rows } = await sql<{ packed: Buffer }>`
    select * from credits where profile_id = ${profileId}`.execute(db)
  return rows
    .map(({ packed, ...row }) => {
      const credit = unpackCredit(packed)
      const shares = models.map((_, model) =>
        shareOf(credit, model).map(({ path, ...share }) => ({ ...share, path: pathOf.get(path) })),
      )
      return JSON.stringify([row, { ...credit, touches: [] }, shares])
    })
    .sort()
}

const keptTables = ['goals', 'tracking_settings', 'attribution_settings']

/** Resets the profile to its initial state. */
export async function wipe(db: Db, profileId: string): Promise<void> {
  const wiped = Object.entries(tableKinds).filter(
    ([table, kind]) => kind === 'distributed' && !keptTables.includes(table),
  )
  // One statement, because it runs before each of many orders; foreign keys are checked at its end.
  const deletes = wiped.map(
    ([table]) =>
      sql`${sql.ref(`wiped_${table}`)} as (delete from ${sql.table(table)} where profile_id = ${profileId})`,
  )
  await sql`with ${sql.join(deletes)} select 1`.execute(db)
}

/** Empties the tables of credit, so that a full recompute has to write all of them. */
export async function dropCredits(db: Db, profileId: string): Promise<void> {
  for (const table of [
    'credits',
    'credit_daily',
    'credit_spans',
    'conversion_daily',
    'uncredited_daily',
    'held_daily',
    'platform_daily',
  ])
    await sql`delete from ${sql.table(table)} where profile_id = ${profileId}`.execute(db)
}
