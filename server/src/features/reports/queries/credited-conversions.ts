import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'

export type CreditedRow = {
  conversion_id: string
  day: string
  packed: Buffer
  event_id: string
  outcome_type: string
  occurred_at: Date
  value_minor: number | null
  currency: string | null
}

export async function pathsOfEntity(
  db: Db | Tx,
  params: { profileId: string; entityId: string },
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from ad_paths where profile_id = ${params.profileId}
      and (campaign_id = ${params.entityId} or ad_set_id = ${params.entityId} or ad_id = ${params.entityId})`.execute(
    db,
  )
  return rows.map((row) => row.number)
}

/** Conversions with some credit on the paths, newest day first; the caller reads which model gave it. */
export async function creditedConversions(
  db: Db | Tx,
  params: {
    profileId: string
    range: DateRange
    paths: readonly number[]
    after: { day: string; conversionId: string } | null
    limit: number
  },
): Promise<CreditedRow[]> {
  const { profileId, range, after } = params
  const { rows } = await sql<CreditedRow>`
    select c.conversion_id, c.day, c.packed, v.event_id, v.outcome_type, v.occurred_at, v.value_minor, v.currency
    from credits c
    join conversions v on v.profile_id = ${profileId} and v.id = c.conversion_id
    where c.profile_id = ${profileId} and c.day between ${range.from}::date and ${after?.day ?? range.to}::date
      and c.paths && ${params.paths}::integer[]
      and (${after === null} or (c.day, c.conversion_id) < (${after?.day ?? null}::date, ${after?.conversionId ?? null}::uuid))
    order by c.day desc, c.conversion_id desc
    limit ${params.limit}`.execute(db)
  return rows
}
