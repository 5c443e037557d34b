/** Writes the changed days of all tables to the spool, from one snapshot. */
import { createHash } from 'node:crypto'
import { isHealthcare } from '../../../context.ts'
import { dayAt } from '../../../platform/contract/dates.ts'
import { readDay } from '../../../platform/db/copy/copy-out.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { version } from '../../../platform/version.ts'
import { HashSum } from './hash-sum.ts'
import { comparePartitions, pathOf } from './manifest-rules.ts'
import { ParquetFile } from './parquet.ts'
import {
  allowLongStatements,
  listPartitions,
  movesChangeNumber,
  type Partition,
  type RowScope,
  readChangeNumber,
  readRows,
  toFingerprint,
} from './partition-queries.ts'
import * as queries from './queries.ts'
import { createRowWriter } from './rows.ts'
import type { RunContext, RunResult } from './run-context.ts'
import { sourceColumns } from './source-columns.ts'
import type { Spool } from './spool.ts'
import { type ExportTable, exportTables } from './tables.ts'

/** Keeps a file small enough for memory and for one request. */
const MAX_FILE_ROWS = 250_000
const ROWS_PER_ABORT_CHECK = 1024

export async function spoolChanges(
  tx: Tx,
  context: RunContext,
  spool: Spool,
  current: readonly queries.FileRow[],
): Promise<RunResult> {
  const { profile, destination, run } = context
  const scope: RowScope = {
    profileId: profile.id,
    timezone: profile.timezone,
    currency: profile.currency,
    includeIdentifiers: destination.include_identifiers && !isHealthcare(profile),
  }
  await allowLongStatements(tx)
  const changes = await readChangeNumber(tx, profile.id)
  const result: RunResult = {
    files: [],
    includesIdentifiers: scope.includeIdentifiers,
    replaced: [],
    tables: [],
    changeNumber: changes.number,
    state: JSON.stringify([changes.parts, scope, destination.tables, version]),
    erasuresSeen: await queries.countErasures(tx, profile.id),
  }
  const isUnchanged = !run.is_full && destination.written_state === result.state
  for (const table of exportTables) {
    if (isUnchanged && movesChangeNumber(table.name, scope)) continue
    context.signal.throwIfAborted()
    const isSelected = destination.tables.length === 0 || destination.tables.includes(table.name)
    const currentFiles = current.filter((file) => file.table_name === table.name)
    const work: TableWork = { tx, context, spool, table, scope }
    // If all days are written, no fingerprints are needed and the table is read only once.
    const { files, replaced, daysRemoved } =
      isSelected && (run.is_full || currentFiles.length === 0)
        ? await rewriteTable(work, currentFiles)
        : await rewriteChangedDays(work, currentFiles, isSelected)
    if (files.length === 0 && replaced.length === 0) continue
    result.files.push(...files)
    result.replaced.push(...replaced)
    result.tables.push(toWrittenTable(table, files, daysRemoved))
  }
  return result
}

type TableWork = { tx: Tx; context: RunContext; spool: Spool; table: ExportTable; scope: RowScope }
type TableFiles = { files: queries.FileRow[]; replaced: queries.FileRow[]; daysRemoved: number }

async function rewriteTable(work: TableWork, currentFiles: queries.FileRow[]): Promise<TableFiles> {
  const files = await spoolTable(work, null)
  const days = new Set(files.map(({ day }) => day))
  const removedDays = currentFiles.flatMap(({ day }) => (day === null || days.has(day) ? [] : [day]))
  return { files, replaced: currentFiles, daysRemoved: new Set(removedDays).size }
}

async function rewriteChangedDays(
  work: TableWork,
  currentFiles: queries.FileRow[],
  isSelected: boolean,
): Promise<TableFiles> {
  const { tx, table, scope, context } = work
  const partitions = isSelected ? orEmptyPartition(await listPartitions(tx, table, scope)) : []
  context.signal.throwIfAborted()
  const { changed, replaced, removed } = comparePartitions(partitions, currentFiles)
  const days = table.byDay ? changed.flatMap(({ day }) => (day === null ? [] : [day])) : null
  const files = changed.length === 0 ? [] : await spoolTable(work, days)
  return { files, replaced, daysRemoved: removed.length }
}

const EMPTY = 'empty'

/** A table without rows gets one empty file, so that readers find its columns. */
function orEmptyPartition(partitions: Partition[]): Partition[] {
  return partitions.length > 0 ? partitions : [{ day: null, rows: 0, fingerprint: EMPTY }]
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

/** Writes the files of the days; of all days if null. */
async function spoolTable(
  { tx, context, spool, table, scope }: TableWork,
  days: readonly string[] | null,
): Promise<queries.FileRow[]> {
  const file = new ParquetFile(table.columns, `whence version ${version}`)
  const write = createRowWriter(table, file)
  const files: queries.FileRow[] = []
  let open: { day: string | null; number: number | null; part: number } | undefined
  let hashes = new HashSum()
  const finishFile = () => {
    const { day, part } = open!
    const path = pathOf(table.name, day, context.attemptId, part)
    const { row, bytes } = toFileRow(context, table, file, { path, day })
    spool.put(path, bytes)
    files.push(row)
  }
  const finishDay = () => {
    if (open === undefined) return
    finishFile()
    const fingerprint = hashes.rows === 0 ? EMPTY : toFingerprint(hashes.rows, hashes.sum())
    for (const row of files.slice(-open.part)) row.fingerprint = fingerprint
    hashes = new HashSum()
  }
  const hashField = sourceColumns(table).length
  let rows = 0
  await readRows(tx, table, scope, days, (row) => {
    if (rows++ % ROWS_PER_ABORT_CHECK === 0) context.signal.throwIfAborted()
    const number = table.byDay ? readDay(row.view, row.at[0]!) : null
    if (open === undefined || open.number !== number) {
      finishDay()
      open = { day: number === null ? null : dayAt(number), number, part: 1 }
    } else if (file.rows >= MAX_FILE_ROWS) {
      finishFile()
      open.part += 1
    }
    hashes.add(row, hashField)
    write(row)
  })
  if (rows === 0) open = { day: null, number: null, part: 1 }
  finishDay()
  return files
}

function toFileRow(
  { service, profile, destination }: RunContext,
  table: ExportTable,
  file: ParquetFile,
  { path, day }: { path: string; day: string | null },
): { row: queries.FileRow; bytes: Uint8Array } {
  const { bytes, rows, sums } = file.finish()
  const row: queries.FileRow = {
    profile_id: profile.id,
    destination_id: destination.id,
    path,
    state: 'writing',
    table_name: table.name,
    day,
    // Set when all rows of the day are read.
    fingerprint: '',
    rows,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sums,
    created_at: service.clock.now(),
    replaced_at: null,
  }
  return { row, bytes }
}
