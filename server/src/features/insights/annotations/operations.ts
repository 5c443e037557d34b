import type { ProfileContext } from '../../../context.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordInProfile } from '../../../platform/audit/record.ts'
import type { DateRange } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import * as queries from './queries.ts'

const missing = () => new ApiError('not_found', 'No such note.')

export async function listAnnotations({ db, profile }: ProfileContext, range: DateRange) {
  return queries.listNotes(db, { profileId: profile.id, ...range })
}

export function createAnnotation(context: ProfileContext, note: { day: string; text: string }) {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await requireBelowLimit(tx, 'annotations', profileId, () => queries.countNotes(tx, { profileId }))
    const row = await queries.insertNote(tx, {
      ...note,
      profileId,
      id: uuidv7(context.now),
      now: context.now,
    })
    await recordInProfile(tx, context, { action: 'annotation.created', subject: row.id })
    return row
  })
}

export function updateAnnotation(
  context: ProfileContext,
  id: string,
  change: { day?: string | undefined; text?: string | undefined },
) {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    const row = await queries.updateNote(tx, { ...change, profileId, id, now: context.now })
    if (row === undefined) throw missing()
    await recordInProfile(tx, context, { action: 'annotation.changed', subject: id })
    return row
  })
}

export function deleteAnnotation(context: ProfileContext, id: string): Promise<null> {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    if (!(await queries.deleteNote(tx, { profileId, id }))) throw missing()
    await recordInProfile(tx, context, { action: 'annotation.deleted', subject: id })
    return null
  })
}
