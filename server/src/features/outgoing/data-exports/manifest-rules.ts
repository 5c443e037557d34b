/** Decides which partitions are rewritten, and builds the manifest that lists every file. Pure. */

import type { Partition } from './partition-queries.ts'
import type { FileRow } from './queries.ts'
import { exportTables, SCHEMA_VERSION, type TableName } from './tables.ts'

/** Replaced files are kept this long, for readers that still use the previous manifest. */
export const GRACE_MS = 24 * 3_600_000

const keyOf = (day: string | null): string => day ?? ''

export type Changes = {
  /** Partitions to write. */
  changed: Partition[]
  /** Files of changed days and of days without rows. */
  replaced: FileRow[]
  /** Days that no longer have rows. */
  removed: string[]
}

/** Compares the partitions of a table with the files of the last manifest. */
export function comparePartitions(partitions: readonly Partition[], current: readonly FileRow[]): Changes {
  const fingerprints = new Map(current.map((file) => [keyOf(file.day), file.fingerprint]))
  const changed = partitions.filter(({ day, fingerprint }) => fingerprints.get(keyOf(day)) !== fingerprint)
  const days = new Set(partitions.map(({ day }) => keyOf(day)))
  const changedDays = new Set(changed.map(({ day }) => keyOf(day)))
  const replaced = current.filter(({ day }) => changedDays.has(keyOf(day)) || !days.has(keyOf(day)))
  const removed = [...new Set(replaced.flatMap(({ day }) => (days.has(keyOf(day)) ? [] : [keyOf(day)])))]
  return { changed, replaced, removed }
}

export function pathOf(table: TableName, day: string | null, attemptId: string, part: number): string {
  const folder = day === null ? table : `${table}/day=${day}`
  return `${folder}/${attemptId}-${part}.parquet`
}

type ManifestFacts = {
  profileId: string
  runId: string
  now: Date
  currency: string
  timezone: string
  changeNumber: number | null
  erasures: number
  files: readonly FileRow[]
  replaced: readonly FileRow[]
}

export function toManifest(facts: ManifestFacts): string {
  const tables = exportTables.flatMap(({ name, byDay }) => {
    const files = facts.files.filter((file) => file.table_name === name)
    if (files.length === 0) return []
    const days = files.flatMap(({ day }) => (day === null ? [] : [day])).sort()
    return [
      {
        name,
        rows: files.reduce((total, file) => total + file.rows, 0),
        min_day: byDay ? days[0]! : null,
        max_day: byDay ? days.at(-1)! : null,
        files: files.map(({ path, day, rows, bytes, sha256, sums }) => ({
          path,
          day,
          rows,
          bytes,
          sha256,
          sums,
        })),
      },
    ]
  })
  const manifest = {
    schema_version: SCHEMA_VERSION,
    profile_id: facts.profileId,
    run_id: facts.runId,
    written_at: facts.now.toISOString(),
    currency: facts.currency,
    timezone: facts.timezone,
    change_number: facts.changeNumber,
    /** People erased since the previous manifest; copies of replaced files may contain them. */
    erasures: facts.erasures,
    tables,
    replaced: facts.replaced.map(({ path }) => path),
  }
  return `${JSON.stringify(manifest, null, 1)}\n`
}
