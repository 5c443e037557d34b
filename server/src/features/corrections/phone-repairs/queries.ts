import { sql } from 'kysely'
import { instants, jsonbs, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'

type RepairStatus = 'applying' | 'applied' | 'undoing' | 'undone'
export type RepairRow = {
  id: string
  status: RepairStatus
  include_unresolved: boolean
  events: number
  created_at: Date
  finished_at: Date | null
}

const columns = sql`id, status, include_unresolved, events, created_at, finished_at`

export async function insertRepair(
  tx: Tx,
  params: { profileId: string; id: string; includeUnresolved: boolean; by: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into phone_repairs (profile_id, id, status, include_unresolved, events, created_at, created_by)
    values (${params.profileId}, ${params.id}, 'applying', ${params.includeUnresolved}, 0, ${params.now}, ${params.by})`.execute(
    tx,
  )
}

export async function listRepairs(
  db: Db | Tx,
  params: { profileId: string; before: string | null; limit: number },
): Promise<RepairRow[]> {
  const { rows } = await sql<RepairRow>`
    select ${columns} from phone_repairs
    where profile_id = ${params.profileId} and (${params.before}::uuid is null or id < ${params.before}::uuid)
    order by id desc limit ${params.limit}`.execute(db)
  return rows
}

export async function findRepair(db: Db | Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<RepairRow>`
    select ${columns} from phone_repairs
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(db)
  return rows[0]
}

export async function hasOpenRepair(tx: Tx, profileId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from phone_repairs
    where profile_id = ${profileId} and status in ('applying', 'undoing') limit 1`.execute(tx)
  return rows.length > 0
}

/** False if the repair no longer has the status `from`. */
export async function moveRepair(
  tx: Tx,
  params: { profileId: string; id: string; from: RepairStatus; to: RepairStatus; finishedAt: Date | null },
): Promise<boolean> {
  const { rows } = await sql`
    update phone_repairs set status = ${params.to}, finished_at = ${params.finishedAt}
    where profile_id = ${params.profileId} and id = ${params.id} and status = ${params.from}
    returning id`.execute(tx)
  return rows.length > 0
}

export async function addRepaired(
  tx: Tx,
  params: { profileId: string; repairId: string; eventIds: readonly string[] },
): Promise<void> {
  const { profileId, repairId, eventIds } = params
  await bulkInsert(
    tx,
    { into: 'phone_repair_events', profileId, rows: eventIds },
    { repair_id: () => repairId, event_id: (id: string) => id },
    { conflict: 'ignore' },
  )
  await sql`
    update phone_repairs set events = events + ${eventIds.length}
    where profile_id = ${profileId} and id = ${repairId}`.execute(tx)
}

export async function listRepaired(
  tx: Tx,
  params: { profileId: string; repairId: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from phone_repair_events
    where profile_id = ${params.profileId} and repair_id = ${params.repairId}
    order by event_id limit ${params.limit}`.execute(tx)
  return rows.map((row) => row.event_id)
}

export async function removeRepaired(
  tx: Tx,
  params: { profileId: string; repairId: string; eventIds: readonly string[] },
): Promise<void> {
  await sql`
    delete from phone_repair_events
    where profile_id = ${params.profileId} and repair_id = ${params.repairId}
      and event_id = any(${uuidList(params.eventIds)}::uuid[])`.execute(tx)
}

export type TypedPhone = { identifier_id: string; event_id: string; value: string; country: string | null }

/** Phone numbers without a country code, in key order. */
export async function listTyped(
  db: Db | Tx,
  params: {
    profileId: string
    after: Pick<TypedPhone, 'identifier_id' | 'event_id'> | null
    limit: number
  },
): Promise<TypedPhone[]> {
  const { profileId, after } = params
  const cursorFilter =
    after === null
      ? sql``
      : sql`and (t.identifier_id, t.event_id) > (${after.identifier_id}::uuid, ${after.event_id}::uuid)`
  const { rows } = await sql<TypedPhone>`
    select t.identifier_id, t.event_id, t.value, c.value as country
    from identity_traits t
    left join identity_traits c on c.profile_id = ${profileId} and c.identifier_id = t.identifier_id
      and c.trait = 'country' and c.event_id = t.event_id
    where t.profile_id = ${profileId} and t.trait = 'phone' and t.value !~ '^\\s*[pP]?:?\\s*([+]|00)' ${cursorFilter}
    order by t.identifier_id, t.event_id limit ${params.limit}`.execute(db)
  return rows
}

/** Replaces the bodies of the events; the content hash does not change. */
export async function saveBodies(tx: Tx, profileId: string, events: readonly StoredEvent[]): Promise<void> {
  await sql`
    update events e set body = a.body
    from unnest(${uuids(events, (event) => event.id)}::uuid[], ${instants(events, (event) => event.occurredAt)}::timestamptz[],
      ${jsonbs(events, (event) => event.body)}::jsonb[]) as a(id, occurred_at, body)
    where e.profile_id = ${profileId} and e.occurred_at = a.occurred_at and e.id = a.id`.execute(tx)
}

/** Customer id of each identifier. */
export async function loadCustomerIds(
  tx: Tx,
  profileId: string,
  identifierIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from identifiers
    where profile_id = ${profileId} and id = any(${uuidList(identifierIds)}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.customer_id]))
}

export type FactRow = {
  kind: 'touch' | 'conversion' | 'payment'
  event_id: string
  customer_id: string
  value_minor: string | null
  currency: string | null
}

/** Touches, conversions and payments of these identifiers or these events, with their customer. */
export async function listFacts(
  tx: Tx,
  profileId: string,
  by: { identifierIds: readonly string[] } | { eventIds: readonly string[] },
): Promise<FactRow[]> {
  const ids = uuidList('identifierIds' in by ? by.identifierIds : by.eventIds)
  const matches = (event: string, owner: string) =>
    'identifierIds' in by
      ? sql`${sql.raw(owner)} = any(${ids}::uuid[])`
      : sql`${sql.raw(event)} = any(${ids}::uuid[])`
  const { rows } = await sql<FactRow>`
    with facts as (
      select 'touch' as kind, id as event_id, identifier_id, null::bigint as value_minor, null as currency
      from touches where profile_id = ${profileId} and ${matches('id', 'identifier_id')}
      union all
      select 'conversion', event_id, identifier_id, null, null
      from conversions where profile_id = ${profileId} and ${matches('event_id', 'identifier_id')}
      union all
      select 'payment', event_id, coalesce(payer_identifier_id, identifier_id),
        case when status = 'succeeded' then value_minor end, currency
      from payments where profile_id = ${profileId}
        and ${matches('event_id', 'coalesce(payer_identifier_id, identifier_id)')})
    select f.kind, f.event_id, i.customer_id, f.value_minor::text as value_minor, f.currency
    from facts f join identifiers i on i.profile_id = ${profileId} and i.id = f.identifier_id`.execute(tx)
  return rows
}
