/**
 * Provider records that could not be parsed, listed and counted. An entry is deleted once the same record is read
 * without an error; an entry of a row without an id, once its list or its day of a report is read again.
 */
import { sql } from 'kysely'
import type { ListRead, SetAside, SyncRecord } from '../../../connectors/connector.ts'
import { MISSING_ABILITY } from '../../../connectors/set-aside.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { idOfRecord } from './rules.ts'

export async function saveSetAside(
  tx: Tx,
  params: {
    profileId: string
    connectionId: string
    setAside: readonly SetAside[]
    /** Records of the same pages that were parsed. */
    good: readonly SyncRecord[]
    cleared?: readonly string[]
    clearedKinds?: readonly string[]
    rereads?: readonly ListRead[]
    now: Date
  },
): Promise<void> {
  const { profileId, connectionId, setAside, rereads = [], now } = params
  const readIds = [...new Set(params.good.map(idOfRecord))]
  await sql`
    delete from set_aside_records s where profile_id = ${profileId} and connection_id = ${connectionId}
      and (external_id = any(${readIds}::text[]) and list is null
        or external_id = any(${params.cleared ?? []}::text[])
        or kind = any(${params.clearedKinds ?? []}::text[])
        or exists (
          select from unnest(${rereads.map((read) => read.list)}::text[],
            ${rereads.map((read) => read.since ?? null)}::date[],
            ${rereads.map((read) => read.until ?? null)}::date[]) as r (list, since, until)
          where r.list = s.list and (s.day is null or s.day between r.since and r.until)))`.execute(tx)
  if (setAside.length === 0) return
  const rows = [...new Map(setAside.map((row) => [`${row.kind} ${row.externalId}`, row])).values()]
  await sql`
    insert into set_aside_records as s (profile_id, connection_id, kind, external_id, reason, list, day, first_seen_at, last_seen_at)
    select ${profileId}::uuid, ${connectionId}::uuid, k.*, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${rows.map((row) => row.kind)}::text[], ${rows.map((row) => row.externalId)}::text[],
      ${rows.map((row) => row.reason.slice(0, 300))}::text[], ${rows.map((row) => row.list ?? null)}::text[],
      ${rows.map((row) => row.day ?? null)}::date[]) as k
    on conflict (profile_id, connection_id, kind, external_id) do update
      set reason = excluded.reason,
        list = excluded.list, day = excluded.day, last_seen_at = excluded.last_seen_at`.execute(tx)
}

export type MissingAbility = { ability: string; reason: string }
/** `records` is 0 and `last_reason` null if the connection only lacks abilities. */
export type SetAsideCount = {
  connection_id: string
  records: number
  last_reason: string | null
  missing_abilities: MissingAbility[]
}

export async function countSetAside(
  db: Db | Tx,
  params: { profileId: string; connectionIds: readonly string[] },
): Promise<Map<string, SetAsideCount>> {
  if (params.connectionIds.length === 0) return new Map()
  const { rows } = await sql<SetAsideCount>`
    select connection_id, count(*) filter (where kind <> ${MISSING_ABILITY})::int as records,
      (array_agg(reason order by last_seen_at desc, external_id)
        filter (where kind <> ${MISSING_ABILITY}))[1] as last_reason,
      coalesce(jsonb_agg(jsonb_build_object('ability', external_id, 'reason', reason) order by external_id)
        filter (where kind = ${MISSING_ABILITY}), '[]') as missing_abilities
    from set_aside_records
    where profile_id = ${params.profileId} and connection_id = any(${params.connectionIds}::uuid[])
    group by connection_id`.execute(db)
  return new Map(rows.map((row) => [row.connection_id, row]))
}
