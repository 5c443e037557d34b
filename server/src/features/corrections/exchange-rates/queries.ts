import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type RateKey = { currency: string; day: string }
export type EnteredRate = RateKey & { target: string; rate: string; updated_at: Date }

/** `trim_scale` drops the trailing zeros of the column, so the rate reads as entered. */
const columns = sql`currency, day, target, trim_scale(rate)::text as rate, updated_at`

export async function listRates(db: Db | Tx, params: { profileId: string }): Promise<EnteredRate[]> {
  const { rows } = await sql<EnteredRate>`
    select ${columns} from entered_rates where profile_id = ${params.profileId}
    order by day desc, currency limit 1000`.execute(db)
  return rows
}

export async function findRate(db: Db | Tx, params: RateKey & { profileId: string }) {
  const { rows } = await sql<EnteredRate>`
    select ${columns} from entered_rates
    where profile_id = ${params.profileId}
      and currency = ${params.currency} and day = ${params.day}::date`.execute(db)
  return rows[0]
}

export async function upsertRate(
  tx: Tx,
  params: RateKey & { profileId: string; target: string; rate: string; now: Date },
): Promise<void> {
  await sql`
    insert into entered_rates (profile_id, currency, day, target, rate, updated_at)
    values (${params.profileId}, ${params.currency}, ${params.day}::date, ${params.target}, ${params.rate}::numeric, ${params.now})
    on conflict (profile_id, currency, day) do update set
      target = excluded.target, rate = excluded.rate, updated_at = excluded.updated_at`.execute(tx)
}

export async function deleteRate(tx: Tx, params: RateKey & { profileId: string }): Promise<void> {
  await sql`
    delete from entered_rates
    where profile_id = ${params.profileId}
      and currency = ${params.currency} and day = ${params.day}::date`.execute(tx)
}
