/**
 * `npm run backup -- --verify FILE`: restores into a database that exists only for this, and compares the result hash of
 * each profile's report with that of the running database as of the backup.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { closedThrough, DEFAULT_GRACE_HOURS } from '../../features/facts/restatements/closed-days.ts'
import { getOverview } from '../../features/insights/reports/overview.ts'
import { addDays, parseDateRange } from '../../platform/contract/dates.ts'
import { ApiError } from '../../platform/contract/errors.ts'
import { databaseNow, openDatabase } from '../../platform/db/database.ts'
import { startEmbedded } from '../../platform/db/embedded.ts'
import { type Nodes, openNodes } from '../../platform/db/nodes.ts'
import { type Connection, restoreBackup } from './files.ts'
import { BackupError } from './format.ts'

const COMPARED_DAYS = 90

type Source = { nodes: Nodes; now: Date }
type Profile = { id: string; currency: string; timezone: string }

export async function verifyBackup(
  config: Config,
  { file, keys, running }: { file: string; keys: string; running: Connection | undefined },
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-verify-'))
  const scratch = await startEmbedded({ dataDir: join(folder, 'database'), log: () => {} })
  try {
    const { rows, tables, at } = await restoreBackup(scratch.config, file, keys, new Date())
    const restored = `Restored ${rows} rows of ${tables} tables, as of ${at.toISOString()}.`
    if (running === undefined) return [restored, 'No database is running, so no report was compared.']
    const lines = await withReports(config, scratch.config, (backup, profiles) =>
      withReports(config, running, (current) => compareReports(backup, current, profiles, at)),
    )
    return [restored, ...lines]
  } finally {
    await scratch.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function withReports<T>(
  config: Config,
  connection: Connection,
  work: (source: Source, profiles: readonly Profile[]) => Promise<T>,
): Promise<T> {
  const { db, close } = openDatabase({ ...connection, max: 2 })
  try {
    const limitMs = config.DATABASE_TIMEOUT_SECONDS * 1000
    const isDirect = config.DATABASE_NODES === 'direct'
    const nodes = await openNodes(db, { limitMs, isDirect, onError: () => {} })
    try {
      const { rows } = await sql<Profile>`select id, currency, timezone from profiles order by id`.execute(db)
      return await work({ nodes, now: await databaseNow(db) }, rows)
    } finally {
      await nodes.close()
    }
  } finally {
    await close()
  }
}

async function compareReports(
  backup: Source,
  current: Source,
  profiles: readonly Profile[],
  at: Date,
): Promise<string[]> {
  const different: string[] = []
  let compared = 0
  for (const profile of profiles) {
    const to = closedThrough(at, profile.timezone, DEFAULT_GRACE_HOURS)
    const range = parseDateRange(addDays(to, 1 - COMPARED_DAYS), to)
    if (!range.ok) throw new RangeError(range.problem)
    const hashOf = async ({ nodes, now }: Source, asOf?: Date) => {
      const scope = { range: range.range, model: 'last_touch' as const, asOf }
      return (await getOverview({ service: { nodes }, profile, now }, scope)).meta.result_hash
    }
    const hashThen = await hashOf(current, at).catch((error: unknown) => {
      // Deleted since, or the record of changes is younger than the backup.
      if (error instanceof ApiError) return undefined
      throw error
    })
    if (hashThen === undefined) continue
    compared++
    if (hashThen !== (await hashOf({ ...backup, now: at }))) different.push(profile.id)
  }
  if (different.length > 0)
    throw new BackupError(
      `The reports of ${different.length} of ${compared} profiles differ from those of the running database as of the backup: ${different.slice(0, 5).join(', ')}.`,
    )
  return [
    `The reports of ${compared} of ${profiles.length} profiles are those of the running database as of then; the others have no record of that time.`,
  ]
}
