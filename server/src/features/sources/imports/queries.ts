import { sql } from 'kysely'
import { toDecimalString } from '../../../platform/contract/money.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Spend of the sources over the days, by level and currency: `campaign EUR` → `12.30`. */
export async function sumSpend(
  tx: Tx,
  params: { profileId: string; sources: readonly string[]; from: string; to: string },
): Promise<Record<string, string>> {
  const { rows } = await sql<{ level: string; currency: string; spend_minor: number }>`
    select level, currency, sum(spend_minor)::bigint as spend_minor from ad_delivery
    where profile_id = ${params.profileId} and source = any(${[...params.sources]}::text[])
      and day between ${params.from}::date and ${params.to}::date
    group by level, currency order by level, currency`.execute(tx)
  return Object.fromEntries(
    rows.map((row) => [`${row.level} ${row.currency}`, toDecimalString(row.spend_minor, row.currency)]),
  )
}
