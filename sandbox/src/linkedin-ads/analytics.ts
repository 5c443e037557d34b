/**
 * adAnalytics: one pivot, days, at most 20 metrics, no pages; rows beyond 15,000 are silently missing
 * (learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/ads-reporting; the limits by integrators).
 */

import { type WorldDelivery, worldDelivery } from '../ads.ts'
import { worldAttention } from '../creatives.ts'
import { listDays, localTime } from '../days.ts'
import type { SandboxOptions, SandboxReply } from '../sandbox.ts'
import { type Accounts, numberIn, urn } from './accounts.ts'
import { refuse } from './refusals.ts'
import { memberOf, textsIn, type Value } from './restli.ts'

const MAX_ROWS = 15_000
const MAX_METRICS = 20
const pivotKinds: Record<string, string> = {
  CAMPAIGN_GROUP: 'sponsoredCampaignGroup',
  CAMPAIGN: 'sponsoredCampaign',
  CREATIVE: 'sponsoredCreative',
}
/** Metrics of the page's table that this sandbox supports. */
const knownMetrics = new Set([
  'costInLocalCurrency',
  'impressions',
  'clicks',
  'externalWebsiteConversions',
  'oneClickLeads',
  'conversionValueInLocalCurrency',
  'landingPageClicks',
  'videoViews',
  'videoFirstQuartileCompletions',
  'videoMidpointCompletions',
  'videoThirdQuartileCompletions',
  'videoCompletions',
  'approximateMemberReach',
  'likes',
  'comments',
  'shares',
  'follows',
  'costInUsd',
  'actionClicks',
  'totalEngagements',
  'viralImpressions',
])

type Sums = Record<string, number>
type Place = { group: string; campaign: string; creative: string }

function toSums(delivery: WorldDelivery, views: (number | null)[], percent: number): Sums {
  const [watched, p25, p50, p75, p100] = views
  return {
    spendMinor: Math.round((delivery.spendMinor * percent) / 100),
    impressions: delivery.impressions,
    clicks: delivery.clicks,
    conversions: Math.floor(delivery.conversionsMilli / 1000),
    valueMinor: delivery.conversionValueMinor,
    ...(watched == null ? {} : { watched, p25: p25 ?? 0, p50: p50 ?? 0, p75: p75 ?? 0, p100: p100 ?? 0 }),
  }
}

function added(first: Sums, second: Sums): Sums {
  const sums = { ...first }
  for (const [name, value] of Object.entries(second)) sums[name] = (sums[name] ?? 0) + value
  return sums
}

/** Sums have floating-point noise in their decimals; zero is formatted as in Java. */
function decimal(minor: number, perUnit: number): string {
  if (minor === 0) return '0E-18'
  const whole = Math.floor(minor / perUnit)
  const part = perUnit === 1 ? '' : String(minor % perUnit).padStart(2, '0')
  return `${whole}.${part}0000000000000004`
}

