/** Replaces a profile's stored rollups: unchanged rows are not rewritten, wrong ones are deleted. */
import { levels, NO_ENTITY, Rollups } from '@whence/engine'
import { sql } from 'kysely'
import type pg from 'pg'
import { dayAt, dayNumber } from '../../../../platform/contract/dates.ts'
import { spanStart, spans } from '../../../../platform/contract/day-spans.ts'
import { CopyWriter, uuidBytes } from '../../../../platform/db/copy/copy-in.ts'
import {
  type CopyRow,
  readBigint,
  readCopy,
  readDay,
  readUuid,
} from '../../../../platform/db/copy/copy-out.ts'
import type { Connection, Tx } from '../../../../platform/db/database.ts'
import type { Reason } from '../../../facts/restatements/causes.ts'
import type { Pack } from '../../../facts/restatements/pack.ts'
import type { Restatements } from '../../../facts/restatements/save-restatements.ts'
import type { PathBook } from '../credits/paths.ts'
import { replacePlatforms } from '../credits/platform-counts.ts'
import { measureColumns, NIL_ENTITY, type OutcomeKind } from '../credits/rollups.ts'
import { replaceTotals, type TotalDelta } from '../credits/totals.ts'
import { replaceUncredited } from '../credits/uncredited.ts'
import type { CreditTotals } from './credit.ts'
import type { Profile } from './load.ts'
import { fromKey, MEASURES, RollupTable, toKey } from './rollup-table.ts'
import { KEY_COLUMNS, StoredKeys } from './stored-keys.ts'

/** Above this many stale rows, rewriting the table is cheaper. */
const MAX_DELETED_SINGLY = 5000

type Target = {
  table: 'credit_daily' | 'credit_spans' | 'held_daily'
  entity: 'entity_id' | 'holder'
  day: 'day' | 'start'
  span: number | null
}

export async function saveRollups(
  { tx, client }: Connection,
  profileId: string,
  loaded: Pick<Profile, 'conversions' | 'customerOf'>,
  credited: CreditTotals,
  book: PathBook,
  restated: { reason: Reason; restatements: Restatements },
): Promise<void> {
  const { reason, restatements } = restated
  const { rollupKinds: kinds } = loaded.conversions
  const entities = new Names(credited.rollups, book.entityIdAt, NIL_ENTITY)
  const save = (target: Target, rollups: Rollups, names: Names) =>
    replaceRows(tx, client, { profileId, target, names, kinds, ...restated }, addUp(rollups, target, names))
  await save(
    { table: 'credit_daily', entity: 'entity_id', day: 'day', span: null },
    credited.rollups,
    entities,
  )
  for (const span of spans)
    await save({ table: 'credit_spans', entity: 'entity_id', day: 'start', span }, credited.rollups, entities)
  const unassigned: Target = { table: 'held_daily', entity: 'holder', day: 'day', span: null }
  const unassignedRollups = credited.unassigned ?? new Rollups()
  await save(unassigned, unassignedRollups, new Names(unassignedRollups, book.unassignedKeyAt, null))
  const platforms = { reason, deltas: credited.platforms.deltas(kinds) }
  await replacePlatforms(tx, profileId, platforms, restatements)
  await replaceUncredited(tx, profileId, { reason, deltas: credited.uncredited.deltas() }, restatements)
  await replaceTotals(tx, profileId, { reason, deltas: totalsOf(loaded) }, restatements)
}

/** Ranks the engine's entities by id. Credit without an entity gets `uncreditedKey`, or is not stored if that is null. */
class Names {
  readonly sorted: string[]
  private readonly rankOfIndex = new Map<number, number>()
  constructor(rollups: Rollups, idAt: (index: number) => string, uncreditedKey: string | null) {
    const entries = [...rollups.entities()].flatMap((index): [number, string][] => {
      if (index !== NO_ENTITY) return [[index, idAt(index)]]
      return uncreditedKey === null ? [] : [[index, uncreditedKey]]
    })
    this.sorted = [...new Set(entries.map(([, id]) => id))].sort()
    const ranks = new Map(this.sorted.map((id, rank) => [id, rank]))
    for (const [index, id] of entries) this.rankOfIndex.set(index, ranks.get(id)!)
  }
  /** -1 if the entity must not be stored. */
  rankOf(index: number): number {
    return this.rankOfIndex.get(index) ?? -1
  }
}

