/**
 * Writes a profile's tables to a destination: days whose rows changed get new files, then the manifest lists them, then
 * files that no manifest lists are removed. Everything is read in one snapshot and sent after it. A run that stops anywhere leaves the
 * last manifest and all of its files in place.
 */
import { createHash } from 'node:crypto'
import type { ProfileRef, Service } from '../../../context.ts'
import { isHealthcare } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
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
import { openSpool, type Spool } from './spool.ts'
import { type ExportTable, exportTables } from './tables.ts'
import { type Target, TargetError } from './targets/target.ts'

const MANIFEST = 'manifest.json'
/** A file has at most so many rows, so that it fits into memory and into one request. */
const MAX_FILE_ROWS = 250_000
/** Small files wait for the disk or the store more than for us. */
const WRITES_AT_ONCE = 4
/** Files that are recorded by one statement. */
const RECORDED_AT_ONCE = 50
/** Longest that a run sends files: a store that is slower would keep the runs of others waiting. */
const UPLOAD_MS = 1_800_000
const CHECK_MS = 1_000

type Writing = {
  service: Service
  profile: ProfileRef
  destination: queries.DestinationRow
  run: queries.RunRow
  attemptId: string
  target: Target
  signal: AbortSignal
}
type Written = {
  files: queries.FileRow[]
  includesIdentifiers: boolean
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
  const spool = await openSpool(service.config.DATA_DIR, destination.id, writing.attemptId)
  try {
    // A slow store holds no snapshot: files wait on this machine until all are written.
    const written = await inSnapshot(patientDb, (tx) => writeChanges(tx, writing, spool, current))
    const fence = createFence(writing, written.includesIdentifiers)
    await upload(writing, spool, written.files, fence)
    await publish(writing, { known, current, written }, fence)
  } finally {
    await spool.close()
  }
}

async function publish(
  writing: Writing,
  { known, current, written }: { known: queries.FileRow[]; current: queries.FileRow[]; written: Written },
  fence: Fence,
): Promise<void> {
  const { destination } = writing
  const erasures = written.erasuresSeen - (destination.erasures_seen ?? written.erasuresSeen)
  const replacedPaths = new Set(written.replaced.map(({ path }) => path))
  const kept = current.filter(({ path }) => !replacedPaths.has(path))
  // After a crash the stored manifest may list files of the run before, so it is written again.
  const isInterrupted = known.some(({ state }) => state === 'writing')
  const isFirst = destination.erasures_seen === null
  await fence(true)
  if (written.files.length > 0 || written.replaced.length > 0 || isInterrupted || isFirst)
    await writing.target.put(MANIFEST, new TextEncoder().encode(manifestOf(writing, written, kept, erasures)))
  const isUrgent = erasures > 0 || (includedIdentifiers(destination) && !written.includesIdentifiers)
  await settle(writing, written, { erasures, isUrgent })
  const isClean = await removeUnlisted(writing)
  if (erasures > 0 && isClean) await seeErasures(writing, written.erasuresSeen)
}

/** Of the run before, as it was saved with what that run depended on. */
function includedIdentifiers({ written_state: state }: queries.DestinationRow): boolean {
  return state !== null && (JSON.parse(state) as [unknown, RowScope])[1].includeIdentifiers
}

type Fence = (isLast?: boolean) => Promise<void>

/** Throws once another try has the run, or the destination may no longer get what this one read. */
function createFence(
  { service, profile, run, attemptId, signal }: Writing,
  includesIdentifiers: boolean,
): Fence {
  const params = { profileId: profile.id, id: run.id, attemptId, includesIdentifiers }
  const endsAt = performance.now() + UPLOAD_MS
  let checkedAt = Number.NEGATIVE_INFINITY
  return async (isLast = false) => {
    signal.throwIfAborted()
    if (performance.now() > endsAt)
      throw new TargetError('The store is too slow: the run took too long.', false)
    if (!isLast && performance.now() - checkedAt < CHECK_MS) return
    const now = await findProfileRef(service.db, { profileId: profile.id })
    const isOpen = now !== undefined && !(includesIdentifiers && isHealthcare(now))
    if (!isOpen || !(await queries.mayGoOn(service.db, params)))
      throw new TargetError('The destination was switched off meanwhile.', false)
    checkedAt = performance.now()
  }
}

