/** Keeps the reach rollups what the touches of some customers say, in the transaction that changed them. */
import { type RawBuilder, sql } from 'kysely'
import { bigints, days, jsonbs, texts, uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { fromAnchor, ownId } from '../../../../platform/db/shard-anchor.ts'
import { together } from '../../../../platform/db/together.ts'
import { loadMembers } from '../../../facts/identity/members.ts'
import { type LoadedTouch, loadTouches } from '../incremental/journeys.ts'
import { type AdTouch, type ReachDelta, type Reached, ReachSums, toReached } from './rules.ts'

type Profile = { profileId: string; timezone: string }

/** The caller holds the profile's lock. Customers that no longer exist lose what they had. */
export async function refreshReach(tx: Tx, profile: Profile, customerIds: readonly string[]): Promise<void> {
  const touches = await loadAdTouches(tx, profile.profileId, customerIds)
  const changes = await loadReach(tx, profile, customerIds, { touches, newCustomers: new Map() })
  const sums = new ReachSums()
  sums.add(changes)
  await together(
    () => saveReached(tx, profile.profileId, changes),
    () => applyReach(tx, profile.profileId, sums),
  )
}

/** Ad touches by customer, in order. */
type Touches = ReadonlyMap<string, readonly AdTouch[]>

/** What changed for these customers, who have these touches. Of `newCustomers` nothing is stored yet. */
export async function loadReach(
  tx: Tx,
  profile: Profile,
  customerIds: readonly string[],
  given: { touches: Touches; newCustomers: Touches },
): Promise<Change[]> {
  return [
    ...(await changesOf(tx, profile, customerIds, given.touches)),
    ...[...given.newCustomers].map(([customerId, own]) => ({
      customerId,
      before: [],
      after: toReached(own, profile.timezone),
    })),
  ]
}

/** The rollups move by what the changes of all customers come to. */
export async function applyReach(tx: Tx, profileId: string, sums: ReachSums): Promise<void> {
  const { daily, ads, first } = sums.deltas()
  await together(
    () => applyDaily(tx, profileId, daily),
    () => applyAds(tx, profileId, ads),
    () => applyFirst(tx, profileId, first),
  )
}

export type Change = { customerId: string; before: Reached[]; after: Reached[] }

async function changesOf(
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

/** What each customer was reached by. */
export async function saveReached(tx: Tx, profileId: string, changed: readonly Change[]): Promise<void> {
  const gone = changed.filter((entry) => entry.after.length === 0)
  // Only who has a row already can be in conflict with it: being ready for that costs as much as the row.
  const { added = [], updated = [] } = Object.groupBy(
    changed.filter((entry) => entry.after.length > 0),
    (entry) => (entry.before.length === 0 ? 'added' : 'updated'),
  )
  if (gone.length > 0)
    await sql`
    delete from ad_people where profile_id = ${profileId} and customer_id = any(${uuids(gone, (entry) => entry.customerId)}::uuid[])`.execute(
      tx,
    )
  await insertReached(tx, profileId, added, sql``)
  await insertReached(
    tx,
    profileId,
    updated,
    sql`on conflict (profile_id, customer_id) do update set reached = excluded.reached`,
  )
}

async function insertReached(
  tx: Tx,
  profileId: string,
  rows: readonly Change[],
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into ad_people (profile_id, customer_id, reached)
    select ${ownId(tx, profileId)}, unnest(${uuids(rows, (row) => row.customerId)}::uuid[]),
      unnest(${jsonbs(rows, (row) => row.after)}::jsonb[])
    ${fromAnchor(tx, profileId)}
    ${onConflict}`.execute(tx)
}

/** Only what shrank can have come to nothing. */
const shrunkDays = (deltas: readonly ReachDelta[]) => [
  ...new Set(deltas.filter((delta) => delta.people < 0 || delta.touches < 0).map((delta) => delta.day)),
]

async function applyDaily(tx: Tx, profileId: string, deltas: readonly ReachDelta[]): Promise<void> {
  if (deltas.length === 0) return
  await sql`
    insert into reach_daily as r (profile_id, channel, day, origin, previous_day, first_origin, people, touches)
    select ${ownId(tx, profileId)}, unnest(${texts(deltas, (delta) => delta.channel)}::text[]), unnest(${days(deltas, (delta) => delta.day)}::date[]),
      unnest(${texts(deltas, (delta) => delta.origin)}::text[]), unnest(${deltas.map((delta) => delta.previousDay)}::date[]),
      unnest(${texts(deltas, (delta) => delta.firstOrigin)}::text[]), unnest(${bigints(deltas, (delta) => delta.people)}::bigint[]),
      unnest(${bigints(deltas, (delta) => delta.touches)}::bigint[])
    ${fromAnchor(tx, profileId)}
    on conflict (profile_id, channel, day, origin, previous_day, first_origin) do update set
      people = r.people + excluded.people, touches = r.touches + excluded.touches`.execute(tx)
  const shrunk = shrunkDays(deltas)
  if (shrunk.length === 0) return
  await sql`
    delete from reach_daily where profile_id = ${profileId} and day = any(${shrunk}::date[])
      and people = 0 and touches = 0`.execute(tx)
}

async function applyAds(tx: Tx, profileId: string, deltas: readonly ReachDelta[]): Promise<void> {
  if (deltas.length === 0) return
  await sql`
    insert into reach_ads as r (profile_id, channel, day, ad_external_id, origin, previous_day, people, touches)
    select ${ownId(tx, profileId)}, unnest(${texts(deltas, (delta) => delta.channel)}::text[]), unnest(${days(deltas, (delta) => delta.day)}::date[]),
      unnest(${texts(deltas, (delta) => delta.ad)}::text[]), unnest(${texts(deltas, (delta) => delta.origin)}::text[]),
      unnest(${deltas.map((delta) => delta.previousDay)}::date[]), unnest(${bigints(deltas, (delta) => delta.people)}::bigint[]),
      unnest(${bigints(deltas, (delta) => delta.touches)}::bigint[])
    ${fromAnchor(tx, profileId)}
    on conflict (profile_id, channel, day, ad_external_id, origin, previous_day) do update set
      people = r.people + excluded.people, touches = r.touches + excluded.touches`.execute(tx)
  const shrunk = shrunkDays(deltas)
  if (shrunk.length === 0) return
  await sql`
    delete from reach_ads where profile_id = ${profileId} and day = any(${shrunk}::date[])
      and people = 0 and touches = 0`.execute(tx)
}

async function applyFirst(tx: Tx, profileId: string, deltas: readonly ReachDelta[]): Promise<void> {
  if (deltas.length === 0) return
  await sql`
    insert into reach_first as r (profile_id, channel, day, ad_external_id, origin, previous_day, people)
    select ${ownId(tx, profileId)}, unnest(${texts(deltas, (delta) => delta.channel)}::text[]), unnest(${days(deltas, (delta) => delta.day)}::date[]),
      unnest(${texts(deltas, (delta) => delta.ad)}::text[]), unnest(${texts(deltas, (delta) => delta.origin)}::text[]),
      unnest(${deltas.map((delta) => delta.previousDay)}::date[]), unnest(${bigints(deltas, (delta) => delta.people)}::bigint[])
    ${fromAnchor(tx, profileId)}
    on conflict (profile_id, channel, day, ad_external_id, origin, previous_day) do update set
      people = r.people + excluded.people`.execute(tx)
  const shrunk = shrunkDays(deltas)
  if (shrunk.length === 0) return
  await sql`
    delete from reach_first where profile_id = ${profileId} and day = any(${shrunk}::date[]) and people = 0`.execute(
    tx,
  )
}
