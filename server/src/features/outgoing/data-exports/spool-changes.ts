/** Reads the days whose rows changed, in one snapshot, into files on this machine. */
import { createHash } from 'node:crypto'
import { isHealthcare } from '../../../context.ts'
import { dayAt } from '../../../platform/contract/dates.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { version } from '../../../platform/version.ts'
import { changesOf, pathOf } from './manifest-rules.ts'
import { ParquetFile } from './parquet.ts'
import * as queries from './queries.ts'
import {
  isCounted,
  listPartitions,
  type Partition,
  type RowScope,
  readChanges,
  readRows,
} from './queries-tables.ts'
import { forEachExportRow } from './rows.ts'
import type { Spool } from './spool.ts'
import { type ExportTable, exportTables } from './tables.ts'
import type { Writing, Written } from './writing.ts'

/** A file has at most so many rows, so that it fits into memory and into one request. */
const MAX_FILE_ROWS = 250_000

export async function spoolChanges(
  tx: Tx,
  writing: Writing,
  spool: Spool,
  current: readonly queries.FileRow[],
): Promise<Written> {
  const { profile, destination, run } = writing
  const scope: RowScope = {
    profileId: profile.id,
    timezone: profile.timezone,
    currency: profile.currency,
    includeIdentifiers: destination.include_identifiers && !isHealthcare(profile),
  }
  const changed = await readChanges(tx, profile.id)
  const written: Written = {
    files: [],
    includesIdentifiers: scope.includeIdentifiers,
    replaced: [],
    tables: [],
    changeNumber: changed.number,
    state: JSON.stringify([changed.parts, scope, destination.tables, version]),
    erasuresSeen: await queries.countErasures(tx, profile.id),
  }
  const isUnmoved = !run.is_full && destination.written_state === written.state
  for (const table of exportTables) {
    if (isUnmoved && isCounted(table.name, scope)) continue
    writing.signal.throwIfAborted()
    const isWanted = destination.tables.length === 0 || destination.tables.includes(table.name)
    const partitions = isWanted ? orEmpty(await listPartitions(tx, table, scope)) : []
    writing.signal.throwIfAborted()
    const own = current.filter((file) => file.table_name === table.name)
    const changes = changesOf(partitions, own, run.is_full)
    if (changes.written.length === 0 && changes.replaced.length === 0) continue
    const files =
      changes.written.length === 0
        ? []
        : await spoolTable(tx, writing, spool, { table, scope, partitions: changes.written })
    written.files.push(...files)
    written.replaced.push(...changes.replaced)
    written.tables.push(toWrittenTable(table, files, changes.removed.length))
  }
  return written
}

/** A table without rows has one empty file, so that readers find its columns. */
function orEmpty(partitions: Partition[]): Partition[] {
  return partitions.length > 0 ? partitions : [{ day: null, rows: 0, fingerprint: 'empty' }]
}

const MAX_DAYS_LISTED = 400

function toWrittenTable(
  table: ExportTable,
  files: readonly queries.FileRow[],
  daysRemoved: number,
): queries.WrittenTable {
  const days = [...new Set(files.flatMap(({ day }) => (day === null ? [] : [day])))]
  return {
    table: table.name,
    rows: files.reduce((total, { rows }) => total + rows, 0),
    bytes: files.reduce((total, { bytes }) => total + bytes, 0),
    files: files.length,
    days: days.slice(-MAX_DAYS_LISTED),
    days_written: days.length,
    days_removed: daysRemoved,
  }
}

async function spoolTable(
  tx: Tx,
  writing: Writing,
  spool: Spool,
  work: { table: ExportTable; scope: RowScope; partitions: readonly Partition[] },
): Promise<queries.FileRow[]> {
  const { table, scope } = work
  const fingerprints = new Map(work.partitions.map(({ day, fingerprint }) => [day ?? '', fingerprint]))
  const days = table.byDay ? work.partitions.flatMap(({ day }) => (day === null ? [] : [day])) : null
  const files: queries.FileRow[] = []
  let open: { day: string | null; part: number; file: ParquetFile } | undefined
  const begin = (day: string | null, part: number) => ({
    day,
    part,
    file: new ParquetFile(table.columns, `whence version ${version}`),
  })
  const finish = () => {
    if (open === undefined) return
    const { day, part, file } = open
    const place = {
      path: pathOf(table.name, day, writing.attemptId, part),
      day,
      fingerprint: fingerprints.get(day ?? '')!,
    }
    const { row, bytes } = contentOf(writing, table, file, place)
    spool.put(row.path, bytes)
    files.push(row)
  }
  let lastDay: { number: number; day: string } | undefined
  const dayOf = (number: number) => {
    if (lastDay?.number !== number) lastDay = { number, day: dayAt(number) }
    return lastDay.day
  }
  await readRows(tx, table, scope, days, (row) => {
    writing.signal.throwIfAborted()
    const day = table.byDay ? dayOf(row.day as number) : null
    if (open === undefined || open.day !== day || open.file.rows >= MAX_FILE_ROWS) {
      finish()
      open = begin(day, open?.day === day ? open.part + 1 : 1)
    }
    const { file } = open
    forEachExportRow(table.name, row, (exported) => file.add(exported))
  })
  if (work.partitions.every(({ rows }) => rows === 0)) open = begin(null, 1)
  finish()
  return files
}

function contentOf(
  { service, profile, destination }: Writing,
  table: ExportTable,
  file: ParquetFile,
  { path, day, fingerprint }: { path: string; day: string | null; fingerprint: string },
): { row: queries.FileRow; bytes: Uint8Array } {
  const { bytes, rows, sums } = file.finish()
  const row: queries.FileRow = {
    profile_id: profile.id,
    destination_id: destination.id,
    path,
    state: 'writing',
    table_name: table.name,
    day,
    fingerprint,
    rows,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sums,
    created_at: service.clock.now(),
    replaced_at: null,
  }
  return { row, bytes }
}
