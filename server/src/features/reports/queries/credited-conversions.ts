import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import { byteas } from '../../../db/columns.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'
import { pathBytes } from '../../attribution/packed.ts'

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

export type CreditedDay = { day: string; conversions: number }

/** The days on which the model credited the entity, newest first. */
export async function creditedDays(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; entityId: string; model: Model; range: DateRange },
): Promise<CreditedDay[]> {
  const { profileId, range } = params
  const count = sql.ref(`${params.model}_count`)
  const { rows } = await sql<CreditedDay>`
    select day, sum(${count})::bigint as conversions from credit_daily
    where profile_id = ${profileId} and level = ${params.level} and entity_id = ${params.entityId}
      and day between ${range.from}::date and ${range.to}::date and ${count} <> 0
    group by day order by day desc`.execute(db)
  return rows
}

/**
 * Conversions of the days, newest day first, whose packed credit has a path's bytes in it: all that name one of the
 * paths, and some where the bytes mean something else. The caller reads what was credited, and by which model.
 */
export async function creditedConversions(
  db: Db | Tx,
  params: {
    profileId: string
    days: readonly string[]
    paths: readonly number[]
    after: { day: string; conversionId: string } | null
    limit: number
  },
): Promise<CreditedRow[]> {
  const { profileId, after } = params
  const { rows } = await sql<CreditedRow>`
    select c.conversion_id, v.day, c.packed, v.event_id, v.outcome_type, v.occurred_at, v.value_minor, v.currency
    from conversions v
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    where v.profile_id = ${profileId} and v.day = any(${params.days}::date[])
      and exists (select 1 from unnest(${byteas(params.paths, pathBytes)}::bytea[]) as p(path) where position(p.path in c.packed) > 0)
      and (${after === null} or (v.day, v.id) < (${after?.day ?? null}::date, ${after?.conversionId ?? null}::uuid))
    order by v.day desc, v.id desc
    limit ${params.limit}`.execute(db)
  return rows
}