function addUp(rollups: Rollups, { span }: Target, names: Names): RollupTable {
  const table = new RollupTable(span === null ? rollups.size : 0)
  rollups.visitRows((level, entity, day, kind, measures) => {
    const rank = names.rankOf(entity)
    if (rank < 0) return
    table.add(toKey(level, span === null ? day : spanStart(day, span), rank, kind), measures)
  })
  return table
}

type RollupWrite = {
  profileId: string
  target: Target
  names: Names
  kinds: readonly OutcomeKind[]
  reason: Reason
  restatements: Restatements
}

async function replaceRows(
  tx: Tx,
  client: pg.PoolClient,
  rollupWrite: RollupWrite,
  fresh: RollupTable,
): Promise<void> {
  const { profileId, target } = rollupWrite
  const isStored = new Uint8Array(fresh.size)
  for (let row = 0; row < fresh.size; row++) if (fresh.isZero(row)) isStored[row] = 1
  const changes = target.span === null ? new Changes(rollupWrite, fresh) : undefined
  const stale = await findStale(client, rollupWrite, fresh, isStored, changes)
  changes?.noteNew(isStored)
  rollupWrite.restatements.closePacks()
  if (stale.length > MAX_DELETED_SINGLY) {
    await sql`
      delete from ${sql.table(target.table)} where profile_id = ${profileId} ${ofSpan(target)}`.execute(tx)
    for (let row = 0; row < fresh.size; row++) isStored[row] = fresh.isZero(row) ? 1 : 0
  } else if (stale.length > 0) await deleteRows(tx, rollupWrite, stale)
  await copyRows(client, rollupWrite, fresh, isStored)
  fresh.release()
}

type StoredKey = {
  level: string
  entity: string
  day: number
  outcomeType: string
  revenueType: string
}

/** Collects the differences of rows of closed days, for the restatements. */
class Changes {
  private readonly rollupWrite: RollupWrite
  private readonly fresh: RollupTable
  private readonly lastClosed: number
  private readonly wasStored: Uint8Array
  /** By row key with entity 0. */
  private readonly packs = new Map<number, Pack>()
  private readonly gone = new Map<string, Pack>()
  private last: { key: StoredKey; pack: Pack } | undefined
  private readonly difference = new Array<number>(MEASURES).fill(0)
  private readonly names: Buffer[]

  constructor(rollupWrite: RollupWrite, fresh: RollupTable) {
    this.rollupWrite = rollupWrite
    this.fresh = fresh
    this.lastClosed = dayNumber(rollupWrite.restatements.closedThrough)
    this.wasStored = new Uint8Array(fresh.size)
    this.names = rollupWrite.names.sorted.map((name) => Buffer.from(name))
  }

  /** Notes a stored row whose measures differ. */
  noteChanged(row: number, view: DataView, at: Int32Array): void {
    this.wasStored[row] = 1
    const { difference, fresh } = this
    const first = row * MEASURES
    for (let index = 0; index < difference.length; index++)
      difference[index] = fresh.measures[first + index]! - readBigint(view, at[KEY_COLUMNS + index]!)
    this.addRow(row)
  }

  /** Notes a stored row that no longer exists. */
  noteGone(stored: StoredKey, view: DataView, at: Int32Array): void {
    if (stored.day > this.lastClosed) return
    const { difference } = this
    for (let index = 0; index < difference.length; index++)
      difference[index] = -readBigint(view, at[KEY_COLUMNS + index]!)
    this.packOfGone(stored).add(Buffer.from(stored.entity), difference)
  }