/** Files are recorded before they are sent, so that a crash in between leaves none that is not known. */
async function upload(
  { service, target }: Writing,
  spool: Spool,
  files: readonly queries.FileRow[],
  fence: Fence,
): Promise<void> {
  const writes = fewAtOnce(WRITES_AT_ONCE)
  try {
    for (let start = 0; start < files.length; start += RECORDED_AT_ONCE) {
      const batch = files.slice(start, start + RECORDED_AT_ONCE)
      await fence()
      await queries.insertFiles(service.db, batch)
      for (const { path } of batch)
        await writes.start(async () => {
          await fence()
          await target.put(path, await spool.read(path))
        })
    }
  } finally {
    await writes.end()
  }
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

async function writeChanges(
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
    const isWanted = destination.tables.length === 0 || destination.tables.includes(table.name)
    const partitions = isWanted ? orEmpty(await listPartitions(tx, table, scope)) : []
    const own = current.filter((file) => file.table_name === table.name)
    const changes = changesOf(partitions, own, run.is_full)
    if (changes.written.length === 0 && changes.replaced.length === 0) continue
    const files =
      changes.written.length === 0
        ? []
        : await writeTable(tx, writing, spool, { table, scope, partitions: changes.written })
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
  const finish = async () => {
    if (open === undefined) return
    const { day, part, file } = open
    const place = {
      path: pathOf(table.name, day, writing.attemptId, part),
      day,
      fingerprint: fingerprints.get(day ?? '')!,
    }
    const { row, bytes } = contentOf(writing, table, file, place)
    await spool.put(row.path, bytes)
    files.push(row)
  }
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

async function settle(
  writing: Writing,
  written: Written,
  { erasures, isUrgent }: { erasures: number; isUrgent: boolean },
): Promise<void> {
  const { service, profile, destination, run, attemptId } = writing
  const now = service.clock.now()
  // What holds an erased person has no grace, also where a later run removes it.
  const replacedAt = isUrgent ? new Date(now.getTime() - GRACE_MS) : now
  const place = { profileId: profile.id, destinationId: destination.id }
  const paths = (files: readonly queries.FileRow[]) => files.map(({ path }) => path)
  await inTransaction(service.db, async (tx) => {
    await queries.markCurrent(tx, { ...place, paths: paths(written.files) })
    await queries.markReplaced(tx, { ...place, paths: paths(written.replaced), now: replacedAt })
    await queries.updateDestination(tx, {
      profileId: profile.id,
      id: destination.id,
      fields: {
        // Erasures are seen once the files that hold these people are gone.
        ...(erasures > 0 ? {} : { erasures_seen: written.erasuresSeen }),
        written_state: written.state,
        failures: 0,
        next_try_at: null,
      },
    })
    const isSettled = await queries.settleRun(tx, {
      profileId: profile.id,
      id: run.id,
      attemptId,
      status: 'completed',
      tables: written.tables,
      erasures,
      error: null,
      now,
    })
    if (!isSettled) throw new TargetError('Another try of this run took over.', false)
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

async function seeErasures({ service, profile, destination }: Writing, erasuresSeen: number): Promise<void> {
  await inTransaction(service.db, (tx) =>
    queries.updateDestination(tx, {
      profileId: profile.id,
      id: destination.id,
      fields: { erasures_seen: erasuresSeen },
    }),
  )
}

/** What no manifest lists: replaced files after their grace, and leftovers of interrupted tries. True if all are gone. */
async function removeUnlisted({ service, profile, destination, target }: Writing): Promise<boolean> {
  const place = { profileId: profile.id, destinationId: destination.id }
  const before = service.clock.now().getTime() - GRACE_MS
  let isClean = true
  const files = await queries.listFiles(service.db, place)
  // A later run may have begun to write.
  const openAttempt = await queries.findOpenAttempt(service.db, place)
  for (const { state, path, replaced_at } of files) {
    const isOver = state === 'replaced' && replaced_at!.getTime() <= before
    const isLeftOver = state === 'writing' && (openAttempt === null || !path.includes(openAttempt))
    if (!isOver && !isLeftOver) continue
    try {
      await target.remove(path)
      await queries.deleteFile(service.db, { ...place, path })
    } catch (error) {
      isClean = false
      service.log.warn('a replaced file of a data export was not removed; the next run tries again', {
        profile_id: profile.id,
        error,
      })
    }
  }
  return isClean
}
