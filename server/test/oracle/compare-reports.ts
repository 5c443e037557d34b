/** Campaigns, ad sets and ads: every field of every row, the remainder, the trends and the platforms' own word. */

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
import type { Asking } from './asking.ts'
import { type Model, models } from './credit.ts'
import { levels } from './delivery.ts'
import { expectedChannels } from './expected-channels.ts'
import { type CohortBy, expectedCohorts } from './expected-cohorts.ts'
import type { Level } from './history.ts'
import { noCredit, type Range } from './ledger.ts'

export class ReportComparison {
  private readonly asking: Asking
  private readonly ids = new Map<string, string>()

  constructor(asking: Asking) {
    this.asking = asking
  }

  async run(): Promise<void> {
    const { asking } = this
    const { random } = asking
    for (const level of levels)
      for (const model of models) {
        const range = asking.range()
        await this.campaigns(level, model, range)
        if (asking.isWanted(0.2)) await this.unattributed(level, model, range)
      }
    await this.plainCampaigns(asking.whole)
    for (const level of asking.some(levels, 1)) {
      await this.trend(level, asking.whole)
      await this.comparison(level, random.pick(models), asking.range())
      await this.conversions(level, random.pick(models), asking.whole)
    }
    await this.ads(random.pick(models), asking.part())
    if (asking.isWanted(0.3)) await this.adTrend(asking.whole)
    if (asking.isWanted(0.2)) await this.overview(random.pick(models), asking.part())
    await this.channels(random.pick(models), asking.range())
    for (const by of asking.some(['month', 'campaign', 'channel'] as const, 1))
      await this.cohorts(by, random.pick(models), asking.range())
  }

  private async cohorts(by: CohortBy, model: Model, range: Range): Promise<void> {
    const { asking } = this
    const horizon = asking.random.int(1, 12)
    const where = `cohorts ${by} ${model} ${range.from}..${range.to} ${horizon}`
    const reply = await asking.player.call(getCohorts, {
      query: { date_from: range.from, date_to: range.to, model, by, horizon: String(horizon) },
    })
    const got = Object.fromEntries(reply.data.map(({ key, name: _, ...row }) => [key ?? '', row]))
    const rows = Object.entries(expectedCohorts(asking.expected, { by, model, range, horizon }))
    const keyOf = (name: string) =>
      by === 'campaign' && name !== '' ? entityId(asking.player.profileId, 'campaign', name) : name
    asking.check(where, Object.fromEntries(rows.map(([name, row]) => [keyOf(name), row])), got)
    asking.checkProof(where, reply)
  }

  private async campaigns(level: Level, model: Model, range: Range): Promise<void> {
    const { asking } = this
    const { player, expected } = asking
    const where = `campaigns ${level} ${model} ${range.from}..${range.to}`
    const reply = await player.call(listCampaigns, {
      query: { date_from: range.from, date_to: range.to, model, level, limit: '100' },
    })
    const got: Record<string, unknown> = {}
    for (const { campaign_id, ...row } of reply.data) {
      this.ids.set(`${level}:${row.platform_id}`, campaign_id)
      got[row.platform_id] = row
    }
    asking.check(where, expected.campaigns(level, model, range, true), got)
    asking.check(`${where} once`, Object.keys(got).length, reply.data.length)
    // What is not known ranks as nothing.
    const values = reply.data.map((row) => row.outcome_value ?? 0)
    asking.check(
      `${where} order`,
      values.toSorted((a, b) => b - a),
      values,
    )
    asking.check(`${where} total`, expected.total(level, model, range), reply.total)
    const { total_rows, truncated, ...meta } = reply.meta
    asking.check(`${where} rows`, [reply.data.length, false], [total_rows, truncated])
    asking.checkMeta(where, { ...reply, meta }, { level, model, range }, expected.fxMissingIn(level, range))
    await this.pagesOfCampaigns(where, { date_from: range.from, date_to: range.to, model, level }, reply.data)
  }

