/** Compares campaigns, ad sets and ads: every field of every row, unattributed, trends and the platforms' own figures. */

import { entityId } from '../../src/features/facts/ads/entities.ts'
import { getCohorts } from '../../src/features/insights/cohorts/contract.ts'
import { getChannels } from '../../src/features/insights/reports/channels/contract.ts'
import {
  adTrend,
  campaignTrend,
  comparePlatforms,
  getAd,
  getOverview,
  getUnattributed,
  listCampaignConversions,
  listCampaigns,
} from '../../src/features/insights/reports/contract.ts'
import type { ComparisonSetup } from './comparison-setup.ts'
import { type Model, models } from './credit.ts'
import { levels } from './delivery.ts'
import { expectedChannels } from './expected-channels.ts'
import { type CohortBy, expectedCohorts } from './expected-cohorts.ts'
import type { Level } from './history.ts'
import { noCredit, type Range } from './ledger.ts'

export class ReportComparison {
  private readonly setup: ComparisonSetup
  private readonly ids = new Map<string, string>()

  constructor(setup: ComparisonSetup) {
    this.setup = setup
  }

  async run(): Promise<void> {
    const { setup } = this
    const { random } = setup
    for (const level of levels)
      for (const model of models) {
        const range = setup.range()
        await this.campaigns(level, model, range)
        if (setup.isWanted(0.2)) await this.unattributed(level, model, range)
      }
    await this.plainCampaigns(setup.whole)
    for (const level of setup.some(levels, 1)) {
      await this.trend(level, setup.whole)
      await this.comparison(level, random.pick(models), setup.range())
      await this.conversions(level, random.pick(models), setup.whole)
    }
    await this.ads(random.pick(models), setup.part())
    if (setup.isWanted(0.3)) await this.adTrend(setup.whole)
    if (setup.isWanted(0.2)) await this.overview(random.pick(models), setup.part())
    await this.channels(random.pick(models), setup.range())
    for (const by of setup.some(['month', 'campaign', 'channel'] as const, 1))
      await this.cohorts(by, random.pick(models), setup.range())
  }

  private async cohorts(by: CohortBy, model: Model, range: Range): Promise<void> {
    const { setup } = this
    const horizon = setup.random.int(1, 12)
    const where = `cohorts ${by} ${model} ${range.from}..${range.to} ${horizon}`
    const reply = await setup.player.call(getCohorts, {
      query: { date_from: range.from, date_to: range.to, model, by, horizon: String(horizon) },
    })
    const got = Object.fromEntries(reply.data.map(({ key, name: _, ...row }) => [key ?? '', row]))
    const rows = Object.entries(expectedCohorts(setup.expected, { by, model, range, horizon }))
    const keyOf = (name: string) =>
      by === 'campaign' && name !== '' ? entityId(setup.player.profileId, 'campaign', name) : name
    setup.check(where, Object.fromEntries(rows.map(([name, row]) => [keyOf(name), row])), got)
    setup.checkProof(where, reply)
  }

  private async campaigns(level: Level, model: Model, range: Range): Promise<void> {
    const { setup } = this
    const { player, expected } = setup
    const where = `campaigns ${level} ${model} ${range.from}..${range.to}`
    const reply = await player.call(listCampaigns, {
      query: { date_from: range.from, date_to: range.to, model, level, limit: '100' },
    })
    const got: Record<string, unknown> = {}
    for (const { campaign_id, ...row } of reply.data) {
      this.ids.set(`${level}:${row.platform_id}`, campaign_id)
      got[row.platform_id] = row
    }
    setup.check(where, expected.campaigns(level, model, range, true), got)
    setup.check(`${where} once`, Object.keys(got).length, reply.data.length)
    // Unknown values sort as 0.
    const values = reply.data.map((row) => row.outcome_value ?? 0)
    setup.check(
      `${where} order`,
      values.toSorted((a, b) => b - a),
      values,
    )
    setup.check(`${where} total`, expected.total(level, model, range), reply.total)
    const { total_rows, truncated, ...meta } = reply.meta
    setup.check(`${where} rows`, [reply.data.length, false], [total_rows, truncated])
    setup.checkMeta(where, { ...reply, meta }, { level, model, range }, expected.fxMissingIn(level, range))
    await this.pagesOfCampaigns(where, { date_from: range.from, date_to: range.to, model, level }, reply.data)
  }

