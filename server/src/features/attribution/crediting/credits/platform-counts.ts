/**
 * Distinct conversions per platform, level, channel and reason, under the models that divide credit (linear and time
 * decay). Both models credit the same touches, so one count serves both. Under the other models a conversion is in one
 * row only, so the rows can be summed.
 */
import { levels, models } from '@whence/engine'
import { sql } from 'kysely'
import { dayAt } from '../../../../platform/contract/dates.ts'
import { applyDeltas } from '../../../../platform/db/bulk/counters.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Restatements, RowChange } from '../../../facts/restatements/save-restatements.ts'
import type { PackedCredit } from './packed.ts'
import type { KindIndex, OutcomeKind, ReasonDeltas } from './rollups.ts'
import type { UnattributedReason } from './unattributed-reasons.ts'

const DIVIDING = 1 << models.indexOf('linear')
const KINDS = 256

export type PathClassification = {
  /** Platform of the path's highest entity; null if the path has no entity. */
  entityPlatform: string | null
  /** Why no campaign gets the credit; null if one does. */
  reason: UnattributedReason | null
  channel: string | null
  /** Per level: whether the path has an entity of it. */
  isNamed: readonly boolean[]
}

/**
 * Values of `platform_daily.level`. A level with the platform `EVERY_PLATFORM` counts conversions credited at that
 * level; `any` counts those credited to the platform at any level; `no_<level>` the subset without an entity of that
 * level. `channel` stores the channel in the column `platform` (`EVERY_PLATFORM`: any channel). `reason` stores the
 * reason why no campaign gets the credit.
 */
export const EVERY_PLATFORM = ''
export const ANY_LEVEL = 'any'
export const CHANNEL_LEVEL = 'channel'
export const REASON_LEVEL = 'reason'
export const unnamedLevel = (level: (typeof levels)[number]): string => `no_${level}`

export type PlatformDelta = OutcomeKind & {
  level: string
  platform: string
  day: string
  conversions: number
}

type CountKey = { level: string; platform: string }

export class PlatformCounts {
  /** The key of each slot of a day's counts. */
  private readonly slotKeys: CountKey[] = []
  /** The slots of each path, by path number. */
  private readonly slotsOfPath: Int32Array[] = []
  /** By day and kind: a count per slot. */
  private readonly counts = new Map<number, Float64Array>()
  /** Per slot: the last conversion that was counted in it. */
  private readonly lastCounted: Int32Array
  private conversion = 0
  private current: Float64Array = new Float64Array()
  private sign = 1

  constructor(paths: ReadonlyMap<number, PathClassification>) {
    const numbers = new Map<string, number>()
    const slotOf = (countKey: CountKey) => {
      const key = `${countKey.level} ${countKey.platform}`
      const slot = numbers.get(key) ?? this.slotKeys.push(countKey) - 1
      numbers.set(key, slot)
      return slot
    }
    for (const [number, path] of paths) {
      const keys = countKeysOf(path)
      if (keys.length > 0) this.slotsOfPath[number] = Int32Array.from(keys, slotOf)
    }
    this.lastCounted = new Int32Array(this.slotKeys.length)
  }

  /** Starts a conversion: the following calls of `touch` belong to it. */
  begin(day: number, kind: number, sign = 1): void {
    const key = day * KINDS + kind
    let counts = this.counts.get(key)
    if (counts === undefined) {
      counts = new Float64Array(this.lastCounted.length)
      this.counts.set(key, counts)
    }
    this.current = counts
    this.sign = sign
    this.conversion += 1
  }

  touch(path: number, credited: number): void {
    if ((credited & DIVIDING) === 0) return
    const slots = this.slotsOfPath[path]
    if (slots === undefined) return
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index]!
      if (this.lastCounted[slot] === this.conversion) continue
      this.lastCounted[slot] = this.conversion
      this.current[slot]! += this.sign
    }
  }

  addPacked(credit: PackedCredit, kinds: KindIndex, sign: 1 | -1): void {
    const add = (day: number, kind: number) => {
      this.begin(day, kind, sign)
      for (const touch of credit.touches) this.touch(touch.path, touch.models)
    }
    add(credit.day, kinds.ofCredit(credit))
    for (const refund of credit.refunds)
      if (refund.amountMinor === null) add(refund.day, kinds.ofUnratedRefund(credit))
  }

  deltas(kinds: readonly OutcomeKind[]): PlatformDelta[] {
    const deltas: PlatformDelta[] = []
    for (const [key, counts] of this.counts) {
      const day = dayAt(Math.floor(key / KINDS))
      const kind = kinds[key - Math.floor(key / KINDS) * KINDS]!
      for (const [slot, conversions] of counts.entries())
        if (conversions !== 0) deltas.push({ ...this.slotKeys[slot]!, day, ...kind, conversions })
    }
    return deltas
  }
}

