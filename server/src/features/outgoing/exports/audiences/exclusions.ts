import type { AppCaller, ProfileRef, RequestContext, UserCaller } from '../../../../context.ts'
import { findMembership, findProfileRef } from '../../../../platform/access/queries.ts'
import { recordChange } from '../../../../platform/audit/record.ts'
import { ApiError, noProfile } from '../../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { type Db, inTransaction, type Tx } from '../../../../platform/db/database.ts'
import { lockProfile } from '../../../../platform/db/profile-lock.ts'
import { enqueueMany } from '../../../../platform/jobs/enqueue.ts'
import * as queries from './queries.ts'
import { removeFromLists } from './removal-job.ts'
import { personHash } from './rules.ts'

type ExclusionContext = RequestContext & { caller: UserCaller | AppCaller }

export async function saveAudienceExclusions(
  context: ExclusionContext,
  profileId: string,
  body: { customer_ids: string[]; reason?: string | undefined },
) {
  const profile = await requirePermittedProfile(context, profileId)
  const excludedIds = [...new Set(body.customer_ids)]
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    await refuseUnknownCustomers(tx, profileId, excludedIds)
    const before = await queries.listExclusions(tx, { profileId })
    const previousIds = new Set(before.map((row) => row.customerId))
    const added = excludedIds.filter((id) => !previousIds.has(id))
    const removed = before.filter((row) => !excludedIds.includes(row.customerId))
    await queries.deleteExclusions(tx, { profileId, ids: removed.map((row) => row.id) })
    const rows = added.map((customerId) => ({ id: uuidv7(context.now), customerId }))
    await queries.insertExclusions(tx, { profileId, rows, reason: body.reason ?? null, now: context.now })
    const removals = await queueRemovals(tx, profileId, added)
    await recordChange(tx, context, {
      workspaceId: profile.workspaceId,
      profileId,
      action: 'audience.exclusions_saved',
      subject: profileId,
      detail: { excluded: excludedIds.length, added: added.length, removed: removed.length },
    })
    return {
      excluded: excludedIds.length,
      added: added.length,
      removed: removed.length,
      removals_queued: removals,
    }
  })
}

/** True if the person with these identifiers is excluded from the profile's customer lists. */
export function isExcluded(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[] },
): Promise<boolean> {
  return queries.hasExclusion(db, { ...params, hashes: params.identifierIds.map(personHash) })
}

/** Allows the app that provisioned the profile, and members who may change it. */
async function requirePermittedProfile(context: ExclusionContext, profileId: string): Promise<ProfileRef> {
  const { caller, db } = context
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) throw noProfile()
  if (caller.kind === 'app') {
    if (profile.provisionedByAppId !== caller.appId) throw noProfile()
    return profile
  }
  const member = await findMembership(db, { profile, userId: caller.userId })
  if (member === undefined) throw noProfile()
  if (member.role === 'viewer')
    throw new ApiError(
      'forbidden',
      'Excluding customers requires the role editor in this profile; your role is viewer.',
    )
  return profile
}

async function refuseUnknownCustomers(tx: Tx, profileId: string, ids: readonly string[]): Promise<void> {
  const alive = await queries.listLiveCustomers(tx, { profileId, ids })
  const unknownId = ids.find((id) => !alive.has(id))
  if (unknownId !== undefined)
    throw new ApiError(
      'customer_not_in_profile',
      `${unknownId} is not a customer of this profile, or was merged into another.`,
      { field: 'customer_ids' },
    )
}

/** Queues one job per list that contains one of the customers. Returns the number of memberships. */
async function queueRemovals(tx: Tx, profileId: string, customerIds: readonly string[]): Promise<number> {
  if (customerIds.length === 0) return 0
  const memberships = await queries.listMemberships(tx, { profileId, customerIds })
  await enqueueMany(
    tx,
    removeFromLists,
    [...new Set(memberships.map((row) => row.list_id))].map((listId) => ({
      payload: { list_id: listId },
      profileId,
      dedupeKey: listId,
    })),
  )
  return memberships.length
}