  /** Notes rows that are not stored yet. Call it once all stored rows were read. */
  noteNew(isStored: Uint8Array): void {
    const { fresh, difference } = this
    for (let row = 0; row < fresh.size; row++) {
      if (isStored[row] === 1 || this.wasStored[row] === 1) continue
      const first = row * MEASURES
      for (let index = 0; index < difference.length; index++)
        difference[index] = fresh.measures[first + index]!
      this.addRow(row)
    }
  }

  private addRow(row: number): void {
    const { level, day, entity, kind } = fromKey(this.fresh.keys[row]!)
    if (day > this.lastClosed) return
    const key = toKey(level, day, 0, kind)
    let pack = this.packs.get(key)
    if (pack === undefined) {
      pack = this.pack({ level: levels[level]!, day, ...this.rollupWrite.kinds[kind]! })
      this.packs.set(key, pack)
    }
    pack.add(this.names[entity]!, this.difference)
  }

  /** Stored rows are mostly ordered by day and level, so the previous pack is reused if it matches. */
  private packOfGone(stored: StoredKey): Pack {
    const { last } = this
    if (last !== undefined && isSamePack(last.key, stored)) return last.pack
    const key = `${stored.level} ${stored.day} ${stored.outcomeType} ${stored.revenueType}`
    const pack = this.gone.get(key) ?? this.pack(stored)
    this.gone.set(key, pack)
    this.last = { key: stored, pack }
    return pack
  }

  private pack({ level, day, outcomeType, revenueType }: Omit<StoredKey, 'entity'>): Pack {
    const { reason, restatements, target } = this.rollupWrite
    const rollup = target.entity === 'holder' ? 'held' : 'credit'
    return restatements.pack(reason, { rollup, level, day: dayAt(day), outcomeType, revenueType })
  }
}

function isSamePack(a: StoredKey, b: StoredKey): boolean {
  return (
    a.day === b.day &&
    a.level === b.level &&
    a.outcomeType === b.outcomeType &&
    a.revenueType === b.revenueType
  )
}

/** Marks rows that are stored correctly in `isStored`; returns the keys of stored rows that are wrong or obsolete. */
async function findStale(
  client: pg.PoolClient,
  { profileId, target, names, kinds }: RollupWrite,
  fresh: RollupTable,
  isStored: Uint8Array,
  changes: Changes | undefined,
): Promise<StoredKey[]> {
  const keys = new StoredKeys(entityBytesOf(target, names), kinds)
  const stale: StoredKey[] = []
  const columns = ['level', target.entity, target.day, 'outcome_type', 'revenue_type', ...measureColumns]
  const statement = `copy (
    select ${columns.join(', ')} from ${target.table}
    where profile_id = '${profileId}' ${target.span === null ? '' : `and span = ${target.span}`}) to stdout (format binary)`
  await readCopy(client, statement, columns.length, (stored) => {
    const { view, at } = stored
    const row = keys.find(fresh, stored)
    if (row >= 0 && isSame(fresh, row, view, at)) {
      isStored[row] = 1
      return
    }
    const key = readKey(target, stored)
    stale.push(key)
    if (row >= 0) changes?.noteChanged(row, view, at)
    else changes?.noteGone(key, view, at)
  })
  return stale
}

function readKey(target: Target, { bytes, view, at, size }: CopyRow): StoredKey {
  const text = (column: number) => bytes.toString('utf8', at[column]!, at[column]! + size[column]!)
  return {
    level: text(0),
    entity: target.entity === 'holder' ? text(1) : readUuid(bytes, at[1]!),
    day: readDay(view, at[2]!),
    outcomeType: text(3),
    revenueType: text(4),
  }
}

/** The binary form of the entities in COPY rows, by rank. */
function entityBytesOf({ entity }: Target, { sorted }: Names): Buffer[] {
  return sorted.map(entity === 'holder' ? (name) => Buffer.from(name) : uuidBytes)
}

function isSame(fresh: RollupTable, row: number, view: DataView, at: Int32Array): boolean {
  for (let index = 0; index < MEASURES; index++)
    if (readBigint(view, at[KEY_COLUMNS + index]!) !== fresh.measures[row * MEASURES + index]) return false
  return !fresh.isZero(row)
}