function countKeysOf({ entityPlatform: platform, channel, reason, isNamed }: PathClassification): CountKey[] {
  const byChannel: CountKey[] =
    channel === null
      ? []
      : [channel, EVERY_PLATFORM].map((name) => ({ level: CHANNEL_LEVEL, platform: name }))
  const byReason: CountKey[] = reason === null ? [] : [{ level: REASON_LEVEL, platform: reason }]
  if (platform === null) return [...byChannel, ...byReason]
  const byLevel: CountKey[] = levels.map((level, index) =>
    isNamed[index] ? { level, platform: EVERY_PLATFORM } : { level: unnamedLevel(level), platform },
  )
  return [...byLevel, { level: ANY_LEVEL, platform }, ...byChannel, ...byReason]
}

/** Sums deltas of the same row. */
function sumDeltas(parts: readonly PlatformDelta[]): PlatformDelta[] {
  const byKey = new Map<string, PlatformDelta>()
  for (const part of parts) {
    const key = `${part.level} ${part.day} ${part.outcomeType} ${part.revenueType} ${part.platform}`
    const sum = byKey.get(key)
    if (sum === undefined) byKey.set(key, { ...part })
    else sum.conversions += part.conversions
  }
  return [...byKey.values()].filter((sum) => sum.conversions !== 0)
}

function toChange({ level, platform: entity, day, outcomeType, revenueType, conversions }: PlatformDelta) {
  const change: RowChange = {
    rollup: 'platform',
    level,
    entity,
    day,
    outcomeType,
    revenueType,
    measures: [conversions],
  }
  return change
}

export async function applyPlatforms(
  tx: Tx,
  profileId: string,
  parts: readonly ReasonDeltas<PlatformDelta>[],
  restatements: Restatements,
): Promise<void> {
  const sums = parts.map(({ reason, deltas }) => ({ reason, deltas: sumDeltas(deltas) }))
  for (const { reason, deltas } of sums) restatements.add(reason, deltas.map(toChange))
  await addCounts(
    tx,
    profileId,
    sums.length === 1 ? sums[0]!.deltas : sumDeltas(sums.flatMap((part) => part.deltas)),
  )
}

/** Replaces the stored counts. */
export async function replacePlatforms(
  tx: Tx,
  profileId: string,
  { reason, deltas }: ReasonDeltas<PlatformDelta>,
  restatements: Restatements,
): Promise<void> {
  const { rows } = await sql<StoredCount>`
    delete from platform_daily where profile_id = ${profileId}
    returning level, platform, day, outcome_type, revenue_type, conversions`.execute(tx)
  await addCounts(tx, profileId, sumDeltas(deltas))
  const before = rows.map(({ outcome_type: outcomeType, revenue_type: revenueType, ...row }) => ({
    ...row,
    outcomeType,
    revenueType,
    conversions: -row.conversions,
  }))
  restatements.add(reason, sumDeltas([...before, ...deltas]).map(toChange))
}

type StoredCount = Pick<PlatformDelta, 'level' | 'platform' | 'day' | 'conversions'> & {
  outcome_type: string
  revenue_type: string
}

/** Expects each row at most once. */
async function addCounts(tx: Tx, profileId: string, deltas: readonly PlatformDelta[]): Promise<void> {
  await applyDeltas(
    tx,
    { into: 'platform_daily', profileId, rows: deltas },
    {
      keys: ['level', 'platform', 'day', 'outcome_type', 'revenue_type'],
      measures: ['conversions'],
      mayVanish: (delta) => delta.conversions < 0,
    },
  )
}
