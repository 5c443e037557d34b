/** Shared by all comparisons: the caller, the ranges, their number, and the checks of `meta`. */

import type { Model } from './credit.ts'
import { DAY } from './decimal.ts'
import type { Differences } from './differences.ts'
import type { Expected } from './expected.ts'
import type { Level } from './history.ts'
import type { Range } from './ledger.ts'
import type { Player } from './player.ts'
import type { Random } from './random.ts'
import { hashOf } from './result-hash.ts'

type Setting = {
  player: Player
  expected: Expected
  found: Differences
  random: Random
  /** All requests for every report; otherwise a few of each, and other worlds cover the rest. */
  thorough: boolean
}

type Proven = { data: unknown; meta: Record<string, unknown> }

export class ComparisonSetup {
  readonly player: Player
  readonly expected: Expected
  readonly random: Random
  readonly thorough: boolean
  readonly whole: Range = { from: '2025-10-15', to: '2026-07-15' }
  private readonly found: Differences
  private names: Map<string, string> | undefined

  constructor({ player, expected, found, random, thorough }: Setting) {
    this.player = player
    this.expected = expected
    this.found = found
    this.random = random
    this.thorough = thorough
  }

  check(where: string, expected: unknown, got: unknown): void {
    this.found.check(where, expected, got)
  }

  /** The oracle's name of each conversion, by the service's id. */
  async conversionNames(): Promise<Map<string, string>> {
    this.names ??= await this.player.conversionNames()
    return this.names
  }

  /** True always, or in short runs in a share of worlds. */
  isWanted(share: number): boolean {
    return this.thorough || this.random.chance(share)
  }

  /** All items, or a few in short runs. */
  some<T>(items: readonly T[], few = 2): T[] {
    return this.thorough ? [...items] : this.random.shuffle(items).slice(0, few)
  }

  range(): Range {
    return this.random.chance(0.6) ? this.whole : this.part()
  }

  /** A random range of up to a month within the busiest time. */
  part(): Range {
    const last = Math.max(...this.expected.facts.world.steps.map((step) => step.at))
    const from = last - this.random.int(50, 90) * DAY
    const to = from + this.random.int(0, 30) * DAY
    return { from: new Date(from).toISOString().slice(0, 10), to: new Date(to).toISOString().slice(0, 10) }
  }

  checkMeta(
    where: string,
    reply: Proven,
    scope: { level: Level; model: Model; range: Range },
    fxMissing: number,
    hashed?: unknown,
  ): void {
    const { freshness, result_hash, profile_id, ...meta } = reply.meta
    this.check(`${where} meta`, this.expected.meta(scope.level, scope.model, scope.range, fxMissing), meta)
    this.checkProof(where, reply, hashed)
  }

  /** `hashed`: the hashed part of the response. */
  checkProof(where: string, { data, meta }: Proven, hashed: unknown = data): void {
    this.check(`${where} profile`, this.player.profileId, meta.profile_id)
    this.check(`${where} hash`, hashOf(hashed), meta.result_hash)
    this.check(`${where} stale`, false, (meta.freshness as { stale: boolean }).stale)
  }
}
