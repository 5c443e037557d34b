import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { conversionsOf, touchesOf } from '../../facts/events/derived-rows.ts'
import type { EventCursor } from '../../facts/events/erase.ts'

export type Counts = {
  identifiers: number
  events: number
  touches: number
  conversions: number
  payments: number
}

export type ErasureRow = Counts & {
  profile_id: string
  id: string
  erased_as: string
  state: 'pending' | 'sweeping' | 'completed'
  requested_at: Date
  completed_at: Date | null
  customer_id: string | null
  identifier_ids: string[] | null
  swept_at: Date | null
  swept_id: string | null
}

const columns = sql`profile_id, id, erased_as, state, requested_at, completed_at, customer_id, identifier_ids, swept_at,
  swept_id, identifiers, events, touches, conversions, payments`

/** Hides the customer's identity in every route. False if it was already hidden. */
export async function hideCustomer(tx: Tx, params: { profileId: string; customerId: string; now: Date }) {
  const { rows } = await sql`
    insert into erased_customers (profile_id, id, erased_at)
    values (${params.profileId}, ${params.customerId}, ${params.now})
    on conflict (profile_id, id) do nothing returning id`.execute(tx)
  return rows.length > 0
}

export async function insertErasure(
  tx: Tx,
  params: {
    profileId: string
    id: string
    selectorHash: Buffer
    erasedAs: string
    customerId: string
    now: Date
  },
): Promise<void> {
  await sql`
    insert into erasures (profile_id, id, selector_hash, erased_as, state, requested_at, customer_id, identifiers, events,
      touches, conversions, payments)
    values (${params.profileId}, ${params.id}, ${params.selectorHash}, ${params.erasedAs}, 'pending', ${params.now},
      ${params.customerId}, 0, 0, 0, 0, 0)`.execute(tx)
}

/** The customer's unfinished erasure, else the latest with the same selector. */
export async function findEarlierErasure(
  db: Db | Tx,
  params: { profileId: string; customerId: string | null; selectorHash: Buffer },
): Promise<ErasureRow | undefined> {
  const { rows } = await sql<ErasureRow>`
    select ${columns} from erasures
    where profile_id = ${params.profileId}
      and (selector_hash = ${params.selectorHash} or customer_id = ${params.customerId}::uuid)
    order by customer_id is not distinct from ${params.customerId}::uuid desc, requested_at desc, id desc
    limit 1`.execute(db)
  return rows[0]
}

export async function findErasure(db: Db | Tx, params: { profileIds: readonly string[]; id: string }) {
  const { rows } = await sql<ErasureRow>`
    select ${columns} from erasures
    where profile_id = any(${uuidList(params.profileIds)}::uuid[]) and id = ${params.id}`.execute(db)
  return rows[0]
}

/** Oldest first. To change one, the caller must hold the profile's lock. */
export async function listErasures(
  db: Db | Tx,
  params: { profileId: string; state: 'pending' | 'sweeping' },
) {
  const { rows } = await sql<ErasureRow>`
    select ${columns} from erasures where profile_id = ${params.profileId} and state = ${params.state}
    order by requested_at, id`.execute(db)
  return rows
}

export async function startSweep(
  tx: Tx,
  params: { profileId: string; id: string; identifierIds: readonly string[] },
): Promise<void> {
  await sql`
    update erasures set state = 'sweeping', customer_id = null, identifiers = ${params.identifierIds.length},
      identifier_ids = ${uuidList(params.identifierIds)}::uuid[]
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

export async function addCounts(
  tx: Tx,
  params: { profileId: string; id: string; counts: Omit<Counts, 'identifiers'> },
): Promise<void> {
  const { events, touches, conversions, payments } = params.counts
  await sql`
    update erasures set events = events + ${events}, touches = touches + ${touches},
      conversions = conversions + ${conversions}, payments = payments + ${payments}
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

export async function saveProgress(
  db: Db | Tx,
  params: { profileId: string; ids: readonly string[]; cursor: EventCursor },
): Promise<void> {
  await sql`
    update erasures set swept_at = ${params.cursor.at}, swept_id = ${params.cursor.id}
    where profile_id = ${params.profileId} and id = any(${uuidList(params.ids)}::uuid[])`.execute(db)
}

/** False if it was already completed. */
export async function completeErasure(tx: Tx, params: { profileId: string; id: string; now: Date }) {
  const { rows } = await sql`
    update erasures set state = 'completed', completed_at = ${params.now}, identifier_ids = null, swept_at = null,
      swept_id = null
    where profile_id = ${params.profileId} and id = ${params.id} and state = 'sweeping'
    returning id`.execute(tx)
  return rows.length > 0
}

/** Ids of the events (payments have the same ids) and of their conversions. */
export async function listFactIds(
  tx: Tx,
  params: { profileId: string; eventIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select derived.id from ${conversionsOf(params.profileId, params.eventIds)} as derived`.execute(tx)
  return [...params.eventIds, ...rows.map(({ id }) => id)]
}

export async function countFacts(tx: Tx, params: { profileId: string; eventIds: readonly string[] }) {
  const { profileId } = params
  const ids = uuidList(params.eventIds)
  const { rows } = await sql<Omit<Counts, 'identifiers' | 'events'>>`
    select
      (select count(*)::int from ${touchesOf(profileId, params.eventIds)} as derived) as touches,
      (select count(*)::int from ${conversionsOf(profileId, params.eventIds)} as derived) as conversions,
      (select count(*)::int from payments where profile_id = ${profileId} and id = any(${ids}::uuid[])) as payments`.execute(
    tx,
  )
  return rows[0]!
}
