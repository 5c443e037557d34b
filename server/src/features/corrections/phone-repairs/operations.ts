import type { ProfileContext } from '../../../context.ts'
import { actorOf, recordInProfile } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { isUuid, uuidv7 } from '../../../platform/contract/ids.ts'
import { decodeCursor, invalidCursor, toPage } from '../../../platform/contract/page.ts'
import { toError } from '../../../platform/contract/refusal.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { repairPhones } from './jobs.ts'
import * as queries from './queries.ts'

export async function startPhoneRepair(
  context: ProfileContext,
  { include_unresolved: includeUnresolved }: { include_unresolved: boolean },
): Promise<queries.RepairRow> {
  const { now } = context
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    await refuseWhileOpen(tx, profileId)
    const id = uuidv7(now)
    const by = actorOf(context.caller).actor_id
    await queries.insertRepair(tx, { profileId, id, includeUnresolved, by, now })
    await enqueueRepair(tx, context, { id, action: 'identity.phone_repair_started' })
    return (await queries.findRepair(tx, { profileId, id }))!
  })
}

export async function undoPhoneRepair(context: ProfileContext, id: string): Promise<queries.RepairRow> {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const repair = await queries.findRepair(tx, { profileId, id })
    if (repair === undefined) throw new ApiError('not_found', 'No such phone repair.')
    if (repair.status === 'undone' || repair.status === 'undoing') return repair
    await refuseWhileOpen(tx, profileId)
    await queries.moveRepair(tx, { profileId, id, from: 'applied', to: 'undoing', finishedAt: null })
    await enqueueRepair(tx, context, { id, action: 'identity.phone_repair_undone' })
    return (await queries.findRepair(tx, { profileId, id }))!
  })
}

export function listPhoneRepairs(
  context: ProfileContext,
  query: { cursor?: string | undefined; limit: number },
) {
  return queries
    .listRepairs(context.db, {
      profileId: context.profile.id,
      before: cursorId(query.cursor),
      limit: query.limit + 1,
    })
    .then((rows) => toPage(rows, query.limit, (row) => [row.id]))
}

export function cursorId(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const id = decodeCursor(cursor)?.[0]
  if (typeof id !== 'string' || !isUuid(id)) throw toError(invalidCursor())
  return id
}

/** Two concurrent repairs would keep reprocessing the same events. */
async function refuseWhileOpen(tx: Tx, profileId: string): Promise<void> {
  if (await queries.hasOpenRepair(tx, profileId))
    throw new ApiError('invalid_state', 'Another phone repair of this profile is running.', {
      reason: 'repair_running',
    })
}

async function enqueueRepair(
  tx: Tx,
  context: ProfileContext,
  change: { id: string; action: string },
): Promise<void> {
  const profileId = context.profile.id
  await enqueue(tx, repairPhones, { repairId: change.id }, { profileId, dedupeKey: change.id })
  await recordInProfile(tx, context, { action: change.action, subject: change.id })
}
