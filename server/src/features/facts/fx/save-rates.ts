/** Stores reference rates. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { BASE, type ReferenceRate } from './reference-rates.ts'

const ROWS_AT_ONCE = 5000

/** Returns the number of new or changed rates. */
export async function saveRates(db: Db, rates: readonly ReferenceRate[]): Promise<number> {
  let changed = 0
  for (let start = 0; start < rates.length; start += ROWS_AT_ONCE)
    changed += await savePart(db, rates.slice(start, start + ROWS_AT_ONCE))
  return changed
}

async function savePart(db: Db, rates: readonly ReferenceRate[]): Promise<number> {
  const rows = [...new Map(rates.map((rate) => [`${rate.day} ${rate.currency}`, rate])).values()]
  const saved = await sql`
    insert into fx_rates as r (day, base, currency, rate)
    select v.day, ${BASE}::text, v.currency, v.rate from unnest(${rows.map((rate) => rate.day)}::date[],
      ${rows.map((rate) => rate.currency)}::text[], ${rows.map((rate) => rate.rate)}::numeric[]) as v(day, currency, rate)
    on conflict (day, base, currency) do update set rate = excluded.rate where r.rate <> excluded.rate
    returning day`.execute(db)
  return saved.rows.length
}
