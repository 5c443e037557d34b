/** Other pages agree with the reports: explain, ad trends, visitors, realtime, pacing and scores. */

import { getPacing } from '../../src/features/advice/pacing/contract.ts'
import { listTopPerformers } from '../../src/features/advice/top-performers/contract.ts'
import type { TopPerformerRow } from '../../src/features/advice/top-performers/fields.ts'
import { scoreDay } from '../../src/features/advice/top-performers/score-profile.ts'
import { explainConversion } from '../../src/features/attribution/crediting/contract.ts'
import {
  adTrend,
  campaignTrend,
  comparePlatforms,
  getOverview,
  listCampaigns,
} from '../../src/features/insights/reports/contract.ts'
import { getRealtime, listVisitors } from '../../src/features/insights/visitors/contract.ts'
import { platformOf } from '../../src/platform/contract/ad-providers.ts'
import type { Client } from '../../src/platform/contract/client.ts'
import { addDays } from '../../src/platform/contract/dates.ts'
import type { World } from '../oracle/history.ts'
import type { Player } from '../oracle/player.ts'
import { all, type Details, type Figures, type Reader, type Row } from './read.ts'
import { milli, type Violations } from './violations.ts'

const MAX_EXPLAINED = 12
/** The route's limit. */
const MAX_TRENDS = 10

/** Explain credits the entity with the same part of a conversion as the list, and the parts add up. */
export async function checkExplained(
  violations: Violations,
  { call }: Reader,
  details: Details,
): Promise<void> {
  const { model, entities } = details
  const listed = entities.flatMap(({ level, detail, conversions }) =>
    conversions.map((conversion) => ({ level, id: detail.campaign_id, conversion })),
  )
  for (const { level, id, conversion } of listed.slice(0, MAX_EXPLAINED)) {
    const where = `explain ${model} ${level} ${conversion.conversion_id} ${conversion.kind}`
    const params = { id: conversion.conversion_id }
    const { data } = await call(explainConversion, { params, query: { model: 'all' } })
    for (const under of data.models) {
      const credited = under.touches.filter(({ status }) => status === 'credited')
      const isCredited = credited.length > 0
      violations.money(
        `${where} ${under.model} value`,
        credited,
        (touch) => touch.credited_value,
        isCredited ? data.report_value : 0,
      )
      if (isCredited)
        violations.shares(`${where} ${under.model} weights`, credited, (touch) => touch.weight ?? 0, 1)
      for (const refund of data.refunds)
        violations.money(
          `${where} ${under.model} refund`,
          credited.flatMap((touch) =>
            touch.refunds.filter((candidate) => candidate.refund_id === refund.refund_id),
          ),
          (part) => part.credited_value,
          isCredited ? refund.report_value : 0,
        )
    }
    const creditedTouches = data.models
      .find((under) => under.model === model)!
      .touches.filter((touch) => touch.status === 'credited' && touch[level]?.id === id)
    if (conversion.kind === 'conversion') {
      violations.money(
        `${where} listed value`,
        creditedTouches,
        (touch) => touch.credited_value,
        conversion.credited_value,
      )
      violations.shares(
        `${where} listed credit`,
        creditedTouches,
        (touch) => touch.weight ?? 0,
        conversion.credit,
      )
    } else
      violations.money(
        `${where} listed value`,
        creditedTouches.flatMap((touch) =>
          touch.refunds.filter((refund) => refund.refund_id === conversion.refund_id),
        ),
        (refund) => refund.credited_value,
        conversion.credited_value,
      )
    violations.equal(`${where} outcome`, data.outcome_type, conversion.outcome_type)
  }
}

