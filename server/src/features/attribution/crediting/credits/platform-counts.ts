/**
 * Conversions in which all entities of a level, or those of a platform, have a part under the models that divide, each
 * counted once. Both credit the same touches, so one number serves them; under the other models a conversion has one
 * row and nothing is shared.
 */
import { levels, models } from '@whence/engine'
import { sql } from 'kysely'
import { dayAt } from '../../../../platform/contract/dates.ts'
import { applyDeltas } from '../../../../platform/db/bulk/counters.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Restatements, RowChange } from '../../../facts/restatements/save-restatements.ts'
import type { PackedCredit } from './packed.ts'
import type { Caused, KindIndex, OutcomeKind } from './rollups.ts'
import type { UnattributedReason } from './unattributed-reasons.ts'

const DIVIDING = 1 << models.indexOf('linear')
const KINDS = 256

/** The platform that a path is on, null where it names nothing, its channel, and the levels at which it names an entity. */
export type PathPlatform = {
  entityPlatform: string | null
  /** Why its credit is no campaign's. */
  reason: UnattributedReason | null
  channel: string | null
  isNamed: readonly boolean[]
}

/**
 * Rows of `platform_daily`: `level` with the platform `EVERY_PLATFORM` counts what is credited at the level at all,
 * `any` what the platform is credited with at whatever level, `no_<level>` the part of it that names nothing at the level.
 * `channel` counts by channel in the place of the platform, and what has any channel at all under `EVERY_PLATFORM`.
 * `reason` counts by the reason why credit is no campaign's.
 */
export const EVERY_PLATFORM = ''
export const ANY_LEVEL = 'any'
export const CHANNEL_LEVEL = 'channel'
export const REASON_LEVEL = 'reason'
export const notAt = (level: (typeof levels)[number]): string => `no_${level}`

export type PlatformDelta = OutcomeKind & {
  level: string
  platform: string
  day: string
  conversions: number
}

type Counted = { level: string; platform: string }

export class PlatformCounts {
  /** What each place of a day's counts represents. */
  private readonly counted: Counted[] = []
  /** Per path its places in a day's counts; by the path's number, which is small. */
  private readonly places: Int32Array[] = []
  /** By day and kind: a count per place. */
  private readonly counts = new Map<number, Float64Array>()
  private readonly countedIn: Int32Array
  private conversion = 0
  private current: Float64Array = new Float64Array()
  private sign = 1

  constructor(paths: ReadonlyMap<number, PathPlatform>) {
    const numbers = new Map<string, number>()
    const placeOf = (own: Counted) => {
      const key = `${own.level} ${own.platform}`
      const known = numbers.get(key) ?? this.counted.push(own) - 1
      numbers.set(key, known)
      return known
    }
    for (const [number, path] of paths) {
      const own = countedAs(path)
      if (own.length > 0) this.places[number] = Int32Array.from(own, placeOf)
    }
    this.countedIn = new Int32Array(this.counted.length)
  }

  /** The touches added from here on are this conversion's. */
  begin(day: number, kind: number, sign = 1): void {
    const key = day * KINDS + kind
    let counts = this.counts.get(key)
    if (counts === undefined) {
      counts = new Float64Array(this.countedIn.length)
      this.counts.set(key, counts)
    }
    this.current = counts
    this.sign = sign
    this.conversion += 1
  }

  touch(path: number, credited: number): void {
    if ((credited & DIVIDING) === 0) return
    const places = this.places[path]
    if (places === undefined) return
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!
      if (this.countedIn[place] === this.conversion) continue
      this.countedIn[place] = this.conversion
      this.current[place]! += this.sign
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
      for (const [place, conversions] of counts.entries())
        if (conversions !== 0) deltas.push({ ...this.counted[place]!, day, ...kind, conversions })
    }
    return deltas
  }
}

function countedAs({ entityPlatform: platform, channel, reason, isNamed }: PathPlatform): Counted[] {
  const byChannel: Counted[] =
    channel === null
      ? []
      : [channel, EVERY_PLATFORM].map((name) => ({ level: CHANNEL_LEVEL, platform: name }))
  const byReason: Counted[] = reason === null ? [] : [{ level: REASON_LEVEL, platform: reason }]
  if (platform === null) return [...byChannel, ...byReason]
  const named: Counted[] = levels.map((level, index) =>
    isNamed[index] ? { level, platform: EVERY_PLATFORM } : { level: notAt(level), platform },
  )
  return [...named, { level: ANY_LEVEL, platform }, ...byChannel, ...byReason]
}

/** Several differences of one row become one. */
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
  parts: readonly Caused<PlatformDelta>[],
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

/** Puts these counts in the place of the stored ones. */
export async function replacePlatforms(
  tx: Tx,
  profileId: string,
  { reason, deltas }: Caused<PlatformDelta>,
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

/** Each row once. */
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
