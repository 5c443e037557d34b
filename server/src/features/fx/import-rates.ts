/** Takes reference rates in and converts what had waited for them. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { convertMissing } from './missing.ts'
import { BASE, type ReferenceRate } from './reference-rates.ts'

const ROWS_AT_ONCE = 5000

/** Returns how many rates are new or differ. A profile's facts are converted in a transaction of their own. */
export async function importRates(db: Db, rates: readonly ReferenceRate[], now: Date): Promise<number> {
  let changed = 0
  for (let start = 0; start < rates.length; start += ROWS_AT_ONCE)
    changed += await saveRates(db, rates.slice(start, start + ROWS_AT_ONCE))
  if (changed === 0) return 0
  for (const profileId of await profilesWithMissing(db))
    await db.transaction().execute((tx) => convertMissing(tx, profileId, now))
  return changed
}

async function saveRates(db: Db | Tx, rates: readonly ReferenceRate[]): Promise<number> {
  const rows = [...new Map(rates.map((rate) => [`${rate.day} ${rate.currency}`, rate])).values()]
  const saved = await sql`
    insert into fx_rates as r (day, base, currency, rate)
    select v.day, ${BASE}::text, v.currency, v.rate from unnest(${rows.map((rate) => rate.day)}::date[],
      ${rows.map((rate) => rate.currency)}::text[], ${rows.map((rate) => rate.rate)}::numeric[]) as v(day, currency, rate)
    on conflict (day, base, currency) do update set rate = excluded.rate where r.rate <> excluded.rate
    returning day`.execute(db)
  return saved.rows.length
}

async function profilesWithMissing(db: Db): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select profile_id from conversions where value_minor is not null and report_value_minor is null
    union
    select profile_id from refunds where report_amount_minor is null
    union
    select profile_id from ad_delivery
    where report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null)`.execute(
    db,
  )
  return rows.map((row) => row.profile_id)
}