  /** Page by page the rows are the same, and each page knows of all. */
  private async pagesOfCampaigns(
    where: string,
    query: { date_from: string; date_to: string; model: Model; level: Level },
    all: readonly unknown[],
  ): Promise<void> {
    const { asking } = this
    if (!asking.isWanted(0.1)) return
    const rows: unknown[] = []
    let cursor: string | null = null
    do {
      const page: { data: unknown[]; meta: Record<string, unknown>; pagination?: unknown } =
        await asking.player.call(listCampaigns, {
          query: { ...query, limit: '3', ...(cursor ? { cursor } : {}) },
        })
      rows.push(...page.data)
      asking.check(
        `${where} page`,
        [all.length, page.data.length < all.length],
        [page.meta.total_rows, page.meta.truncated],
      )
      cursor = (page.pagination as { cursor: string | null }).cursor
    } while (cursor !== null)
    asking.check(`${where} pages`, all, rows)
  }

  private async plainCampaigns(range: Range): Promise<void> {
    const { asking } = this
    const query = { date_from: range.from, date_to: range.to }
    const { data } = await asking.player.call(listCampaigns, { query: { ...query, limit: '100' } })
    const got = Object.fromEntries(data.map(({ campaign_id: _, ...row }) => [row.platform_id, row]))
    asking.check('campaigns plain', asking.expected.campaigns('campaign', 'last_touch', range, false), got)
    const first = await asking.player.call(listCampaigns, { query: { ...query, limit: '1' } })
    asking.check('campaigns limit', data.slice(0, 1), first.data)
  }

  private async unattributed(level: Level, model: Model, range: Range): Promise<void> {
    const { asking } = this
    const where = `unattributed ${level} ${model} ${range.from}..${range.to}`
    const reply = await asking.player.call(getUnattributed, {
      query: { date_from: range.from, date_to: range.to, model, level },
    })
    asking.check(where, asking.expected.unattributed(level, model, range), reply.data)
    asking.checkMeta(where, reply, { level, model, range }, 0)
  }

  private knownIds(level: Level): [id: string, internal: string][] {
    const own = [...this.ids].filter(([name]) => name.startsWith(`${level}:`))
    return own.map(([name, internal]) => [name.slice(level.length + 1), internal])
  }

  private async trend(level: Level, range: Range): Promise<void> {
    const { asking } = this
    const known = asking.random.shuffle(this.knownIds(level)).slice(0, 10)
    if (known.length === 0) return
    const reply = await asking.player.call(campaignTrend, {
      query: {
        date_from: range.from,
        date_to: range.to,
        level,
        entity_ids: known.map(([, internal]) => internal).join(','),
      },
    })
    const got = reply.data.map((row) => ({ ...row, entity_id: idIn(known, row.entity_id) }))
    const ids = known.map(([id]) => id)
    asking.check(`trend ${level}`, asking.expected.trend(level, ids, range), got)
    const missing = asking.expected.fxMissingIn(level, range, ids)
    asking.checkMeta(`trend ${level}`, reply, { level, model: 'last_touch', range }, missing)
  }

  /** The same days, with the conversations that no import reports. */
  private async adTrend(range: Range): Promise<void> {
    const { asking } = this
    const known = this.knownIds('ad').slice(0, 10)
    if (known.length === 0) return
    const reply = await asking.player.call(adTrend, {
      query: {
        date_from: range.from,
        date_to: range.to,
        entity_ids: known.map(([, internal]) => internal).join(','),
      },
    })
    const got = reply.data.map((row) => ({ ...row, entity_id: idIn(known, row.entity_id) }))
    const ids = known.map(([id]) => id)
    const rows = asking.expected.trend('ad', ids, range)
    asking.check(
      'ads trend',
      rows.map((row) => ({ ...row, messaging_conversations_started_7d: null })),
      got,
    )
    const missing = asking.expected.fxMissingIn('ad', range, ids)
    asking.checkMeta('ads trend', reply, { level: 'ad', model: 'last_touch', range }, missing)
  }

  private async conversions(level: Level, model: Model, range: Range): Promise<void> {
    const { asking } = this
    const names = await asking.conversionNames()
    for (const [id, internal] of asking.some(this.knownIds(level))) {
      const where = `conversions ${level} ${id} ${model}`
      const got: Record<string, unknown> = {}
      const times: string[] = []
      let cursor: string | null | undefined
      const limit = asking.random.pick(['1', '3', '200', '200', '200'])
      do {
        const reply = await asking.player.call(listCampaignConversions, {
          params: { id: internal },
          query: { date_from: range.from, date_to: range.to, model, limit, ...(cursor ? { cursor } : {}) },
        })
        for (const { conversion_id, refund_id, ...own } of reply.data) {
          const known = names.get(conversion_id) ?? conversion_id
          const name = own.kind === 'refund' ? `${known} refund` : known
          const row = own.kind === 'refund' ? own : { ...own, refund_id }
          times.push(own.occurred_at)
          if (name in got) asking.check(`${where} twice`, undefined, name)
          got[name] = row
        }
        cursor = (reply.pagination as { cursor: string | null }).cursor
        if (cursor === null) asking.checkMeta(where, reply, { level, model, range }, 0)
      } while (cursor)
      asking.check(where, asking.expected.conversions(level, id, model, range), got)
      asking.check(`${where} order`, times.toSorted().reverse(), times)
    }
  }