export function createAnalytics(options: SandboxOptions, world: Accounts) {
  const restated = new Map<string, number>()
  /** Creatives with constant delivery, to fill reports. */
  let crowd: { accountId: string; campaigns: number; each: number } | null = null

  function* rowsOf(accountId: string, day: string): Generator<[Place, Sums]> {
    const account = world.accounts.find(({ id }) => id === accountId)!
    const today = localTime(options.now(), 'UTC')
    for (const group of world.groupsOf(accountId))
      for (const campaign of group.adSets)
        for (const ad of campaign.ads) {
          const delivery = worldDelivery(options.seed, account, group, ad, day, today)
          if (delivery === null) continue
          const { views, quartiles } = worldAttention(ad, day, delivery)
          const sums = toSums(delivery, [views, ...(quartiles ?? [])], restated.get(day) ?? 100)
          yield [{ group: group.id, campaign: campaign.id, creative: ad.id }, sums]
        }
    if (crowd?.accountId !== accountId || day > today.day) return
    const sums = { spendMinor: 100, impressions: 10, clicks: 1, conversions: 0, valueMinor: 0 }
    for (let campaign = 0; campaign < crowd.campaigns; campaign++)
      for (let creative = 0; creative < crowd.each; creative++)
        yield [
          {
            group: '900000000',
            campaign: `${800_000_000 + campaign}`,
            creative: `${campaign * 1000 + creative + 1}`,
          },
          sums,
        ]
  }

  function row(pivot: string, id: string, day: string, sums: Sums, perUnit: number, isLead: boolean) {
    const [year, month, date] = day.split('-').map(Number)
    const on = { year, month, day: date }
    return {
      dateRange: { start: on, end: on },
      pivotValues: [urn(pivotKinds[pivot]!, id)],
      costInLocalCurrency: decimal(sums.spendMinor!, perUnit),
      impressions: sums.impressions,
      clicks: sums.clicks,
      [isLead ? 'oneClickLeads' : 'externalWebsiteConversions']: sums.conversions,
      ...(sums.valueMinor! > 0 ? { conversionValueInLocalCurrency: decimal(sums.valueMinor!, perUnit) } : {}),
      landingPageClicks: sums.clicks,
      ...(sums.watched === undefined
        ? {}
        : {
            videoViews: sums.watched,
            videoFirstQuartileCompletions: sums.p25,
            videoMidpointCompletions: sums.p50,
            videoThirdQuartileCompletions: sums.p75,
            videoCompletions: sums.p100,
          }),
      sandboxNovelty: 'in no schema',
    }
  }

  function report(accountIds: readonly string[], query: Record<string, Value>, days: string[]) {
    const pivot = String(memberOf(query.pivot, 'value'))
    const level = ({ CAMPAIGN_GROUP: 'group', CAMPAIGN: 'campaign', CREATIVE: 'creative' } as const)[pivot]!
    const campaigns = query.campaigns === undefined ? null : new Set(textsIn(query.campaigns).map(numberIn))
    const requested = query.accounts === undefined ? accountIds : textsIn(query.accounts).map(numberIn)
    return requested
      .filter((id) => accountIds.includes(id))
      .flatMap((accountId) => {
        const { minorPerUnit } = world.accounts.find(({ id }) => id === accountId)!
        const leadGroups = new Set(
          world.groupsOf(accountId).flatMap((group) => (group.objective === 'leads' ? [group.id] : [])),
        )
        return days.flatMap((day) => {
          const byId = new Map<string, { sums: Sums; isLead: boolean }>()
          for (const [entityIds, sums] of rowsOf(accountId, day)) {
            if (campaigns !== null && !campaigns.has(entityIds.campaign)) continue
            const before = byId.get(entityIds[level])?.sums
            byId.set(entityIds[level], {
              sums: before === undefined ? sums : added(before, sums),
              isLead: leadGroups.has(entityIds.group),
            })
          }
          return [...byId].map(([id, { sums, isLead }]) => row(pivot, id, day, sums, minorPerUnit, isLead))
        })
      })
  }

  return {
    restate: (day: string, percent: number) => void restated.set(day, percent),
    fill(accountId: string, campaigns: number, each: number) {
      crowd = { accountId, campaigns, each }
    },
    reset() {
      crowd = null
    },
    /** `accountIds`: accounts that the member may read; others give an empty report, not an error. */
    answer(accountIds: readonly string[], query: Record<string, Value>): SandboxReply {
      const bad = (message: string) => refuse(400, 'ILLEGAL_ARGUMENT', message)
      if (query.start !== undefined) return bad('Setting a paging start value is not permitted')
      if (query.q !== 'analytics' || !Object.hasOwn(pivotKinds, String(memberOf(query.pivot, 'value'))))
        return bad('Invalid finder or pivot')
      if (memberOf(query.timeGranularity, 'value') !== 'DAILY') return bad('Invalid timeGranularity')
      if (query.accounts === undefined && query.campaigns === undefined)
        return bad('At least one facet is required')
      const fields = String(query.fields ?? 'impressions,clicks').split(',')
      const metrics = fields.filter((name) => name !== 'dateRange' && name !== 'pivotValues')
      if (metrics.length > MAX_METRICS) return bad('No more than 20 metrics')
      const unknown = metrics.find((name) => !knownMetrics.has(name))
      if (unknown !== undefined) return bad(`Unknown field ${unknown}`)
      const bound = (end: string) =>
        ['year', 'month', 'day']
          .map((part) => String(memberOf(query.dateRange, end, part)).padStart(2, '0'))
          .join('-')
      const [since, until] = [bound('start'), bound('end')]
      if (![since, until].every((day) => /^\d{4}-\d\d-\d\d$/.test(day))) return bad('Invalid dateRange')
      const keptFields = new Set([...fields, 'sandboxNovelty'])
      const elements = report(accountIds, query, listDays(since, until))
        .slice(0, MAX_ROWS)
        .map((reportRow) =>
          Object.fromEntries(Object.entries(reportRow).filter(([name]) => keptFields.has(name))),
        )
      return { status: 200, body: { elements, paging: { start: 0, count: 10, links: [] } } }
    },
  }
}