/** The days of ads add up to the ads' rows and equal `/campaigns/trend`. */
export async function checkAdTrend(
  violations: Violations,
  { call }: Reader,
  figures: Figures,
): Promise<void> {
  const rows = figures.models.last_touch.levels.ad.rows.slice(0, MAX_TRENDS)
  if (rows.length === 0) return
  const query = { ...figures.range, entity_ids: rows.map(({ campaign_id }) => campaign_id).join(',') }
  const { data } = await call(adTrend, { query })
  const { data: same } = await call(campaignTrend, { query: { ...query, level: 'ad' } })
  const days = data.map(({ messaging_conversations_started_7d: _, ...day }) => day)
  violations.equal('days of ads', same, days)
  for (const row of rows) {
    const adDays = data.filter(({ entity_id }) => entity_id === row.campaign_id)
    violations.money(`days of ad ${row.platform_id} spend`, adDays, (day) => day.spend, row.spend)
    violations.count(
      `days of ad ${row.platform_id} impressions`,
      adDays,
      (day) => day.impressions,
      row.impressions,
    )
    violations.count(`days of ad ${row.platform_id} clicks`, adDays, (day) => day.clicks, row.clicks)
    violations.equal(
      `days of ad ${row.platform_id} once`,
      adDays.length,
      new Set(adDays.map(({ date }) => date)).size,
    )
  }
}

/** Each device is listed once, with any page size. */
export async function checkVisitors(violations: Violations, { call }: Reader): Promise<void> {
  const visitors = await all((page) => call(listVisitors, { query: page }))
  const ids = visitors.map(({ identifier_id }) => identifier_id)
  violations.equal('visitors once', ids.length, new Set(ids).size)
  const inPages = await all((page) => call(listVisitors, { query: { ...page, limit: '3' } }))
  violations.equal('visitors in pages', visitors, inPages)
}

/** At a moment with events: minutes add up to the window, and a part is at most the whole. */
export async function checkRealtime(
  violations: Violations,
  { call }: Reader,
  player: Player,
  moments: readonly number[],
): Promise<void> {
  const { clock } = player.app.service
  const { now } = clock
  try {
    for (const at of moments) {
      clock.now = () => new Date(at)
      const { data } = await call(getRealtime)
      const where = `realtime at ${data.as_of}`
      violations.count(`${where} events`, data.minutes, (minute) => minute.events, data.events)
      for (const minute of data.minutes)
        violations.atMost(`${where} ${minute.minute}`, minute.visitors, minute.events)
      const last = data.minutes.slice(-6).reduce((sum, minute) => sum + minute.visitors, 0)
      violations.atMost(`${where} active`, data.active_visitors, last)
      const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
      violations.atMost(`${where} views`, sum(data.pages.map(({ views }) => views)), data.events)
      violations.atMost(`${where} visits`, sum(data.channels.map(({ visits }) => visits)), data.events)
      for (const page of data.pages) violations.atMost(`${where} ${page.path}`, page.visitors, page.views)
      for (const { conversion_id, ...conversion } of data.conversions) {
        const { data: same } = await call(explainConversion, { params: { id: conversion_id } })
        const { outcome_type, revenue_type, occurred_at, value, currency } = same
        violations.equal(
          `${where} ${conversion_id}`,
          { outcome_type, revenue_type, occurred_at, value, currency },
          conversion,
        )
      }
    }
  } finally {
    clock.now = now
  }
}

/** Moments shortly after events, newest first. */
export function momentsOf({ steps }: World, most: number): number[] {
  const times = steps.flatMap((step) =>
    step.type === 'events'
      ? step.events.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [Date.parse(timestamp)]))
      : step.type === 'pages'
        ? [step.at]
        : [],
  )
  return [...new Set(times)]
    .sort((a, b) => b - a)
    .slice(0, most)
    .map((time) => time + 120_000)
}

