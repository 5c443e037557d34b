import type { ProfileContext } from '../../../context.ts'
import { callerId } from '../../../platform/access/caller-id.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import type { SavedView } from './contract.ts'
import * as queries from './queries.ts'

const MAX_VIEWS = 100

const toView = (row: queries.ViewRow, userId: string): SavedView => ({
  id: row.id,
  page: row.page as SavedView['page'],
  name: row.name,
  values: row.values,
  shared: row.shared,
  own: row.user_id === userId,
  updated_at: row.updated_at.toISOString(),
})

export async function listSavedViews(context: ProfileContext, page: string) {
  const userId = callerId(context)
  const rows = await queries.listViews(context.db, { profileId: context.profile.id, page, userId })
  return rows.map((row) => toView(row, userId))
}

export function saveView(
  context: ProfileContext,
  view: { page: string; name: string; values: Record<string, string | boolean>; shared: boolean },
) {
  const userId = callerId(context)
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    if ((await queries.countViews(tx, { profileId, userId, otherThan: view.name })) >= MAX_VIEWS)
      throw new ApiError('validation_error', `A person keeps at most ${MAX_VIEWS} views. Remove some first.`)
    const row = await queries.upsertView(tx, {
      ...view,
      profileId,
      id: uuidv7(context.now),
      user_id: userId,
      now: context.now,
    })
    return toView(row, userId)
  })
}

export async function deleteView(context: ProfileContext, id: string): Promise<null> {
  const userId = callerId(context)
  if (!(await queries.removeView(context.db, { profileId: context.profile.id, id, userId })))
    throw new ApiError('not_found', 'No such view of yours.')
  return null
}
