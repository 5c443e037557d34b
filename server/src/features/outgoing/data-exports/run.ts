/**
 * Writes a profile's tables to a destination: days whose rows changed get new files, then the manifest lists them, then
 * files that no manifest lists are removed. Everything is read in one snapshot. A run that stops anywhere leaves the
 * last manifest and all of its files in place.
 */
import { createHash } from 'node:crypto'
import type { ProfileRef, Service } from '../../../context.ts'
import { isHealthcare } from '../../../context.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inSnapshot, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { version } from '../../../platform/version.ts'
import { dataExportSettled } from '../../facts/outbox/makers.ts'
import { recordEvent } from '../../facts/outbox/record.ts'
import { fewAtOnce } from './few-at-once.ts'
import { changesOf, GRACE_MS, pathOf, toManifest } from './manifest-rules.ts'
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
import { toExportRows } from './rows.ts'
import { type ExportTable, exportTables } from './tables.ts'
import type { Target } from './targets/target.ts'

const MANIFEST = 'manifest.json'
/** A file has at most so many rows, so that it fits into memory and into one request. */
const MAX_FILE_ROWS = 250_000
/** Small files wait for the disk or the store more than for us. */
const WRITES_AT_ONCE = 4
/** Files that are recorded by one statement, unless they are large. */
const RECORDED_AT_ONCE = 50
const MAX_WAITING_BYTES = 8_000_000

type Writing = {
  service: Service
  profile: ProfileRef
  destination: queries.DestinationRow
  run: queries.RunRow
  target: Target
  signal: AbortSignal
}
type Written = {
  files: queries.FileRow[]
  replaced: queries.FileRow[]
  tables: queries.WrittenTable[]
  changeNumber: number | null
  state: string
  erasuresSeen: number
}

export async function writeTables(writing: Writing): Promise<void> {
  const { service, profile, destination } = writing
  const place = { profileId: profile.id, destinationId: destination.id }
  const known = await queries.listFiles(service.db, place)
  const current = known.filter(({ state }) => state === 'current')
  const { patientDb } = await service.nodes.shardOf(profile.id)
  const written = await inSnapshot(patientDb, (tx) => writeChanges(tx, writing, current))
  const erasures = written.erasuresSeen - (destination.erasures_seen ?? written.erasuresSeen)
  const replacedPaths = new Set(written.replaced.map(({ path }) => path))
  const kept = current.filter(({ path }) => !replacedPaths.has(path))
  // After a crash the stored manifest may list files of the run before, so it is written again.
  const isInterrupted = known.some(({ state }) => state === 'writing')
  const isFirst = destination.erasures_seen === null
  if (written.files.length > 0 || written.replaced.length > 0 || isInterrupted || isFirst)
    await writing.target.put(MANIFEST, new TextEncoder().encode(manifestOf(writing, written, kept, erasures)))
  await settle(writing, written, erasures)
  await removeUnlisted(writing, erasures > 0)
}

function manifestOf(
  { service, profile, run }: Writing,
  written: Written,
  kept: readonly queries.FileRow[],
  erasures: number,
): string {
  return toManifest({
    profileId: profile.id,
    runId: run.id,
    now: service.clock.now(),
    currency: profile.currency,
    timezone: profile.timezone,
    changeNumber: written.changeNumber,
    erasures,
    files: [...kept, ...written.files],
    replaced: written.replaced,
  })
}

