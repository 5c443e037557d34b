/** Compares what an export's files were written from with what the tables contain now, whatever the last run looked at. */

import { isHealthcare } from '../src/context.ts'
import { changesOf } from '../src/features/outgoing/data-exports/manifest-rules.ts'
import { findDestination, listFiles } from '../src/features/outgoing/data-exports/queries.ts'
import { listPartitions } from '../src/features/outgoing/data-exports/queries-tables.ts'
import { exportTables } from '../src/features/outgoing/data-exports/tables.ts'
import { findProfileRef } from '../src/platform/access/queries.ts'
import { inSnapshot } from '../src/platform/db/database.ts'
import type { TestApp } from './app.ts'

/** `table day` of every file that is not as a scan of all tables would have it. */
export async function staleFiles(app: TestApp, profileId: string, destinationId: string): Promise<string[]> {
  const { db } = app.service
  const profile = (await findProfileRef(db, { profileId }))!
  const destination = (await findDestination(db, { profileId, id: destinationId }))!
  const scope = {
    profileId,
    timezone: profile.timezone,
    currency: profile.currency,
    includeIdentifiers: destination.include_identifiers && !isHealthcare(profile),
  }
  const files = (await listFiles(db, { profileId, destinationId })).filter(({ state }) => state === 'current')
  return inSnapshot(db, async (tx) => {
    const stale: string[] = []
    for (const table of exportTables) {
      const found = await listPartitions(tx, table, scope)
      const own = files.filter((file) => file.table_name === table.name && file.rows > 0)
      const { written, removed } = changesOf(found, own)
      for (const day of [...written.map((partition) => partition.day), ...removed])
        stale.push(`${table.name} ${day ?? ''}`.trim())
    }
    return stale
  })
}
