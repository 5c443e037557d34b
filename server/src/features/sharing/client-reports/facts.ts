/** Reads the figures of a report through the same operations as the API, so that they cannot differ. */
import type { Model } from '@whence/engine'
import type { ProfileRef, Service } from '../../../context.ts'
import { parseDateRange } from '../../../platform/contract/dates.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import { listCampaigns } from '../../insights/reports/campaigns.ts'
import { getOverview } from '../../insights/reports/overview.ts'
import { type Days, daysBefore } from './period-rules.ts'

/** Money is in minor units; null if an exchange rate is missing. */
export type Totals = {
  revenue: number | null
  spend: number | null
  credited: number | null
  payments: number
  /** Payments in which a campaign has a part. */
  creditedPayments: number
  /** Revenue over spend. */
  totalRoas: number | null
  /** Credited revenue over spend. */
  roas: number | null
  cac: number | null
}
export type CampaignLine = {
  id: string
  platformId: string
  name: string
  spend: number | null
  credited: number | null
  payments: number
  roas: number | null
  cac: number | null
}
export type PeriodFigures = {
  days: Days
  totals: Totals
  campaigns: CampaignLine[]
  /** Revenue not credited to any campaign. */
  unattributed: number
}
export type ReportFacts = {
  profile: { name: string; currency: string; timezone: string }
  model: Model
  now: PeriodFigures
  before: PeriodFigures
  days: { date: string; revenue: number | null; spend: number | null }[]
  reconciliation: { total: number; credited: number; unattributed: number; delta: number; leftOut: number }
  computedThrough: string
  /** Names of ad accounts whose data is not current. */
  staleSources: string[]
  isStale: boolean
  /** The result_hash of GET /reports/overview for the same days and model. */
  resultHash: string
}

const ALL_CAMPAIGNS = 100_000

export async function readFacts(
  service: Service,
  profile: ProfileRef,
  request: { days: Days; before?: Days; model: Model; now: Date; asOf?: Date | undefined },
): Promise<ReportFacts> {
  const context = { service, profile, now: request.now }
  const { currency } = profile
  const [current, before] = await Promise.all([
    readPeriod(context, request.days, request),
    readPeriod(context, request.before ?? daysBefore(request.days), request),
  ])
  const { overview, meta } = current
  const minor = (value: number) => toMinor(value, currency)!
  const { reconciliation, freshness } = meta
  const staleSources = freshness.sources
    .filter((source) => source.stale && source.connection_id !== null)
    .map((source) => source.name ?? source.source)
  return {
    profile: { name: profile.name, currency, timezone: profile.timezone },
    model: request.model,
    now: current.figures,
    before: before.figures,
    days: overview.days.map(({ date, revenue, spend }) => ({
      date,
      revenue: revenue === null ? null : minor(revenue),
      spend: spend === null ? null : minor(spend),
    })),
    reconciliation: {
      total: minor(reconciliation.total),
      credited: minor(reconciliation.credited),
      unattributed: minor(reconciliation.unattributed),
      delta: minor(reconciliation.delta),
      leftOut: reconciliation.left_out,
    },
    computedThrough: freshness.computed_through,
    staleSources,
    isStale: freshness.stale || staleSources.length > 0,
    resultHash: meta.result_hash,
  }
}

async function readPeriod(
  context: ReportContext,
  days: Days,
  { model, asOf }: { model: Model; asOf?: Date | undefined },
) {
  const parsed = parseDateRange(days.from, days.to)
  if (!parsed.ok) throw new RangeError(`${parsed.field}: ${parsed.problem}`)
  const scope = { range: parsed.range, model, asOf, level: 'campaign' as const }
  const { data: overview, meta } = await getOverview(context, scope)
  const { data: rows } = await listCampaigns(context, scope, { limit: ALL_CAMPAIGNS, detailed: true })
  const { currency } = context.profile
  const minor = (value: number | null) => (value === null ? null : toMinor(value, currency)!)
  const { totals } = overview
  const figures: PeriodFigures = {
    days,
    unattributed: toMinor(meta.reconciliation.unattributed, currency)!,
    totals: {
      revenue: minor(totals.revenue),
      spend: minor(totals.spend),
      credited: minor(totals.credited_revenue),
      payments: totals.payments,
      creditedPayments: totals.credited_payments,
      totalRoas: totals.total_roas,
      roas: totals.roas,
      cac: totals.cac,
    },
    campaigns: rows.map((row) => ({
      id: row.campaign_id,
      platformId: row.platform_id,
      name: row.campaign_name ?? row.platform_id,
      spend: minor(row.spend),
      credited: minor(row.outcome_value),
      payments: row.outcome_count,
      roas: row.roas,
      cac: 'cac' in row ? row.cac : null,
    })),
  }
  return { overview, meta, figures }
}

/** A report that would only show zeros is not built. */
export function isEmpty({ now }: ReportFacts): boolean {
  const { revenue, spend, payments } = now.totals
  return revenue === 0 && spend === 0 && payments === 0 && now.campaigns.length === 0
}
