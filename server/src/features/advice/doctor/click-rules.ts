/** Clicks without an ad or click id, and clicks that do not arrive. Pure. */
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import type { ArrivalRow, CampaignSpendRow, MarkedRow, UnknownAdRow } from './queries/clicks.ts'
import type { SaleRow } from './queries/sales.ts'
import { earliest, example, finding, notApplicable, ok, total, type Verdict } from './verdict-rules.ts'

const FEW = 10
const MIN_SHARE = 0.1
const MOST = 0.5

export function assessUntagged(arrivals: readonly ArrivalRow[]): Verdict {
  if (total(arrivals, ({ clicks }) => clicks) === 0) return notApplicable
  const affected = arrivals.filter(({ clicks, unnamed }) => unnamed >= FEW && unnamed > clicks * MIN_SHARE)
  if (affected.length === 0) return ok
  return finding(affected.some(({ clicks, unnamed }) => unnamed > clicks * MOST) ? 'problem' : 'warning', {
    count: total(affected, ({ unnamed }) => unnamed),
    valueMinor: total(affected, ({ value_minor }) => value_minor),
    since: earliest(affected.map(({ since }) => since)),
    examples: affected.map(({ platform, clicks, unnamed }) =>
      example('platform', platform, { count: unnamed, detail: `of ${clicks} paid clicks` }),
    ),
  })
}

const FEW_UNKNOWN = 5

export function assessUnknownAds({
  listed,
  ads,
}: {
  listed: boolean
  ads: readonly UnknownAdRow[]
}): Verdict {
  if (!listed) return notApplicable
  const touches = total(ads, (ad) => ad.touches)
  if (touches < FEW_UNKNOWN) return ok
  return finding('warning', {
    count: touches,
    valueMinor: null,
    since: earliest(ads.map(({ since }) => since)),
    examples: ads.map((ad) => example('ad', ad.ad_id, { count: ad.touches })),
  })
}

const STRIPPED_SHARE = 0.2

export function assessStripped(
  rows: readonly MarkedRow[],
  sales: readonly SaleRow[],
  dayOf: (instant: Date) => string,
): Verdict {
  if (total(rows, ({ clicks }) => clicks) === 0) return notApplicable
  const affected = rows.filter(
    ({ clicks, unmarked }) => unmarked >= FEW && unmarked > clicks * STRIPPED_SHARE,
  )
  if (affected.length === 0) return ok
  const platforms = new Set(affected.map(({ platform }) => platform))
  const isAffected = (sale: SaleRow) =>
    sale.platform !== null &&
    platforms.has(sale.platform) &&
    sale.click_id_kind === null &&
    sale.utm_medium !== null
  return finding('warning', {
    count: total(affected, ({ unmarked }) => unmarked),
    valueMinor: cashOf(sales.filter(isAffected)),
    since: earliest(affected.map(({ since }) => since && dayOf(since))),
    examples: affected.map(({ platform, clicks, unmarked }) =>
      example('platform', platform, { count: unmarked, detail: `of ${clicks} clicks with paid UTM` }),
    ),
  })
}

export const cashOf = (sales: readonly SaleRow[]): number =>
  total(sales, (sale) => (sale.revenue_type === 'cash' ? (sale.value_minor ?? 0) : 0))

/** Minimum number of expected arrivals before their absence is significant. */
const MIN_EXPECTED = 20

/**
 * Reports campaigns without arrivals although some are expected, given the platform's share of clicks that arrive with
 * an ad. If no click of a platform arrives at all, all its campaigns are reported.
 */
export function assessSpend(
  campaigns: readonly CampaignSpendRow[],
  arrivals: readonly ArrivalRow[],
): Verdict {
  if (campaigns.length === 0) return notApplicable
  const arrived = new Map(arrivals.map((row) => [row.platform, row]))
  const clicks = new Map<string, number>()
  for (const row of campaigns)
    clicks.set(platformOf(row.source), (clicks.get(platformOf(row.source)) ?? 0) + row.clicks)
  const affected = campaigns.filter((campaign) => {
    const platform = platformOf(campaign.source)
    const platformArrivals = arrived.get(platform)
    if (campaign.has_arrivals) return false
    if (platformArrivals === undefined || platformArrivals.clicks === 0)
      return campaign.clicks >= MIN_EXPECTED
    const share = (platformArrivals.clicks - platformArrivals.unnamed) / clicks.get(platform)!
    return campaign.clicks * Math.min(1, share) >= MIN_EXPECTED
  })
  if (affected.length === 0) return ok
  return finding('problem', {
    count: total(affected, (row) => row.clicks),
    valueMinor: total(affected, (row) => row.spend_minor),
    since: earliest(affected.map(({ since }) => since)),
    examples: affected.map((row) =>
      example('campaign', row.campaign_id, { count: row.clicks, detail: row.name }),
    ),
  })
}

const MIN_CLICKS = 100
const MIN_ARRIVING = 0.5

/**
 * The tracker sends nothing without consent, so visits without consent are estimated from clicks that do not arrive.
 * Campaigns without any arrival are excluded: they have another problem.
 */
export function assessConsent(
  consentMode: string,
  campaigns: readonly CampaignSpendRow[],
  arrivals: readonly ArrivalRow[],
): Verdict {
  const arrivingCampaigns = campaigns.filter((row) => row.has_arrivals)
  const reportedClicks = total(arrivingCampaigns, ({ clicks }) => clicks)
  if (consentMode === 'granted' || reportedClicks < MIN_CLICKS) return notApplicable
  const platforms = new Set(arrivingCampaigns.map(({ source }) => platformOf(source)))
  const arrived = total(
    arrivals.filter(({ platform }) => platforms.has(platform)),
    ({ clicks }) => clicks,
  )
  if (arrived >= reportedClicks * MIN_ARRIVING) return ok
  return finding('warning', {
    count: reportedClicks - arrived,
    valueMinor: null,
    since: null,
    examples: [...platforms].map((platform) =>
      example('platform', platform, {
        detail: `${arrived} of ${reportedClicks} clicks arrived; consent starts as ${consentMode}`,
      }),
    ),
  })
}