  /** Pages have the same rows, and each page reports the total. */
  private async pagesOfCampaigns(
    where: string,
    query: { date_from: string; date_to: string; model: Model; level: Level },
    all: readonly unknown[],
  ): Promise<void> {
    const { setup } = this
    if (!setup.isWanted(0.1)) return
    const rows: unknown[] = []
    let cursor: string | null = null
    do {
      const page: { data: unknown[]; meta: Record<string, unknown>; pagination?: unknown } =
        await setup.player.call(listCampaigns, {
          query: { ...query, limit: '3', ...(cursor ? { cursor } : {}) },
        })
      rows.push(...page.data)
      setup.check(
        `${where} page`,
        [all.length, page.data.length < all.length],
        [page.meta.total_rows, page.meta.truncated],
      )
      cursor = (page.pagination as { cursor: string | null }).cursor
    } while (cursor !== null)
    setup.check(`${where} pages`, all, rows)
  }

  private async plainCampaigns(range: Range): Promise<void> {
    const { setup } = this
    const query = { date_from: range.from, date_to: range.to }
    const { data } = await setup.player.call(listCampaigns, { query: { ...query, limit: '100' } })
    const got = Object.fromEntries(data.map(({ campaign_id: _, ...row }) => [row.platform_id, row]))
    setup.check('campaigns plain', setup.expected.campaigns('campaign', 'last_touch', range, false), got)
    const first = await setup.player.call(listCampaigns, { query: { ...query, limit: '1' } })
    setup.check('campaigns limit', data.slice(0, 1), first.data)
  }

  private async unattributed(level: Level, model: Model, range: Range): Promise<void> {
    const { setup } = this
    const where = `unattributed ${level} ${model} ${range.from}..${range.to}`
    const reply = await setup.player.call(getUnattributed, {
      query: { date_from: range.from, date_to: range.to, model, level },
    })
    setup.check(where, setup.expected.unattributed(level, model, range), reply.data)
    setup.checkMeta(where, reply, { level, model, range }, 0)
  }

  private knownIds(level: Level): [id: string, internal: string][] {
    const entries = [...this.ids].filter(([name]) => name.startsWith(`${level}:`))
    return entries.map(([name, internal]) => [name.slice(level.length + 1), internal])
  }

  private async trend(level: Level, range: Range): Promise<void> {
    const { setup } = this
    const entityIds = setup.random.shuffle(this.knownIds(level)).slice(0, 10)
    if (entityIds.length === 0) return
    const reply = await setup.player.call(campaignTrend, {
      query: {
        date_from: range.from,
        date_to: range.to,
        level,
        entity_ids: entityIds.map(([, internal]) => internal).join(','),
      },
    })
    const got = reply.data.map((row) => ({ ...row, entity_id: idIn(entityIds, row.entity_id) }))
    const ids = entityIds.map(([id]) => id)
    setup.check(`trend ${level}`, setup.expected.trend(level, ids, range), got)
    const missing = setup.expected.fxMissingIn(level, range, ids)
    setup.checkMeta(`trend ${level}`, reply, { level, model: 'last_touch', range }, missing)
  }

  /** The same days, plus conversations, which no import reports. */
  private async adTrend(range: Range): Promise<void> {
    const { setup } = this
    const entityIds = this.knownIds('ad').slice(0, 10)
    if (entityIds.length === 0) return
    const reply = await setup.player.call(adTrend, {
      query: {
        date_from: range.from,
        date_to: range.to,
        entity_ids: entityIds.map(([, internal]) => internal).join(','),
      },
    })
    const got = reply.data.map((row) => ({ ...row, entity_id: idIn(entityIds, row.entity_id) }))
    const ids = entityIds.map(([id]) => id)
    const rows = setup.expected.trend('ad', ids, range)
    setup.check(
      'ads trend',
      rows.map((row) => ({ ...row, messaging_conversations_started_7d: null })),
      got,
    )
    const missing = setup.expected.fxMissingIn('ad', range, ids)
    setup.checkMeta('ads trend', reply, { level: 'ad', model: 'last_touch', range }, missing)
  }

  private async conversions(level: Level, model: Model, range: Range): Promise<void> {
    const { setup } = this
    const names = await setup.conversionNames()
    for (const [id, internal] of setup.some(this.knownIds(level))) {
      const where = `conversions ${level} ${id} ${model}`
      const got: Record<string, unknown> = {}
      const times: string[] = []
      let cursor: string | null | undefined
      const limit = setup.random.pick(['1', '3', '200', '200', '200'])
      do {
        const reply = await setup.player.call(listCampaignConversions, {
          params: { id: internal },
          query: { date_from: range.from, date_to: range.to, model, limit, ...(cursor ? { cursor } : {}) },
        })
        for (const { conversion_id, refund_id, ...listed } of reply.data) {
          const conversionName = names.get(conversion_id) ?? conversion_id
          const name = listed.kind === 'refund' ? `${conversionName} refund` : conversionName
          const row = listed.kind === 'refund' ? listed : { ...listed, refund_id }
          times.push(listed.occurred_at)
          if (name in got) setup.check(`${where} twice`, undefined, name)
          got[name] = row
        }
        cursor = (reply.pagination as { cursor: string | null }).cursor
        if (cursor === null) setup.checkMeta(where, reply, { level, model, range }, 0)
      } while (cursor)
      setup.check(where, setup.expected.conversions(level, id, model, range), got)
      setup.check(`${where} order`, times.toSorted().reverse(), times)
    }
  }

