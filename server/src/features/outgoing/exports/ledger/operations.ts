import type { ProfileContext } from '../../../../context.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { readIdCursor, toPage } from '../../../../platform/contract/page.ts'
import { accepted } from '../../../../platform/contract/refusal.ts'
import { listLedger, listRuns, type RunRow } from './queries.ts'

type Paged = { cursor?: string | undefined; limit: number }

export async function listExportRuns(
  context: ProfileContext,
  query: Paged & { destination_id?: string | undefined; status?: string | undefined },
) {
  const rows = await listRuns(context.db, {
    profileId: context.profile.id,
    destinationId: query.destination_id,
    status: query.status,
    before: accepted(readIdCursor(query.cursor)),
    limit: query.limit + 1,
  })
  return toPage(rows, query.limit, (row) => [row.run_id])
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
  const rows = await listLedger(context.db, {
    profileId: context.profile.id,
    destinationId: query.destination_id,
    conversionId: query.conversion_id,
    runId: query.run_id,
    status: query.status,
    before: accepted(readIdCursor(query.cursor)),
    limit: query.limit + 1,
  })
  return toPage(rows, query.limit, (row) => [row.id])
}