function ofSpan({ span }: Target) {
  return span === null ? sql`` : sql`and span = ${span}`
}

async function deleteRows(
  tx: Tx,
  { profileId, target }: RollupWrite,
  stale: readonly StoredKey[],
): Promise<void> {
  const [entity, day] = [sql.ref(target.entity), sql.ref(target.day)]
  await sql`
    delete from ${sql.table(target.table)} r
    using unnest(${stale.map((row) => row.level)}::text[], ${stale.map((row) => dayAt(row.day))}::date[],
      ${stale.map((row) => row.entity)}::text[], ${stale.map((row) => row.outcomeType)}::text[],
      ${stale.map((row) => row.revenueType)}::text[]) as s(level, day, entity, outcome_type, revenue_type)
    where r.profile_id = ${profileId} ${ofSpan(target)} and r.level = s.level and r.${day} = s.day
      and r.${entity}::text = s.entity and r.outcome_type = s.outcome_type and r.revenue_type = s.revenue_type`.execute(
    tx,
  )
}

async function copyRows(
  client: pg.PoolClient,
  { profileId, target, names, kinds }: RollupWrite,
  fresh: RollupTable,
  isStored: Uint8Array,
): Promise<void> {
  const newKeys = fresh.keys.subarray(0, fresh.size).filter((_, row) => isStored[row] === 0)
  if (newKeys.length === 0) return
  const profile = uuidBytes(profileId)
  const levelTexts = levels.map((level) => Buffer.from(level))
  const entityBytes = entityBytesOf(target, names)
  const kindTexts = kinds.map(
    (kind) => [Buffer.from(kind.outcomeType), Buffer.from(kind.revenueType)] as const,
  )
  const columns = [
    'profile_id',
    ...(target.span === null ? [] : ['span']),
    'level',
    target.entity,
    target.day,
    'outcome_type',
    'revenue_type',
    ...measureColumns,
  ]
  const statement = `copy ${target.table} (${columns.join(', ')}) from stdin (format binary)`
  const writer = new CopyWriter(client, statement)
  // In key order, so that index pages stay cached.
  for (const key of newKeys.sort()) {
    const { level, day, entity, kind } = fromKey(key)
    writer.beginRow(columns.length)
    writer.field(profile, 0, profile.length)
    if (target.span !== null) writer.smallint(target.span)
    writer.text(levelTexts[level]!)
    writer.text(entityBytes[entity]!)
    writer.day(day)
    writer.text(kindTexts[kind]![0])
    writer.text(kindTexts[kind]![1])
    const at = fresh.find(key) * MEASURES
    for (let index = 0; index < MEASURES; index++) writer.bigint(fresh.measures[at + index]!)
    if (writer.isFull) await writer.flush()
  }
  await writer.end()
}

function totalsOf({ conversions, customerOf }: Pick<Profile, 'conversions' | 'customerOf'>): TotalDelta[] {
  const sums = new Map<number, TotalDelta>()
  const at = (day: number, kind: number) => {
    const key = day * 256 + kind
    let sum = sums.get(key)
    if (sum === undefined) {
      sum = { day: dayAt(day), ...conversions.kinds[kind]!, conversions: 0, valueMinor: 0, fxMissing: 0 }
      sums.set(key, sum)
    }
    return sum
  }
  const { rows } = conversions
  for (let index = 0; index < conversions.ids.size; index++) {
    if (customerOf(index) < 0) continue
    const kind = rows.kind(index)
    const sum = at(rows.day(index), kind)
    sum.conversions += 1
    sum.valueMinor += rows.amountMinor(index)
    if (rows.isRateMissing(index)) sum.fxMissing += 1
    if (!rows.hasRefunds(index)) continue
    for (const refund of conversions.refunds.get(index)!)
      if (refund.amountMinor === null) at(refund.day, kind).fxMissing += 1
      else at(refund.day, kind).valueMinor -= refund.amountMinor
  }
  return [...sums.values()].filter(
    (sum) => sum.conversions !== 0 || sum.valueMinor !== 0 || sum.fxMissing !== 0,
  )
}
