/** Asks for every report of a fed world and sets it beside what the oracle expects. */
import { isDeepStrictEqual } from 'node:util'
import {
  campaignTrend,
  comparePlatforms,
  getAd,
  getAdIdQuality,
  getUnattributed,
  listCampaignConversions,
  listCampaigns,
} from '../../src/features/reports/contract.ts'
import { type Model, models } from './credit.ts'
import { levels } from './delivery.ts'
import { Expected, hashOf } from './expected.ts'
import { Facts } from './facts.ts'
import type { Player } from './feed.ts'
import type { Level, World } from './history.ts'
import type { Range } from './ledger.ts'
import { createRandom, type Random } from './random.ts'

export type Difference = { where: string; expected: unknown; got: unknown }

const DAY = 86_400_000

/** Feeds the world, then compares; empty when the two agree. */
export async function findDifferences(
  player: Player,
  world: World,
  thorough: boolean,
): Promise<Difference[]> {
  const found = new Differences()
  const facts = new Facts(world, player.spelling)
  for (const [index, step] of world.steps.entries()) {
    const { said, ids } = await player.play(step)
    found.check(`step ${index} ${step.type}`, facts.apply(step, ids), said)
  }
  await player.settle()
  await new Comparison(player, new Expected(facts), found, thorough).run()
  return found.all
}