async function writeChanges(tx: Tx, writing: Writing, current: readonly queries.FileRow[]): Promise<Written> {
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
    replaced: [],
    tables: [],
    changeNumber: changed.number,
    state: JSON.stringify([changed.parts, scope, destination.tables, version]),
    erasuresSeen: await queries.countErasures(tx, profile.id),
  }
  const attemptId = uuidv7(writing.service.clock.now())
  const isUnmoved = !run.is_full && destination.written_state === written.state
  for (const table of exportTables) {
    if (isUnmoved && isCounted(table.name, scope)) continue
    const isWanted = destination.tables.length === 0 || destination.tables.includes(table.name)
    const partitions = isWanted ? orEmpty(await listPartitions(tx, table, scope)) : []
    const own = current.filter((file) => file.table_name === table.name)
    const changes = changesOf(partitions, own, run.is_full)
    if (changes.written.length === 0 && changes.replaced.length === 0) continue
    const files =
      changes.written.length === 0
        ? []
        : await writeTable(tx, writing, { table, scope, partitions: changes.written, attemptId })
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

async function writeTable(
  tx: Tx,
  writing: Writing,
  work: { table: ExportTable; scope: RowScope; partitions: readonly Partition[]; attemptId: string },
): Promise<queries.FileRow[]> {
  const { table, scope, attemptId } = work
  const fingerprints = new Map(work.partitions.map(({ day, fingerprint }) => [day ?? '', fingerprint]))
  const days = table.byDay ? work.partitions.flatMap(({ day }) => (day === null ? [] : [day])) : null
  const files: queries.FileRow[] = []
  let open: { day: string | null; part: number; file: ParquetFile } | undefined
  const begin = (day: string | null, part: number) => ({
    day,
    part,
    file: new ParquetFile(table.columns, `whence version ${version}`),
  })
  const writes = fewAtOnce(WRITES_AT_ONCE)
  let waiting: FileContent[] = []
  let waitingBytes = 0
  // Files are recorded before they are written, so that a crash in between leaves no file that is not known.
  const flush = async () => {
    const batch = waiting
    waiting = []
    waitingBytes = 0
    if (batch.length === 0) return
    const recorded = batch.map(({ row }) => row)
    await queries.insertFiles(writing.service.db, recorded)
    for (const { row, bytes } of batch) await writes.start(() => writing.target.put(row.path, bytes))
    files.push(...recorded)
  }
  const finish = async () => {
    if (open === undefined) return
    const { day, part, file } = open
    const place = {
      path: pathOf(table.name, day, attemptId, part),
      day,
      fingerprint: fingerprints.get(day ?? '')!,
    }
    const content = contentOf(writing, table, file, place)
    waiting.push(content)
    waitingBytes += content.bytes.length
    if (waiting.length >= RECORDED_AT_ONCE || waitingBytes >= MAX_WAITING_BYTES) await flush()
  }
  try {
    for await (const rows of readRows(tx, table, scope, days)) {
      writing.signal.throwIfAborted()
      for (const row of rows) {
        const day = table.byDay ? (row.day as string) : null
        if (open === undefined || open.day !== day || open.file.rows >= MAX_FILE_ROWS) {
          await finish()
          open = begin(day, open?.day === day ? open.part + 1 : 1)
        }
        for (const exported of toExportRows(table.name, row)) open.file.add(exported)
      }
    }
    if (work.partitions.every(({ rows }) => rows === 0)) open = begin(null, 1)
    await finish()
    await flush()
  } finally {
    await writes.end()
  }
  return files
}

type FileContent = { row: queries.FileRow; bytes: Uint8Array }

function contentOf(
  { service, profile, destination }: Writing,
  table: ExportTable,
  file: ParquetFile,
  { path, day, fingerprint }: { path: string; day: string | null; fingerprint: string },
): FileContent {
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

async function settle(writing: Writing, written: Written, erasures: number): Promise<void> {
  const { service, profile, destination, run } = writing
  const now = service.clock.now()
  const place = { profileId: profile.id, destinationId: destination.id }
  const paths = (files: readonly queries.FileRow[]) => files.map(({ path }) => path)
  await inTransaction(service.db, async (tx) => {
    await queries.markCurrent(tx, { ...place, paths: paths(written.files) })
    await queries.markReplaced(tx, { ...place, paths: paths(written.replaced), now })
    await queries.updateDestination(tx, {
      profileId: profile.id,
      id: destination.id,
      fields: { erasures_seen: written.erasuresSeen, written_state: written.state },
    })
    const isSettled = await queries.settleRun(tx, {
      profileId: profile.id,
      id: run.id,
      status: 'completed',
      tables: written.tables,
      erasures,
      error: null,
      now,
    })
    if (isSettled)
      await recordEvent(
        tx,
        dataExportSettled('data_export.completed', profile.id, eventOf(run, written.files), now),
        now,
      )
  })
  service.dispatcher.wake(profile.id)
}

export function eventOf(run: queries.RunRow, files: readonly queries.FileRow[]) {
  return {
    run_id: run.id,
    destination_id: run.destination_id,
    files: files.length,
    rows: files.reduce((total, { rows }) => total + rows, 0),
  }
}

/** What no manifest lists: replaced files after their grace, at once after an erasure, and leftovers of interrupted runs. */
async function removeUnlisted(writing: Writing, atOnce: boolean): Promise<void> {
  const { service, profile, destination, target } = writing
  const place = { profileId: profile.id, destinationId: destination.id }
  const before = service.clock.now().getTime() - GRACE_MS
  for (const { state, path, replaced_at } of await queries.listFiles(service.db, place)) {
    const isOver = state === 'replaced' && (atOnce || replaced_at!.getTime() <= before)
    if (!isOver && state !== 'writing') continue
    try {
      await target.remove(path)
      await queries.deleteFile(service.db, { ...place, path })
    } catch (error) {
      service.log.warn('a replaced file of a data export was not removed; the next run tries again', {
        profile_id: profile.id,
        error,
      })
    }
  }
}
