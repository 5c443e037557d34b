/** Expected counts of people and clicks. */
import { inOrder, type Model } from './credit.ts'
import { DAY, toText } from './decimal.ts'
import type { Expected } from './expected.ts'
import { known, over } from './expected-figures.ts'
import { isIn, noCredit, type PlacedTouch, type Range } from './ledger.ts'

const origins = ['partner_ad_referral', 'conversation_referral', 'web', 'other'] as const
export const reachChannels = ['chatapp', 'photoapp', 'pagechat', 'web', 'other'] as const
export type ReachQuery = {
  range: Range
  groupBy: 'month' | 'day' | 'ad'
  channel: (typeof reachChannels)[number] | null
  firstOnly: boolean
  limit: number
}

export function expectedAdPeople(expected: Expected, query: ReachQuery): Record<string, unknown> {
  const { range, groupBy, channel, firstOnly } = query
  const dayOf = (touch: PlacedTouch) => expected.facts.dayOf(touch.at)
  const personOf = (touch: PlacedTouch) => expected.ledger.customerOf(touch.node)
  const inWindow = inOrder(expected.ledger.touches).filter(
    (touch) =>
      touch.named.ad !== null &&
      isIn(range, dayOf(touch)) &&
      (channel === null || channelOf(touch) === channel),
  )
  const seen = new Set<string>()
  const counted = firstOnly
    ? inWindow.filter((touch) => !seen.has(personOf(touch)) && seen.add(personOf(touch)))
    : inWindow
  const count = (touches: readonly PlacedTouch[]) => ({
    people: new Set(touches.map(personOf)).size,
    touches: touches.length,
  })
  const counts = (touches: readonly PlacedTouch[]) => ({
    ad_people: count(touches).people,
    ad_touches: count(touches).touches,
    by_origin: Object.fromEntries(
      origins.map((origin) => [origin, count(touches.filter((touch) => touch.origin === origin))]),
    ),
    // Imported spend has no conversations.
    meta_messaging_conversations_started: null,
  })
  const buckets =
    groupBy === 'ad'
      ? [...new Set(counted.map((touch) => touch.named.ad!))]
          .map((ad) => ({ ad, own: counted.filter((touch) => touch.named.ad === ad) }))
          .sort(
            (a, b) =>
              count(b.own).people - count(a.own).people ||
              b.own.length - a.own.length ||
              (a.ad < b.ad ? -1 : 1),
          )
          .map(({ ad, own }) => ({
            key: ad,
            start: range.from,
            end: range.to,
            ad_id: ad,
            ad_name: expected.entity('ad', ad)?.name ?? null,
            ...counts(own),
          }))
      : spans(range, groupBy).map((span) => ({
          ...span,
          ad_id: null,
          ad_name: null,
          ...counts(counted.filter((touch) => dayOf(touch) >= span.start && dayOf(touch) <= span.end)),
        }))
  const listedBuckets = groupBy === 'ad' ? buckets.slice(0, query.limit) : buckets
  return {
    date_from: range.from,
    date_to: range.to,
    group_by: groupBy,
    channel,
    first_only: firstOnly,
    timezone: expected.facts.world.zone,
    totals: counts(counted),
    buckets: listedBuckets,
    buckets_total: buckets.length,
    buckets_truncated: listedBuckets.length < buckets.length,
  }
}

function channelOf(touch: PlacedTouch): string {
  if (['chatapp', 'photoapp', 'pagechat'].includes(touch.channel)) return touch.channel
  return touch.origin === 'web' ? 'web' : 'other'
}

/** Days of the range, or months clipped to it. */
function spans({ from, to }: Range, groupBy: 'month' | 'day'): { key: string; start: string; end: string }[] {
  const periods: { key: string; start: string; end: string }[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY) {
    const day = new Date(time).toISOString().slice(0, 10)
    const key = groupBy === 'day' ? day : day.slice(0, 7)
    const last = periods.at(-1)
    if (last?.key === key) last.end = day
    else periods.push({ key, start: day, end: day })
  }
  return periods
}

/** Platforms are sorted by name. */
export function expectedAdIdQuality(expected: Expected, model: Model, range: Range) {
  const unassigned = expected.ledger.unassigned(model, range)
  const inRange = expected.ledger.touches.filter((touch) => isIn(range, expected.facts.dayOf(touch.at)))
  const clicks = inRange.filter((touch) => touch.platform !== null)
  const names = new Set([...clicks.map((touch) => touch.platform!), ...unassigned.keys()] as string[])
  const platforms = [...names].sort().map((platform) => {
    const platformClicks = clicks.filter((touch) => touch.platform === platform)
    const withAdId = platformClicks.filter((touch) => touch.named.ad !== null).length
    const credit = unassigned.get(platform) ?? noCredit
    const cash = known(credit.cash, credit.cashUnrated)
    return {
      platform,
      paid_clicks: platformClicks.length,
      with_ad_id: withAdId,
      without_ad_id: platformClicks.length - withAdId,
      with_ad_id_pct: over(BigInt(withAdId) * 100n, BigInt(platformClicks.length)),
      unassigned_conversions: credit.count,
      unassigned_cash_revenue: cash === null ? null : toText(cash, expected.currency),
    }
  })
  const ads = new Set(inRange.flatMap((touch) => touch.named.ad ?? []))
  const unknown = [...ads].filter((ad) => expected.entity('ad', ad) === undefined).sort()
  return { platforms, unknown_ads: unknown, unknown_ads_total: unknown.length }
}
