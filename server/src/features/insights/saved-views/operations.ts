import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { callerId } from '../../../platform/access/caller-id.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import type { SavedView } from './contract.ts'
import * as queries from './queries.ts'

/** Owners and admins of the workspace may delete views shared by others. */
const removesShared = ({ role }: ProfileContext) => role === 'owner' || role === 'admin'

const toView = (
  context: ProfileContext,
  row: queries.ViewRow,
  userId: string,
): z.input<typeof SavedView> => ({
  id: row.id,
  page: row.page as SavedView['page'],
  name: row.name,
  values: row.values,
  shared: row.shared,
  own: row.user_id === userId,
  removable: row.user_id === userId || (row.shared && removesShared(context)),
  updated_at: row.updated_at,
})

export async function listSavedViews(context: ProfileContext, { page }: { page: string }) {
  const userId = callerId(context)
  const rows = await queries.listViews(context.db, { profileId: context.profile.id, page, userId })
  return rows.map((row) => toView(context, row, userId))
}

export function saveView(
  context: ProfileContext,
  view: { page: string; name: string; values: Record<string, string | boolean>; shared: boolean },
) {
  const userId = callerId(context)
  const profileId = context.profile.id
  if (view.shared) requireSharing(context)
  return inTransaction(context.db, async (tx) => {
    const otherViews = { profileId, userId, otherThan: view.name }
    await requireBelowLimit(tx, 'saved_views', `${profileId} ${userId}`, () =>
      queries.countViews(tx, otherViews),
    )
    if (view.shared)
      await requireBelowLimit(tx, 'shared_views', profileId, () => queries.countSharedViews(tx, otherViews))
    const row = await queries.upsertView(tx, {
      ...view,
      profileId,
      id: uuidv7(context.now),
      user_id: userId,
      now: context.now,
    })
    return toView(context, row, userId)
  })
}

/** A shared view is visible to everyone, so it needs the same permission as other changes to the profile. */
function requireSharing({ caller, role, scopes }: ProfileContext): void {
  if (scopes.includes('tracking:write')) return
  if (caller.kind === 'user' && caller.via === 'session')
    throw new ApiError('forbidden', `Your role ${role} in this profile can save views, but not share them.`)
  throw new ApiError('insufficient_scope', 'Sharing a view needs the scope tracking:write.', {
    required_scopes: ['tracking:write'],
  })
}

export async function deleteView(context: ProfileContext, id: string): Promise<null> {
  const userId = callerId(context)
  const profileId = context.profile.id
  if (!(await queries.removeView(context.db, { profileId, id, userId, orShared: removesShared(context) })))
    throw new ApiError('not_found', 'There is no such view that you may delete.')
  return null
}
