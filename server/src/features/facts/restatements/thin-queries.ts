/** Compacts old ledger rows: one change per day, cause and rollup row, packed like those of a write. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { incrementReportVersion } from '../../../platform/db/profile-lock.ts'
import { FULL, MAX_NAME_LENGTH } from './pack.ts'
import { packedChanges } from './queries.ts'

/** Batch id of compacted rows. */
export const THINNED = '00000000-0000-0000-0000-000000000000'

type UnthinnedProfile = { profile_id: string; timezone: string; oldest: Date }

/** Profiles with uncompacted rows before a time, with the time of the oldest. */
export async function listUnthinned(db: Db | Tx, params: { before: Date }): Promise<UnthinnedProfile[]> {
  const { rows } = await sql<UnthinnedProfile>`
    select p.id as profile_id, p.timezone, min(r.recorded_at) as oldest
    from restatements r join profiles p on p.id = r.profile_id
    where r.recorded_at < ${params.before}::timestamptz and r.batch_id <> ${THINNED}::uuid
    group by p.id, p.timezone order by p.id`.execute(db)
  return rows
}

/**
 * Compacted rows get the time of the day's last change, so that `as_of` reports for the start or end of the day remain
 * exact. Sums of 0 are kept: they show that times within the day are no longer available.
 */
export async function thinDay(tx: Tx, params: { profileId: string; start: Date; end: Date }): Promise<void> {
  const { profileId, start, end } = params
  // A settings change can have written every row of a large profile.
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`
    with deleted as (
      delete from restatements
      where profile_id = ${profileId} and recorded_at >= ${start}::timestamptz and recorded_at < ${end}::timestamptz
        and batch_id <> ${THINNED}::uuid
      returning recorded_at, rollup, level, entity, day, outcome_type, revenue_type, measures, changes, cause),
    single as (
      select rollup, level, coalesce(c.entity, t.entity) as entity, day, outcome_type, revenue_type, cause,
        coalesce(c.measures, t.measures) as measures
      from deleted t left join ${packedChanges(sql`t.changes`)} as c on true),
    sums as (
      select rollup, level, entity, day, outcome_type, revenue_type, cause, position, sum(amount)::bigint as amount
      from single cross join lateral unnest(measures) with ordinality as m(amount, position)
      group by rollup, level, entity, day, outcome_type, revenue_type, cause, position),
    whole as (
      select rollup, level, entity, day, outcome_type, revenue_type, cause, array_agg(amount order by position) as measures
      from sums group by rollup, level, entity, day, outcome_type, revenue_type, cause),
    lines as (
      select *, '{' || array_to_string(measures, ',') || '} ' || entity as line,
        octet_length(entity) <= ${MAX_NAME_LENGTH} and strpos(entity, E'\\n') = 0 as fits
      from whole),
    packed as (
      select *, sum(octet_length(line) + 1) over (
        partition by rollup, level, day, outcome_type, revenue_type, cause, fits order by entity) / ${FULL} as pack
      from lines),
    thinned as (
      select rollup, level, '' as entity, day, outcome_type, revenue_type, cause, '{}'::bigint[] as measures,
        string_agg(line, E'\\n' order by entity) as changes
      from packed where fits
      group by rollup, level, day, outcome_type, revenue_type, cause, pack
      union all
      select rollup, level, entity, day, outcome_type, revenue_type, cause, measures, null from packed where not fits)
    insert into restatements (profile_id, recorded_at, batch_id, number, rollup, level, entity, day, outcome_type,
      revenue_type, measures, changes, cause)
    select ${profileId}::uuid, (select max(recorded_at) from deleted), ${THINNED}::uuid, row_number() over ()::int, rollup, level,
      entity, day, outcome_type, revenue_type, measures, changes, cause
    from thinned`.execute(tx)
  await incrementReportVersion(tx, profileId)
}
