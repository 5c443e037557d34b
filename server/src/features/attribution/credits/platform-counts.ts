/**
 * Conversions in which a platform has a part under the models that divide, each counted once. Both credit the same
 * touches, so one number serves them; under the other models a conversion has one row and nothing is shared.
 */
import { levels, models } from '@whence/engine'
import { sql } from 'kysely'
import { dayAt } from '../../../contract/dates.ts'
import { bigints, days, texts } from '../../../db/bulk/columns.ts'
import type { Tx } from '../../../db/database.ts'
import type { PackedCredit } from './packed.ts'
import type { OutcomeKind } from './rollups.ts'

const DIVIDING = 1 << models.indexOf('linear')
const LEVELS = levels.length
const KINDS = 256
const NOWHERE = -1

/** The platform of the entity that a path stands on, per level; null where it stands on none. */
export type PathPlatforms = readonly (string | null)[]

export type PlatformDelta = OutcomeKind & {
  level: string
  platform: string
  day: string
  conversions: number
}

export class PlatformCounts {
  private readonly names: string[] = []
  /** Per path and level the platform's place in a day's counts. */
  private readonly places: Int32Array
  private readonly firstPath: number
  /** By day and kind: a count per platform and level. */
  private readonly counts = new Map<number, Float64Array>()
  private readonly countedIn: Int32Array
  private conversion = 0
  private current: Float64Array = new Float64Array()
  private sign = 1

  constructor(paths: ReadonlyMap<number, PathPlatforms>) {
    const numbers = new Map<string, number>()
    const numberOf = (name: string) => {
      const known = numbers.get(name) ?? this.names.push(name) - 1
      numbers.set(name, known)
      return known
    }
    let [first, last] = [Number.POSITIVE_INFINITY, 0]
    for (const path of paths.keys()) {
      first = Math.min(first, path)
      last = Math.max(last, path)
    }
    this.firstPath = first
    this.places = new Int32Array(paths.size === 0 ? 0 : (last - first + 1) * LEVELS).fill(NOWHERE)
    for (const [path, platforms] of paths)
      for (const [level, name] of platforms.entries())
        if (name !== null) this.places[(path - first) * LEVELS + level] = numberOf(name) * LEVELS + level
    this.countedIn = new Int32Array(this.names.length * LEVELS)
  }

  /** The touches told from here on are this conversion's. */
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
    const from = (path - this.firstPath) * LEVELS
    for (let at = from; at < from + LEVELS; at++) {
      const place = this.places[at]!
      if (place === NOWHERE || this.countedIn[place] === this.conversion) continue
      this.countedIn[place] = this.conversion
      this.current[place]! += this.sign
    }
  }

  addPacked(credit: PackedCredit, kind: number, sign: 1 | -1): void {
    this.begin(credit.day, kind, sign)
    for (const touch of credit.touches) this.touch(touch.path, touch.models)
  }

  deltas(kinds: readonly OutcomeKind[]): PlatformDelta[] {
    const deltas: PlatformDelta[] = []
    for (const [key, counts] of this.counts) {
      const day = dayAt(Math.floor(key / KINDS))
      const kind = kinds[key - Math.floor(key / KINDS) * KINDS]!
      for (const [place, conversions] of counts.entries())
        if (conversions !== 0)
          deltas.push({
            level: levels[place % LEVELS]!,
            platform: this.names[Math.floor(place / LEVELS)]!,
            day,
            ...kind,
            conversions,
          })
    }
    return deltas
  }
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

export async function applyPlatforms(
  tx: Tx,
  profileId: string,
  parts: readonly PlatformDelta[],
): Promise<void> {
  const deltas = sumDeltas(parts)
  if (deltas.length === 0) return
  await sql`
    insert into platform_daily as p (profile_id, level, platform, day, outcome_type, revenue_type, conversions)
    select ${profileId}::uuid, unnest(${texts(deltas, (delta) => delta.level)}::text[]),
      unnest(${texts(deltas, (delta) => delta.platform)}::text[]),
      unnest(${days(deltas, (delta) => delta.day)}::date[]),
      unnest(${texts(deltas, (delta) => delta.outcomeType)}::text[]),
      unnest(${texts(deltas, (delta) => delta.revenueType)}::text[]),
      unnest(${bigints(deltas, (delta) => delta.conversions)}::bigint[])
    on conflict (profile_id, level, day, platform, outcome_type, revenue_type)
      do update set conversions = p.conversions + excluded.conversions`.execute(tx)
  const shrunk = deltas.filter((delta) => delta.conversions < 0)
  if (shrunk.length === 0) return
  await sql`
    delete from platform_daily
    where profile_id = ${profileId} and day = any(${[...new Set(shrunk.map((delta) => delta.day))]}::date[])
      and level = any(${levels}::text[]) and conversions = 0`.execute(tx)
}
