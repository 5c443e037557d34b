/** `/report/integrated/get/` and `/gmv_max/report/get/`: refusals, and rows of dimensions and metrics. */
import { listDays } from '../days.ts'
import { type Account, type Campaign, type Figures, figuresOf } from './world.ts'

export type Refusal = { code: number; message: string }
type Row = { dimensions: Record<string, string>; metrics: Record<string, string> }
export type Setting = {
  seed: string
  now: Date
  account: Account
  campaigns: readonly Campaign[]
  /** Restated spend in percent, by day. */
  restated: ReadonlyMap<string, number>
  /** Longer ranges are refused as too much data. */
  maxDays: number
}

/** By `data_level` without its service type. */
const levels: Record<string, { id: string; status: string; names: string[] }> = {
  CAMPAIGN: { id: 'campaign_id', status: 'campaign_status', names: ['campaign_name'] },
  ADGROUP: {
    id: 'adgroup_id',
    status: 'adgroup_status',
    names: ['campaign_id', 'campaign_name', 'adgroup_name'],
  },
  AD: {
    id: 'ad_id',
    status: 'ad_status',
    names: ['campaign_id', 'campaign_name', 'adgroup_id', 'adgroup_name', 'ad_name'],
  },
}
/** Basic metrics that public integrations request. */
const figures = new Set(
  'spend impressions clicks reach conversion total_complete_payment_rate total_onsite_shopping_value total_purchase_value currency video_play_actions video_watched_2s video_watched_6s video_views_p25 video_views_p50 video_views_p75 video_views_p100'.split(
    ' ',
  ),
)
/** What integrators' lists of reservation reports have in common (Fivetran, Daasity; read 2026-11-19). */
const reservationFigures = new Set(['spend', 'impressions', 'clicks', 'reach', 'frequency'])
const gmvMaxFigures = new Set(['cost', 'net_cost', 'orders', 'gross_revenue', 'currency', 'roi'])

const invalid = (message: string): Refusal => ({ code: 40002, message })