  private async ads(model: Model, range: Range): Promise<void> {
    const { asking } = this
    for (const [id, internal] of asking.some(this.knownIds('ad'), 1)) {
      const reply = await asking.player.call(getAd, {
        params: { id: asking.random.pick([id, internal]) },
        query: { date_from: range.from, date_to: range.to, model },
      })
      const { campaign_id, ...row } = reply.data
      const credit = asking.expected.ledger.sums('ad', model, range).get(id) ?? noCredit
      asking.check(`ad ${id} ${model}`, asking.expected.row('ad', id, credit, model, range, true), row)
      asking.check(`ad ${id} id`, internal, campaign_id)
      const missing = asking.expected.fxMissingIn('ad', range, [id])
      asking.checkMeta(`ad ${id}`, reply, { level: 'ad', model, range }, missing)
    }
  }

  private async overview(model: Model, range: Range): Promise<void> {
    const { asking } = this
    const where = `overview ${model} ${range.from}..${range.to}`
    const reply = await asking.player.call(getOverview, {
      query: { date_from: range.from, date_to: range.to, model },
    })
    asking.check(where, asking.expected.overview(model, range), reply.data)
    const missing = asking.expected.fxMissingIn('campaign', range)
    asking.checkMeta(where, reply, { level: 'campaign', model, range }, missing)
  }

  private async channels(model: Model, range: Range): Promise<void> {
    const { asking } = this
    const where = `channels ${model} ${range.from}..${range.to}`
    const reply = await asking.player.call(getChannels, {
      query: { date_from: range.from, date_to: range.to, model },
    })
    const rows = Object.fromEntries(reply.data.map(({ channel, sources: _, ...row }) => [channel, row]))
    asking.check(where, expectedChannels(asking.expected, model, range), { rows, total: reply.total })
    for (const { channel, sources, outcome_value } of reply.data.filter((row) => row.sources.length > 0))
      asking.check(
        `${where} sources of ${channel}`,
        toCents(outcome_value),
        sources.reduce((sum, source) => sum + toCents(source.outcome_value), 0),
      )
    const missing = asking.expected.comparisonFxMissing(range)
    asking.checkMeta(where, reply, { level: 'campaign', model, range }, missing)
  }

  private async comparison(level: Level, model: Model, range: Range): Promise<void> {
    const { asking } = this
    const where = `comparison ${level} ${model} ${range.from}..${range.to}`
    const reply = await asking.player.call(comparePlatforms, {
      query: { date_from: range.from, date_to: range.to, model, level },
    })
    const { data } = reply
    const platforms = Object.fromEntries(
      data.platforms.map(({ reported_basis: _, ...row }) => [row.platform, row]),
    )
    const rows = Object.fromEntries(
      data.rows.map(({ entity_id: _, ...row }) => [row.platform_id ?? `not_assigned ${row.platform}`, row]),
    )
    asking.check(where, asking.expected.comparison(level, model, range), { platforms, rows })
    asking.checkMeta(where, reply, { level, model, range }, asking.expected.comparisonFxMissing(range))
    this.reconcile(where, data)
  }

  /** To the last minor unit: rows, with what is assigned to none of them, make their platform. */
  private reconcile(where: string, data: Compared): void {
    const { asking } = this
    const minor = (text: string | null) => BigInt((text ?? '0').replace('.', ''))
    for (const { platform, atribu_cash_revenue } of data.platforms)
      asking.check(
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

/** Whatever the currency: enough to tell that parts make their whole. */
function toCents(value: number | null): number {
  return Math.round((value ?? 0) * 1000)
}

function idIn(known: readonly [id: string, internal: string][], internal: string): string | undefined {
  return known.find(([, own]) => own === internal)?.[0]
}
