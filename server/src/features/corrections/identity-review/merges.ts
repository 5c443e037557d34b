/** Merges of customers by a person. Only the decision is stored, so an undo restores the previous state exactly. */
import type { Merge } from '@whence/engine'
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { recomputeCustomers } from '../../attribution/crediting/incremental/recompute.ts'
import type { AttributionProfile } from '../../attribution/crediting/settings.ts'
import { queueOptOuts } from '../../facts/export-queue/opt-outs.ts'
import { queueChangedPeople } from '../../facts/export-queue/queue.ts'
import { deleteReviews, findMerge, resolveChanged } from '../../facts/identity/resolve.ts'

export async function mergeCustomers(
  tx: Tx,
  profile: AttributionProfile,
  merge: { id: string; fromCustomerId: string; intoCustomerId: string; by: string | null; now: Date },
): Promise<void> {
  const { profileId } = profile
  await lockProfile(tx, profileId)
  await sql`
    insert into customer_merges (profile_id, id, from_customer_id, into_customer_id, merged_at, merged_by)
    values (${profileId}, ${merge.id}, ${merge.fromCustomerId}, ${merge.intoCustomerId}, ${merge.now}, ${merge.by})`.execute(
    tx,
  )
  await regroup(tx, profile, merge.id, merge.now, 'merge')
}

/** False if there is no such merge or it is already undone. */
export async function undoMerge(
  tx: Tx,
  profile: AttributionProfile,
  merge: { id: string; by: string | null; now: Date },
): Promise<boolean> {
  const { profileId } = profile
  await lockProfile(tx, profileId)
  const { rows } = await sql`
    update customer_merges set undone_at = ${merge.now}, undone_by = ${merge.by}
    where profile_id = ${profileId} and id = ${merge.id} and undone_at is null returning id`.execute(tx)
  if (rows.length === 0) return false
  await regroup(tx, profile, merge.id, merge.now, 'merge_undone')
  return true
}

async function regroup(
  tx: Tx,
  profile: AttributionProfile,
  mergeId: string,
  now: Date,
  cause: 'merge' | 'merge_undone',
): Promise<void> {
  const merge = await findMerge(tx, profile.profileId, mergeId)
  if (merge === undefined) return
  const regrouped = await resolveChanged(tx, profile.profileId, {
    changed: [merge.from],
    removed: [],
    removedMerges: [merge],
  })
  const reasonOf = () => ({ cause, fact: { type: 'merge' as const, id: mergeId } })
  await recomputeCustomers(tx, profile, [...regrouped], now, { reasonOf })
  if (profile.hasExports) await queueChangedPeople(tx, profile.profileId, [...regrouped], now)
  await queueOptOuts(tx, profile.profileId, { customerIds: [...regrouped] })
}

/** Deletes all merges and link decisions that reference these identifiers, and separates the customers they connected. */
export async function forgetMerges(
  tx: Tx,
  params: { profile: AttributionProfile; identifierIds: readonly string[]; now: Date },
): Promise<void> {
  const { profile, identifierIds, now } = params
  const { profileId } = profile
  await deleteReviews(tx, profileId, identifierIds)
  const { rows } = await sql<{ id: string; undone_at: Date | null }>`
    select id, undone_at from customer_merges
    where profile_id = ${profileId} and (from_customer_id = any(${uuidList(identifierIds)}::uuid[])
      or into_customer_id = any(${uuidList(identifierIds)}::uuid[]))`.execute(tx)
  if (rows.length === 0) return
  const active = rows.filter((row) => row.undone_at === null).map((row) => row.id)
  const removedMerges: Merge[] = []
  for (const id of active) removedMerges.push((await findMerge(tx, profileId, id))!)
  await sql`
    delete from customer_merges
    where profile_id = ${profileId} and id = any(${uuidList(rows.map((row) => row.id))}::uuid[])`.execute(tx)
  const changed = removedMerges.map((merge) => merge.from)
  const regrouped = await resolveChanged(tx, profileId, { changed, removed: [], removedMerges })
  const reasonOf = () => ({ cause: 'erasure' as const, fact: null })
  await recomputeCustomers(tx, profile, [...regrouped], now, { reasonOf })
}