  private async ads(model: Model, range: Range): Promise<void> {
    const { setup } = this
    for (const [id, internal] of setup.some(this.knownIds('ad'), 1)) {
      const reply = await setup.player.call(getAd, {
        params: { id: setup.random.pick([id, internal]) },
        query: { date_from: range.from, date_to: range.to, model },
      })
      const { campaign_id, ...row } = reply.data
      const credit = setup.expected.ledger.sums('ad', model, range).get(id) ?? noCredit
      setup.check(`ad ${id} ${model}`, setup.expected.row('ad', id, credit, model, range, true), row)
      setup.check(`ad ${id} id`, internal, campaign_id)
      const missing = setup.expected.fxMissingIn('ad', range, [id])
      setup.checkMeta(`ad ${id}`, reply, { level: 'ad', model, range }, missing)
    }
  }

  private async overview(model: Model, range: Range): Promise<void> {
    const { setup } = this
    const where = `overview ${model} ${range.from}..${range.to}`
    const reply = await setup.player.call(getOverview, {
      query: { date_from: range.from, date_to: range.to, model },
    })
    setup.check(where, setup.expected.overview(model, range), reply.data)
    const missing = setup.expected.fxMissingIn('campaign', range)
    setup.checkMeta(where, reply, { level: 'campaign', model, range }, missing)
  }

  private async channels(model: Model, range: Range): Promise<void> {
    const { setup } = this
    const where = `channels ${model} ${range.from}..${range.to}`
    const reply = await setup.player.call(getChannels, {
      query: { date_from: range.from, date_to: range.to, model },
    })
    const rows = Object.fromEntries(reply.data.map(({ channel, sources: _, ...row }) => [channel, row]))
    setup.check(where, expectedChannels(setup.expected, model, range), { rows, total: reply.total })
    for (const { channel, sources, outcome_value } of reply.data.filter((row) => row.sources.length > 0))
      setup.check(
        `${where} sources of ${channel}`,
        toCents(outcome_value),
        sources.reduce((sum, source) => sum + toCents(source.outcome_value), 0),
      )
    const missing = setup.expected.comparisonFxMissing(range)
    setup.checkMeta(where, reply, { level: 'campaign', model, range }, missing)
  }

  private async comparison(level: Level, model: Model, range: Range): Promise<void> {
    const { setup } = this
    const where = `comparison ${level} ${model} ${range.from}..${range.to}`
    const reply = await setup.player.call(comparePlatforms, {
      query: { date_from: range.from, date_to: range.to, model, level },
    })
    const { data } = reply
    const platforms = Object.fromEntries(
      data.platforms.map(({ reported_basis: _, ...row }) => [row.platform, row]),
    )
    const rows = Object.fromEntries(
      data.rows.map(({ entity_id: _, ...row }) => [row.platform_id ?? `not_assigned ${row.platform}`, row]),
    )
    setup.check(where, setup.expected.comparison(level, model, range), { platforms, rows })
    setup.checkMeta(where, reply, { level, model, range }, setup.expected.comparisonFxMissing(range))
    this.reconcile(where, data)
  }

  /** Rows plus `not_assigned` equal their platform, to the minor unit. */
  private reconcile(where: string, data: Compared): void {
    const { setup } = this
    const minor = (text: string | null) => BigInt((text ?? '0').replace('.', ''))
    for (const { platform, atribu_cash_revenue } of data.platforms)
      setup.check(
        `${where} rows of ${platform}`,
        minor(atribu_cash_revenue),
        data.rows
          .filter((row) => row.platform === platform)
          .reduce((total, row) => total + minor(row.atribu_cash_revenue), 0n),
      )
  }
}

type Compared = {
  platforms: { platform: string; atribu_cash_revenue: string | null }[]
  rows: { platform: string; atribu_cash_revenue: string | null }[]
}

/** Enough precision in any currency to check that parts add up to the whole. */
function toCents(value: number | null): number {
  return Math.round((value ?? 0) * 1000)
}

function idIn(pairs: readonly [id: string, internal: string][], internal: string): string | undefined {
  return pairs.find(([, candidate]) => candidate === internal)?.[0]
}