/** Pacing of a month agrees with the reports: its days, its platforms, and their credit. */
export async function checkPacing(
  violations: Violations,
  { call }: Reader,
  { owner, workspaceId }: { owner: { call: Client }; workspaceId: string },
  profileId: string,
  months: readonly string[],
): Promise<void> {
  for (const month of months) {
    const params = { workspaceId }
    const { data } = await owner.call(getPacing, { params, query: { month, profile_ids: profileId } })
    const range = { date_from: `${month}-01`, date_to: addDays(`${nextMonth(month)}-01`, -1) }
    const { data: overview } = await call(getOverview, { query: range })
    const { data: compared } = await call(comparePlatforms, { query: { ...range, level: 'campaign' } })
    violations.money(`pacing of ${month} spend`, data, (row) => row.spend_mtd, overview.totals.spend)
    for (const [platform, rows] of Map.groupBy(data, ({ provider }) => platformOf(provider))) {
      const where = `pacing of ${month} ${platform}`
      const platformRows = compared.rows.filter((row) => row.kind === 'entity' && row.platform === platform)
      const sum = (select: (row: (typeof platformRows)[number]) => number) =>
        platformRows.reduce((total, row) => total + select(row), 0)
      violations.count(
        `${where} outcomes`,
        rows,
        (row) => row.outcomes_mtd,
        sum((row) => row.atribu_cash_conversions),
      )
      violations.equal(
        `${where} revenue`,
        sum((row) => milli(row.atribu_cash_revenue)),
        rows.reduce((total, row) => total + milli(row.revenue_mtd), 0),
      )
      for (const row of rows) {
        violations.money(`${where} days`, row.days, (day) => day.spend, row.spend_mtd)
        if (row.low !== null) violations.atMost(`${where} low`, row.low, row.projected_spend!)
        if (row.high !== null) violations.atMost(`${where} high`, row.projected_spend!, row.high)
        if (row.projected_spend !== null)
          violations.atMost(`${where} projection`, row.spend_mtd, row.projected_spend)
      }
    }
  }
}

const nextMonth = (month: string) => addDays(`${month}-28`, 4).slice(0, 7)

/** Scores of a day have the figures of the report's last days, and longer windows include shorter ones. */
export async function checkScores(
  violations: Violations,
  { call }: Reader,
  { app, profileId }: Player,
  { zone, day }: { zone: string; day: string },
): Promise<void> {
  const { service } = app
  const setting = { timezone: zone, now: service.clock.now(), signal: new AbortController().signal }
  await scoreDay(service.db, { profileId, day }, setting)
  const windows = { '7d': 7, '14d': 14, '28d': 28, lifetime: 366 } as const
  const before = new Map<string, Score>()
  for (const [window, days] of Object.entries(windows)) {
    const { data } = await call(listTopPerformers, { query: { window: window as '7d', limit: '50' } })
    const range = { date_from: addDays(day, 1 - days), date_to: day }
    const { data: rows } = await call(listCampaigns, { query: { ...range, level: 'ad', limit: '100' } })
    for (const row of data) {
      const where = `scores of ${window} ${row.ad_external_id}`
      const ad = rows.find(({ platform_id }) => platform_id === row.ad_external_id)
      const score = toScore(row)
      violations.equal(where, ad === undefined ? undefined : toReported(ad as Row), score)
      for (const [name, value] of Object.entries(before.get(row.ad_external_id) ?? {}))
        if (name !== 'attributed_revenue')
          violations.atMost(`${where} ${name}`, value, score[name as keyof Score])
      before.set(row.ad_external_id, score)
    }
  }
}

type Score = ReturnType<typeof toScore>
const toScore = (row: TopPerformerRow) => ({
  spend: milli(row.spend),
  impressions: row.impressions,
  attributed_cash_outcomes: row.attributed_cash_outcomes,
  attributed_revenue: milli(row.attributed_revenue),
  attributed_outcomes_total: row.attributed_outcomes_total,
})
const toReported = (row: Row): Score => ({
  spend: milli(row.spend),
  impressions: row.impressions,
  attributed_cash_outcomes: row.outcome_count,
  attributed_revenue: milli(row.outcome_value),
  attributed_outcomes_total: row.attributed_outcome_count,
})
