/** Reads the days whose rows changed, in one snapshot, into files on this machine. */
import { createHash } from 'node:crypto'
import { isHealthcare } from '../../../context.ts'
import { dayAt } from '../../../platform/contract/dates.ts'
import { readDay } from '../../../platform/db/copy/copy-out.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { version } from '../../../platform/version.ts'
import { HashSum } from './hash-sum.ts'
import { changesOf, pathOf } from './manifest-rules.ts'
import { ParquetFile } from './parquet.ts'
import * as queries from './queries.ts'
import {
  allowLongStatements,
  fingerprintOf,
  isCounted,
  listPartitions,
  type Partition,
  type RowScope,
  readChanges,
  readRows,
} from './queries-tables.ts'
import { rowWriter } from './rows.ts'
import { sourceColumns } from './source-columns.ts'
import type { Spool } from './spool.ts'
import { type ExportTable, exportTables } from './tables.ts'
import type { Writing, Written } from './writing.ts'

/** A file has at most so many rows, so that it fits into memory and into one request. */
const MAX_FILE_ROWS = 250_000
const ROWS_A_CHECK = 1024

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
  await allowLongStatements(tx)
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
    const own = current.filter((file) => file.table_name === table.name)
    const work: TableWork = { tx, writing, spool, table, scope }
    // Where every day is written, its rows are read once.
    const { files, replaced, daysRemoved } =
      isWanted && (run.is_full || own.length === 0)
        ? await rewriteTable(work, own)
        : await rewriteChangedDays(work, own, isWanted)
    if (files.length === 0 && replaced.length === 0) continue
    written.files.push(...files)
    written.replaced.push(...replaced)
    written.tables.push(toWrittenTable(table, files, daysRemoved))
  }
  return written
}

type TableWork = { tx: Tx; writing: Writing; spool: Spool; table: ExportTable; scope: RowScope }
type TableFiles = { files: queries.FileRow[]; replaced: queries.FileRow[]; daysRemoved: number }

async function rewriteTable(work: TableWork, own: queries.FileRow[]): Promise<TableFiles> {
  const files = await spoolTable(work, null)
  const days = new Set(files.map(({ day }) => day))
  const gone = own.flatMap(({ day }) => (day === null || days.has(day) ? [] : [day]))
  return { files, replaced: own, daysRemoved: new Set(gone).size }
}

async function rewriteChangedDays(
  work: TableWork,
  own: queries.FileRow[],
  isWanted: boolean,
): Promise<TableFiles> {
  const { tx, table, scope, writing } = work
  const partitions = isWanted ? orEmpty(await listPartitions(tx, table, scope)) : []
  writing.signal.throwIfAborted()
  const { written, replaced, removed } = changesOf(partitions, own)
  const days = table.byDay ? written.flatMap(({ day }) => (day === null ? [] : [day])) : null
  const files = written.length === 0 ? [] : await spoolTable(work, days)
  return { files, replaced, daysRemoved: removed.length }
}

const EMPTY = 'empty'

/** A table without rows has one empty file, so that readers find its columns. */
function orEmpty(partitions: Partition[]): Partition[] {
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

/** Files of some days, or of all. */
async function spoolTable(
  { tx, writing, spool, table, scope }: TableWork,
  days: readonly string[] | null,
): Promise<queries.FileRow[]> {
  const file = new ParquetFile(table.columns, `whence version ${version}`)
  const write = rowWriter(table, file)
  const files: queries.FileRow[] = []
  let open: { day: string | null; number: number | null; part: number } | undefined
  let hashes = new HashSum()
  const finishFile = () => {
    const { day, part } = open!
    const path = pathOf(table.name, day, writing.attemptId, part)
    const { row, bytes } = contentOf(writing, table, file, { path, day })
    spool.put(path, bytes)
    files.push(row)
  }
  const finishDay = () => {
    if (open === undefined) return
    finishFile()
    const fingerprint = hashes.rows === 0 ? EMPTY : fingerprintOf(hashes.rows, hashes.sum())
    for (const row of files.slice(-open.part)) row.fingerprint = fingerprint
    hashes = new HashSum()
  }
  const hashField = sourceColumns(table).length
  let rows = 0
  await readRows(tx, table, scope, days, (row) => {
    if (rows++ % ROWS_A_CHECK === 0) writing.signal.throwIfAborted()
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

function contentOf(
  { service, profile, destination }: Writing,
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
    // Known once the day has been read.
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
