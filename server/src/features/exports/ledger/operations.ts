import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../contract/errors.ts'
import { isUuid } from '../../../contract/ids.ts'
import { decodeCursor, toPage } from '../../../contract/page.ts'
import { listLedger, listRuns, type RunRow } from './queries.ts'

type Paged = { cursor?: string | undefined; limit: number }

/** One that cannot be read begins at the beginning. */
function placeOf(cursor: string | undefined): string | null {
  const id = cursor === undefined ? undefined : decodeCursor(cursor)?.[0]
  return typeof id === 'string' && isUuid(id) ? id : null
}

export async function listExportRuns(
  context: ProfileContext,
  query: Paged & { destination_id?: string | undefined; status?: string | undefined },
) {
  const found = await listRuns(context.db, {
    profileId: context.profile.id,
    destinationId: query.destination_id,
    status: query.status,
    before: placeOf(query.cursor),
    limit: query.limit + 1,
  })
  return toPage(found, query.limit, (row) => [row.run_id])
}

export async function getExportRun(context: ProfileContext, id: string): Promise<RunRow> {
  const [row] = await listRuns(context.db, { profileId: context.profile.id, id, before: null, limit: 1 })
  if (row === undefined) throw new ApiError('not_found', 'No such export run.')
  return row
}

export async function listExportLedger(
  context: ProfileContext,
  query: Paged & {
    destination_id?: string | undefined
    conversion_id?: string | undefined
    run_id?: string | undefined
    status?: string | undefined
  },
) {
  const found = await listLedger(context.db, {
    profileId: context.profile.id,
    destinationId: query.destination_id,
    conversionId: query.conversion_id,
    runId: query.run_id,
    status: query.status,
    before: placeOf(query.cursor),
    limit: query.limit + 1,
  })
  return toPage(found, query.limit, (row) => [row.id])
}
