/** Updates the reach rollups from the touches of some customers, in the transaction that changed the touches. */
import { sql } from 'kysely'
import { uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import { applyDeltas } from '../../../../platform/db/bulk/counters.ts'
import { bulkInsert } from '../../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { pipelineWrites } from '../../../../platform/db/pipelining.ts'
import { loadMembers } from '../../../facts/identity/members.ts'
import { type LoadedTouch, loadTouches } from '../incremental/journeys.ts'
import { type AdTouch, type ReachDelta, type Reached, ReachSums, toReached } from './rules.ts'

type Profile = { profileId: string; timezone: string }

/** The caller holds the profile's lock. Rows of customers that no longer exist are removed. */
export async function refreshReach(tx: Tx, profile: Profile, customerIds: readonly string[]): Promise<void> {
  const touches = await loadAdTouches(tx, profile.profileId, customerIds)
  const changes = await loadReach(tx, profile, customerIds, { touches, newCustomers: new Map() })
  const sums = new ReachSums()
  sums.add(changes)
  await pipelineWrites(
    () => saveReached(tx, profile.profileId, changes),
    () => applyReach(tx, profile.profileId, sums),
  )
}

/** Ad touches by customer, in journey order. */
type Touches = ReadonlyMap<string, readonly AdTouch[]>

/** Changes of reach for customers with these touches. `newCustomers` have no stored reach. */
export async function loadReach(
  tx: Tx,
  profile: Profile,
  customerIds: readonly string[],
  journeys: { touches: Touches; newCustomers: Touches },
): Promise<Change[]> {
  return [
    ...(await loadChanges(tx, profile, customerIds, journeys.touches)),
    ...[...journeys.newCustomers].map(([customerId, touches]) => ({
      customerId,
      before: [],
      after: toReached(touches, profile.timezone),
    })),
  ]
}

/** Applies the summed changes of all customers to the rollups. */
export async function applyReach(tx: Tx, profileId: string, sums: ReachSums): Promise<void> {
  const { daily, ads, first } = sums.deltas()
  await pipelineWrites(
    () =>
      applyDeltas(
        tx,
        { into: 'reach_daily', profileId, rows: daily },
        { keys: dailyKeys, measures: peopleAndTouches, mayVanish },
      ),
    () =>
      applyDeltas(
        tx,
        { into: 'reach_ads', profileId, rows: ads },
        { keys: adKeys, measures: peopleAndTouches, mayVanish },
      ),
    () =>
      applyDeltas(
        tx,
        { into: 'reach_first', profileId, rows: first },
        { keys: adKeys, measures: ['people'], mayVanish },
      ),
  )
}

export type Change = { customerId: string; before: Reached[]; after: Reached[] }

async function loadChanges(
  tx: Tx,
  profile: Profile,
  customerIds: readonly string[],
  touches: Touches,
): Promise<Change[]> {
  if (customerIds.length === 0) return []
  const before = await loadReached(tx, profile.profileId, customerIds)
  return customerIds
    .map((customerId) => ({
      customerId,
      before: before.get(customerId) ?? [],
      after: toReached(touches.get(customerId) ?? [], profile.timezone),
    }))
    .filter((entry) => JSON.stringify(entry.before) !== JSON.stringify(entry.after))
}

async function loadAdTouches(
  tx: Tx,
  profileId: string,
  customerIds: readonly string[],
): Promise<Map<string, AdTouch[]>> {
  const members = await loadMembers(tx, profileId, customerIds)
  const touches = await loadTouches(tx, profileId, members, new Set(customerIds))
  return Map.groupBy(
    touches.filter((touch): touch is LoadedTouch & AdTouch => touch.ad_external_id !== null),
    (touch) => touch.customer_id,
  )
}

async function loadReached(
  tx: Tx,
  profileId: string,
  customerIds: readonly string[],
): Promise<Map<string, Reached[]>> {
  const { rows } = await sql<{ customer_id: string; reached: Reached[] }>`
    select customer_id, reached from ad_people
    where profile_id = ${profileId} and customer_id = any(${uuidList(customerIds)}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.customer_id, row.reached]))
}

/** Saves the reach of each customer. */
export async function saveReached(tx: Tx, profileId: string, changed: readonly Change[]): Promise<void> {
  const removed = changed.filter((entry) => entry.after.length === 0)
  // Only customers with a stored row need `on conflict`, which costs as much as the insert itself.
  const { added = [], updated = [] } = Object.groupBy(
    changed.filter((entry) => entry.after.length > 0),
    (entry) => (entry.before.length === 0 ? 'added' : 'updated'),
  )
  if (removed.length > 0)
    await sql`
    delete from ad_people where profile_id = ${profileId} and customer_id = any(${uuids(removed, (entry) => entry.customerId)}::uuid[])`.execute(
      tx,
    )
  const columns = { customer_id: 'customerId', reached: 'after' } as const
  await bulkInsert(tx, { into: 'ad_people', profileId, rows: added }, columns)
  await bulkInsert(tx, { into: 'ad_people', profileId, rows: updated }, columns, {
    conflict: { on: ['profile_id', 'customer_id'] },
  })
}

const adKeys = ['channel', 'day', 'ad_external_id', 'origin', 'previous_day'] as const
const dailyKeys = ['channel', 'day', 'origin', 'previous_day', 'first_origin'] as const
const peopleAndTouches = ['people', 'touches'] as const

/** Only a delta below zero can make a row zero. */
const mayVanish = (delta: ReachDelta) => delta.people < 0 || delta.touches < 0