function readJson(query: URLSearchParams, name: string): unknown {
  try {
    return JSON.parse(query.get(name) ?? 'null')
  } catch {
    return undefined
  }
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function daysOf(query: URLSearchParams, maxDays: number): string[] | Refusal {
  const [from, to] = [query.get('start_date') ?? '', query.get('end_date') ?? '']
  if (!/^\d{4}-\d\d-\d\d$/.test(from) || !/^\d{4}-\d\d-\d\d$/.test(to) || from > to)
    return invalid('start_date or end_date is not valid')
  const days = listDays(from, to)
  if (days.length > 30) return invalid('The max time span is 30 days when stat_time_day is a dimension')
  if (days.length > maxDays) return { code: 40067, message: 'The requested data is too large' }
  return days
}

const decimal = (minor: number, { minorPerUnit }: Account): string =>
  (minor / minorPerUnit).toFixed(minorPerUnit === 1 ? 0 : 2)

function add(sum: Figures | undefined, figures: Figures): Figures {
  if (sum === undefined) return { ...figures }
  return Object.fromEntries(
    Object.entries(sum).map(([name, value]) => [name, value + figures[name as keyof Figures]]),
  ) as Figures
}

const settled = (setting: Setting, figures: Figures, day: string): Figures => ({
  ...figures,
  spendMinor: Math.round((figures.spendMinor * (setting.restated.get(day) ?? 100)) / 100),
})

/** Names below the report's level are a hyphen, as on the platform. */
function integratedMetrics(sum: Figures, account: Account, names: Record<string, string>) {
  const video = (share: number) => String(Math.round(sum.plays * share))
  return {
    spend: decimal(sum.spendMinor, account),
    impressions: String(sum.impressions),
    clicks: String(sum.clicks),
    reach: String(sum.reach),
    conversion: String(sum.conversions),
    total_complete_payment_rate: decimal(sum.website, account),
    total_onsite_shopping_value: decimal(sum.shop, account),
    total_purchase_value: decimal(sum.app, account),
    currency: account.currency,
    video_play_actions: String(sum.plays),
    video_watched_2s: video(0.4),
    video_watched_6s: video(0.15),
    video_views_p25: video(0.3),
    video_views_p50: video(0.2),
    video_views_p75: video(0.12),
    video_views_p100: video(0.07),
    ...names,
  }
}

export function integratedReport(setting: Setting, query: URLSearchParams): Row[] | Refusal {
  const service = query.get('service_type') ?? ''
  const [prefix, levelName = ''] = (query.get('data_level') ?? '').split('_')
  const level = levels[levelName]
  const isKnown = (service === 'AUCTION' || service === 'RESERVATION') && service === prefix
  if (query.get('report_type') !== 'BASIC' || !isKnown || level === undefined)
    return invalid('report_type, service_type and data_level do not fit')
  const dimensions = textsOf(readJson(query, 'dimensions'))
  if (dimensions.join() !== `${level.id},stat_time_day`) return invalid('dimensions do not fit data_level')
  const metrics = textsOf(readJson(query, 'metrics'))
  const known = service === 'AUCTION' ? figures : reservationFigures
  const unknown = metrics.filter((metric) => !known.has(metric) && !level.names.includes(metric))
  if (unknown.length > 0) return invalid(`Invalid metric(s): '[${unknown.join(' ')}]'`)
  const filters = readJson(query, 'filtering') as { field_name?: string; filter_value?: string }[] | null
  const wrong = (filters ?? []).find(({ field_name: field }) => field !== level.status)
  if (wrong !== undefined) return invalid(`filtering by ${wrong.field_name} is not supported for data_level`)
  const takesDeleted = (filters ?? []).some(({ filter_value: value }) => value === '["STATUS_ALL"]')
  const days = daysOf(query, setting.maxDays)
  if (!Array.isArray(days)) return days
  const rows: Row[] = []
  for (const day of days) {
    const sums = new Map<string, { sum: Figures; names: Record<string, string> }>()
    for (const campaign of setting.campaigns) {
      if (campaign.kind === 'gmv_max' || (campaign.kind === 'reservation') !== (service === 'RESERVATION'))
        continue
      for (const group of campaign.adGroups)
        for (const ad of group.ads) {
          if (ad.isDeleted && !takesDeleted && level.id === 'ad_id') continue
          const figures = figuresOf(setting.seed, setting.account, ad, day, setting.now)
          if (figures === null) continue
          const names = {
            campaign_id: campaign.id,
            campaign_name: campaign.name,
            adgroup_id: group.id,
            adgroup_name: group.name,
            ad_id: ad.id,
            ad_name: ad.name,
          }
          const key = names[level.id as 'ad_id']
          sums.set(key, { sum: add(sums.get(key)?.sum, settled(setting, figures, day)), names })
        }
    }
    for (const [key, { sum, names }] of sums) {
      const metricValues: Record<string, string> = integratedMetrics(sum, setting.account, names)
      rows.push({
        dimensions: { [level.id]: key, stat_time_day: `${day} 00:00:00` },
        metrics: Object.fromEntries(metrics.map((metric) => [metric, metricValues[metric]!])),
      })
    }
  }
  return rows
}

export function gmvMaxReport(setting: Setting, query: URLSearchParams): Row[] | Refusal {
  const stores = textsOf(readJson(query, 'store_ids'))
  if (stores.length !== 1) return invalid('store_ids: Length must be 1')
  if (stores[0] !== setting.account.storeId) return invalid('The store is not authorized for the ad account')
  if (textsOf(readJson(query, 'dimensions')).join() !== 'campaign_id,stat_time_day')
    return invalid('Invalid dimensions')
  const metrics = textsOf(readJson(query, 'metrics'))
  const unknown = metrics.filter((metric) => !gmvMaxFigures.has(metric))
  if (unknown.length > 0) return invalid(`Invalid metric(s): '[${unknown.join(' ')}]'`)
  const days = daysOf(query, setting.maxDays)
  if (!Array.isArray(days)) return days
  return days.flatMap((day) =>
    setting.campaigns.flatMap((campaign): Row[] => {
      const sum = gmvMaxFiguresOf(setting, campaign, day)
      if (sum === null) return []
      const cost = decimal(sum.spendMinor, setting.account)
      const metricValues: Record<string, string> = {
        cost,
        net_cost: cost,
        orders: String(sum.conversions),
        gross_revenue: decimal(sum.shop + sum.website, setting.account),
        currency: setting.account.currency,
        roi: '2.10',
      }
      return [
        {
          dimensions: { campaign_id: campaign.id, stat_time_day: `${day} 00:00:00` },
          metrics: Object.fromEntries(metrics.map((metric) => [metric, metricValues[metric]!])),
        },
      ]
    }),
  )
}

function gmvMaxFiguresOf(setting: Setting, campaign: Campaign, day: string): Figures | null {
  if (campaign.kind !== 'gmv_max') return null
  const figures = figuresOf(setting.seed, setting.account, campaign.adGroups[0]!.ads[0]!, day, setting.now)
  return figures === null ? null : settled(setting, figures, day)
}

/** The account's total billed amount of a day. */
export function billedMinor(setting: Setting, day: string): number {
  return setting.campaigns
    .flatMap((campaign) =>
      campaign.kind === 'gmv_max'
        ? [gmvMaxFiguresOf(setting, campaign, day)]
        : campaign.adGroups
            .flatMap(({ ads }) => ads)
            .map((ad) => figuresOf(setting.seed, setting.account, ad, day, setting.now)),
    )
    .reduce((sum, figures) => sum + (figures === null ? 0 : figures.spendMinor), 0)
}