class Differences {
  readonly all: Difference[] = []
  /** Told by the innermost members that differ. */
  check(where: string, expected: unknown, got: unknown): void {
    if (isDeepStrictEqual(expected, got)) return
    if (!isRecord(expected) || !isRecord(got)) this.all.push({ where, expected, got })
    else
      for (const key of new Set([...Object.keys(expected), ...Object.keys(got)]))
        this.check(`${where} › ${key}`, expected[key], got[key])
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

class Comparison {
  private readonly player: Player
  private readonly expected: Expected
  private readonly found: Differences
  private readonly random: Random
  private readonly ids = new Map<string, string>()
  private readonly thorough: boolean

  constructor(player: Player, expected: Expected, found: Differences, thorough: boolean) {
    this.thorough = thorough
    this.player = player
    this.expected = expected
    this.found = found
    this.random = createRandom(expected.facts.world.seed ^ 0x5eed)
  }

  async run(): Promise<void> {
    const whole = { from: '2025-10-15', to: '2026-07-15' }
    for (const level of levels)
      for (const model of models) {
        const range = this.random.chance(0.4) ? this.someRange() : whole
        await this.campaigns(level, model, range)
        if (this.thorough || this.random.chance(0.2)) await this.unattributed(level, model, range)
      }
    await this.plainCampaigns(whole)
    const model = this.random.pick(models)
    for (const level of this.thorough ? levels : [this.random.pick(levels)]) {
      await this.trend(level, whole)
      await this.comparison(
        level,
        this.random.pick(models),
        this.random.chance(0.5) ? whole : this.someRange(),
      )
      await this.conversions(level, this.random.pick(models), whole)
    }
    await this.ads(model, this.someRange())
    await this.adIdQuality(model, whole)
  }

  private someRange(): Range {
    const last = Math.max(...this.expected.facts.world.steps.map((step) => step.at))
    const from = last - this.random.int(50, 90) * DAY
    const to = from + this.random.int(0, 30) * DAY
    return { from: new Date(from).toISOString().slice(0, 10), to: new Date(to).toISOString().slice(0, 10) }
  }

  private check(where: string, expected: unknown, got: unknown): void {
    this.found.check(where, expected, got)
  }

  private checkMeta(
    where: string,
    reply: { data: unknown; meta: Record<string, unknown> },
    scope: { level: Level; model: Model; range: Range },
    fxMissing: number,
  ): void {
    const { freshness, result_hash, profile_id, ...meta } = reply.meta
    this.check(`${where} meta`, this.expected.meta(scope.level, scope.model, scope.range, fxMissing), meta)
    this.check(`${where} profile`, this.player.profileId, profile_id)
    this.check(`${where} hash`, hashOf(reply.data), result_hash)
    this.check(`${where} stale`, false, (freshness as { stale: boolean }).stale)
  }

  private async campaigns(level: Level, model: Model, range: Range): Promise<void> {
    const where = `campaigns ${level} ${model} ${range.from}..${range.to}`
    const reply = await this.player.call(listCampaigns, {
      query: { date_from: range.from, date_to: range.to, model, level, limit: '100' },
    })
    const got: Record<string, unknown> = {}
    for (const { campaign_id, ...row } of reply.data) {
      this.ids.set(`${level}:${row.platform_id}`, campaign_id)
      got[row.platform_id] = row
    }
    this.check(where, this.expected.campaigns(level, model, range, true), got)
    this.check(`${where} once`, Object.keys(got).length, reply.data.length)
    const values = reply.data.map((row) => row.outcome_value)
    this.check(
      `${where} order`,
      values.toSorted((a, b) => b - a),
      values,
    )
    this.checkMeta(where, reply, { level, model, range }, this.expected.fxMissingIn(level, range))
  }

  private async plainCampaigns(range: Range): Promise<void> {
    const query = { date_from: range.from, date_to: range.to }
    const { data } = await this.player.call(listCampaigns, { query: { ...query, limit: '100' } })
    const got = Object.fromEntries(data.map(({ campaign_id: _, ...row }) => [row.platform_id, row]))
    this.check('campaigns plain', this.expected.campaigns('campaign', 'last_touch', range, false), got)
    const first = await this.player.call(listCampaigns, { query: { ...query, limit: '1' } })
    this.check('campaigns limit', data.slice(0, 1), first.data)
  }

  private async unattributed(level: Level, model: Model, range: Range): Promise<void> {
    const where = `unattributed ${level} ${model} ${range.from}..${range.to}`
    const reply = await this.player.call(getUnattributed, {
      query: { date_from: range.from, date_to: range.to, model, level },
    })
    this.check(where, this.expected.unattributed(level, model, range), reply.data)
    this.checkMeta(where, reply, { level, model, range }, 0)
  }

  private knownIds(level: Level): [id: string, internal: string][] {
    const own = [...this.ids].filter(([name]) => name.startsWith(`${level}:`))
    return own.map(([name, internal]) => [name.slice(level.length + 1), internal])
  }

  /** All, or a few where time is short: other worlds try the others. */
  private some<T>(items: readonly T[]): T[] {
    return this.thorough ? [...items] : this.random.shuffle(items).slice(0, 2)
  }

  private async trend(level: Level, range: Range): Promise<void> {
    const known = this.random.shuffle(this.knownIds(level)).slice(0, 10)
    if (known.length === 0) return
    const reply = await this.player.call(campaignTrend, {
      query: {
        date_from: range.from,
        date_to: range.to,
        level,
        entity_ids: known.map(([, internal]) => internal).join(','),
      },
    })
    const idOf = new Map(known.map(([id, internal]) => [internal, id]))
    const got = reply.data.map((row) => ({ ...row, entity_id: idOf.get(row.entity_id) }))
    const ids = known.map(([id]) => id)
    this.check(`trend ${level}`, this.expected.trend(level, ids, range), got)
  }

  private async conversions(level: Level, model: Model, range: Range): Promise<void> {
    const names = await this.player.conversionNames()
    for (const [id, internal] of this.some(this.knownIds(level))) {
      const where = `conversions ${level} ${id} ${model}`
      const got: Record<string, unknown> = {}
      let cursor: string | null | undefined
      const limit = this.random.pick(['1', '3', '200'])
      do {
        const reply = await this.player.call(listCampaignConversions, {
          params: { id: internal },
          query: { date_from: range.from, date_to: range.to, model, limit, ...(cursor ? { cursor } : {}) },
        })
        for (const { conversion_id, ...row } of reply.data) {
          const name = names.get(conversion_id) ?? conversion_id
          if (name in got) this.check(`${where} twice`, undefined, name)
          got[name] = row
        }
        cursor = (reply.pagination as { cursor: string | null }).cursor
      } while (cursor)
      this.check(where, this.expected.conversions(level, id, model, range), got)
    }
  }

  private async ads(model: Model, range: Range): Promise<void> {
    for (const [id, internal] of this.some(this.knownIds('ad'))) {
      const reply = await this.player.call(getAd, {
        params: { id: this.random.pick([id, internal]) },
        query: { date_from: range.from, date_to: range.to, model },
      })
      const { campaign_id, ...row } = reply.data
      const sum = this.expected.ledger.sums('ad', model, range).get(id)
      const credit = sum ?? { cashCount: 0, cash: 0n, count: 0, byType: {} }
      this.check(`ad ${id} ${model}`, this.expected.row('ad', id, credit, range, true), row)
      this.check(`ad ${id} id`, internal, campaign_id)
    }
  }

  private async comparison(level: Level, model: Model, range: Range): Promise<void> {
    const where = `comparison ${level} ${model} ${range.from}..${range.to}`
    const { data } = await this.player.call(comparePlatforms, {
      query: { date_from: range.from, date_to: range.to, model, level },
    })
    const platforms = Object.fromEntries(
      data.platforms.map(({ reported_basis: _, ...row }) => [row.platform, row]),
    )
    const rows = Object.fromEntries(data.rows.map(({ entity_id: _, ...row }) => [row.platform_id, row]))
    this.check(where, this.expected.comparison(level, model, range), { platforms, rows })
  }

  private async adIdQuality(model: Model, range: Range): Promise<void> {
    const { data } = await this.player.call(getAdIdQuality, {
      query: { date_from: range.from, date_to: range.to, model },
    })
    const got = Object.fromEntries(data.platforms.map((row) => [row.platform, row]))
    this.check(`ad ids ${model}`, this.expected.adIdQuality(model, range), got)
  }
}
