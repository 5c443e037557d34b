/** Compares the files of a data export with the current tables, independent of the last run. */

import { isHealthcare } from '../src/context.ts'
import { comparePartitions } from '../src/features/outgoing/data-exports/manifest-rules.ts'
import { listPartitions } from '../src/features/outgoing/data-exports/partition-queries.ts'
import { findDestination, listFiles } from '../src/features/outgoing/data-exports/queries.ts'
import { exportTables } from '../src/features/outgoing/data-exports/tables.ts'
import { findProfileRef } from '../src/platform/access/queries.ts'
import { inSnapshot } from '../src/platform/db/database.ts'
import type { TestApp } from './app.ts'

/** `table day` of every file whose content differs from the table. */
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
      const partitions = await listPartitions(tx, table, scope)
      const tableFiles = files.filter((file) => file.table_name === table.name && file.rows > 0)
      const { changed, removed } = comparePartitions(partitions, tableFiles)
      for (const day of [...changed.map((partition) => partition.day), ...removed])
        stale.push(`${table.name} ${day ?? ''}`.trim())
    }
    return stale
  })
}
