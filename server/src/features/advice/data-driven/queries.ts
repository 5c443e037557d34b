import { sql } from 'kysely'
import type pg from 'pg'
import { readCopy, readInstant } from '../../../platform/db/copy/copy-out.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { profilesWithPayments } from '../../figures/rollups/raw-rows.ts'
import type { LearnedPath, Window } from './rules.ts'

type Span = { profileId: string; window: Pick<Window, 'start' | 'end'> }

/** Stops counting at one above the limit. */
export async function countTouches(tx: Tx, { profileId, window, most }: Span & { most: number }) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from touches
      where profile_id = ${profileId} and occurred_at >= ${window.start} and occurred_at < ${window.end}
      limit ${most + 1}) counted`.execute(tx)
  return rows[0]!.count
}

export async function listSourceIds(tx: Tx, { profileId, window }: Span): Promise<string[]> {
  const { rows } = await sql<{ source_id: string }>`
    select distinct source_id from touches
    where profile_id = ${profileId}
      and occurred_at >= ${window.start} and occurred_at < ${window.end}`.execute(tx)
  return rows.map((row) => row.source_id)
}

export type PersonStep = { person: string; group: number; at: number; sourceId: string | null }

/** Visits and payments of all people, ordered by person and time; a payment has no source. */
export async function readSteps(
  client: pg.PoolClient,
  { profileId, window, groups }: Span & { groups: number },
  take: (step: PersonStep) => void,
): Promise<void> {
  const within = `>= '${window.start.toISOString()}' and`
  const until = `< '${window.end.toISOString()}'`
  await readCopy(
    client,
    `copy (
      select customer_id, at, source_id from (
        select i.customer_id, t.occurred_at as at, t.source_id
        from touches t join identifiers i on i.profile_id = '${profileId}' and i.id = t.identifier_id
        where t.profile_id = '${profileId}' and t.occurred_at ${within} t.occurred_at ${until}
        union all
        select i.customer_id, v.occurred_at, null
        from conversions v join identifiers i on i.profile_id = '${profileId}' and i.id = v.identifier_id
        where v.profile_id = '${profileId}' and v.attribution_eligible and v.revenue_type = 'cash'
          and v.occurred_at ${within} v.occurred_at ${until}) steps
      order by customer_id, at, source_id nulls last) to stdout (format binary)`,
    3,
    ({ bytes, view, at, size }) => {
      const uuidAt = (from: number) => bytes.toString('hex', from, from + 16)
      take({
        person: uuidAt(at[0]!),
        group: view.getUint32(at[0]! + 12) % groups,
        at: readInstant(view, at[1]!),
        sourceId: size[2]! < 0 ? null : uuidAt(at[2]!),
      })
    },
  )
}

export type StoredModel<Result> = {
  computed_at: Date
  version: number
  learned_from: string
  learned_to: string
  paths_hash: string
  result: Result
}

export async function findModel<Result>(db: Db, params: { profileId: string }) {
  const { rows } = await sql<StoredModel<Result>>`
    select computed_at, version, learned_from, learned_to, paths_hash, result
    from data_driven_models where profile_id = ${params.profileId}`.execute(db)
  return rows[0]
}

export async function saveModel(
  db: Db | Tx,
  params: StoredModel<unknown> & { profileId: string; paths: readonly LearnedPath[] },
): Promise<void> {
  await sql`
    insert into data_driven_models
      (profile_id, computed_at, version, learned_from, learned_to, paths_hash, paths, result)
    values (${params.profileId}, ${params.computed_at}, ${params.version}, ${params.learned_from}::date,
      ${params.learned_to}::date, ${params.paths_hash}, ${JSON.stringify(params.paths)}::jsonb,
      ${JSON.stringify(params.result)}::jsonb)
    on conflict (profile_id) do update set computed_at = excluded.computed_at, version = excluded.version,
      learned_from = excluded.learned_from, learned_to = excluded.learned_to, paths_hash = excluded.paths_hash,
      paths = excluded.paths, result = excluded.result`.execute(db)
}

/** The model served at a time; undefined before the oldest stored one. */
export async function findModelAsOf<Result>(
  db: Db,
  params: { profileId: string; asOf: Date },
): Promise<StoredModel<Result> | undefined> {
  const current = await findModel<Result>(db, params)
  if (current !== undefined && current.computed_at <= params.asOf) return current
  const { rows } = await sql<StoredModel<Result>>`
    select computed_at, version, learned_from, learned_to, paths_hash, result
    from data_driven_history where profile_id = ${params.profileId} and computed_at <= ${params.asOf}
    order by computed_at desc limit 1`.execute(db)
  return rows[0]
}

/** Archives the current model before it is replaced. */
export async function archiveModel(tx: Tx, params: { profileId: string; before: Date; since: Date }) {
  const { profileId } = params
  await sql`
    insert into data_driven_history
      (profile_id, computed_at, version, learned_from, learned_to, paths_hash, result)
    select profile_id, computed_at, version, learned_from, learned_to, paths_hash, result
    from data_driven_models where profile_id = ${profileId} and computed_at < ${params.before}
    on conflict (profile_id, computed_at) do nothing`.execute(tx)
  await sql`
    delete from data_driven_history
    where profile_id = ${profileId} and computed_at < ${params.since}`.execute(tx)
}

/** Active profiles with a payment since then, or with an existing model. */
export async function listProfilesToLearn(db: Db, since: string): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select distinct candidate.profile_id
    from (
      ${profilesWithPayments(since)}
      union select profile_id from data_driven_models) candidate
    join profiles p on p.id = candidate.profile_id
    where p.archived_at is null
    order by candidate.profile_id`.execute(db)
  return rows.map((row) => row.profile_id)
}

/** Makes the transaction a read-only snapshot. */
export async function freeze(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(tx)
}
