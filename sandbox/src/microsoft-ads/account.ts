/** Ad accounts of the sandbox: campaigns of three kinds, and daily delivery of ads and asset groups. */
import { seededDigits, seededRandom, seededUuid } from '../seeded-random.ts'

export type MsAd = {
  id: string
  type: 'ResponsiveSearch' | 'ExpandedText' | 'ResponsiveAd'
  headlines: string[]
  descriptions: string[]
  /** Still in reports, but not in lists. */
  isDeleted: boolean
  status: string
}
export type MsGroup = { id: string; name: string; isAssetGroup: boolean; status: string; ads: MsAd[] }
export type MsCampaign = {
  id: string
  name: string
  type: 'Search' | 'Audience' | 'PerformanceMax'
  status: string
  dailyBudget: number
  budgetType: string
  /** Id of a shared budget. */
  budgetId: string | null
  groups: MsGroup[]
}
export type MsAccount = {
  id: string
  customerId: string
  number: string
  name: string
  currency: string
  timeZone: string
  iana: string
  lifeCycle: string
  campaigns: MsCampaign[]
}

export type Leaf = { campaign: MsCampaign; group: MsGroup; ad: MsAd | null }
export type Figures = {
  spend: number
  impressions: number
  clicks: number
  conversions: number
  revenue: number
}

const places = [
  ['Harbor & Pine', 'USD', 'EasternTimeUSCanada', 'America/New_York', 'Active'],
  ['Harbor & Pine Berlin', 'EUR', 'AmsterdamBerlinBernRomeStockholmVienna', 'Europe/Berlin', 'Active'],
  ['Harbor & Pine Auckland', 'NZD', 'AucklandWellington', 'Pacific/Auckland', 'Pause'],
  ['Harbor & Pine, closed', 'USD', 'EasternTimeUSCanada', 'America/New_York', 'Inactive'],
] as const

const texts = [
  ['Nine days, one new kitchen', 'See how the Larsens got theirs without moving out.'],
  ['From plan to price in a day', 'Bring your measurements and leave with a fixed price.'],
  ['200,000 times open and shut', 'Soft close that stays soft.'],
  ['Why we still plane by hand', 'Solid oak fronts, made to last.'],
] as const

const plans = [
  ['Search | Kitchens', 'Search', 'Active', 120],
  ['Audience | Homeowners', 'Audience', 'Active', 60.5],
  ['PMax | Accessories', 'PerformanceMax', 'Active', 90],
  ['Search | Summer sale', 'Search', 'Paused', 40],
] as const

export function makeAccounts(seed: string): MsAccount[] {
  return places.map(([name, currency, timeZone, iana, lifeCycle], index) => {
    const id = seededDigits(9, seed, 'microsoft', 'account', index)
    return {
      id,
      customerId: seededDigits(8, seed, 'microsoft', 'customer', index),
      number: `F${seededDigits(7, id, 'number')}`,
      name,
      currency,
      timeZone,
      iana,
      lifeCycle,
      campaigns: makeCampaigns(id),
    }
  })
}

const makeCampaigns = (accountId: string): MsCampaign[] =>
  plans.map(([name, type, status, dailyBudget], index) => {
    const id = seededDigits(9, accountId, 'campaign', index)
    const isAssets = type === 'PerformanceMax'
    const groups = ['Near me', 'Brand'].map((groupName, groupIndex) => {
      // Ids exceed the safe integers of JavaScript.
      const groupId = seededDigits(16, id, 'group', groupIndex)
      const ads = isAssets ? [] : [0, 1].map((adIndex) => makeAd(type, groupId, adIndex))
      return { id: groupId, name: groupName, isAssetGroup: isAssets, status: 'Active', ads }
    })
    return {
      id,
      name,
      type,
      status,
      dailyBudget,
      budgetType: 'DailyBudgetStandard',
      budgetId: null,
      groups,
    }
  })

function makeAd(type: MsCampaign['type'], groupId: string, index: number): MsAd {
  const id = seededDigits(18, groupId, 'ad', index)
  const random = seededRandom(id)
  const [first, second] = [random.pick(texts), random.pick(texts)]
  const adType = type === 'Audience' ? 'ResponsiveAd' : index === 0 ? 'ResponsiveSearch' : 'ExpandedText'
  return {
    id,
    type: adType,
    headlines: [first[0], second[0]],
    descriptions: [first[1], second[1]],
    isDeleted: adType === 'ExpandedText' && random.chance(0.5),
    status: 'Active',
  }
}

export const leavesOf = (account: MsAccount): Leaf[] =>
  account.campaigns.flatMap((campaign) =>
    campaign.groups.flatMap((group): Leaf[] =>
      group.isAssetGroup ? [{ campaign, group, ad: null }] : group.ads.map((ad) => ({ campaign, group, ad })),
    ),
  )

/** First day of advertising. */
const FIRST_DAY = '2024-01-01'

/** In hundredths, except counts. */
export function figuresOf({ campaign, group, ad }: Leaf, day: string): Figures | null {
  if (day < FIRST_DAY) return null
  const random = seededRandom('microsoft', ad?.id ?? group.id, day)
  if (campaign.status !== 'Active' || random.chance(0.03)) return null
  const spend = Math.round(campaign.dailyBudget * 100 * (0.15 + random.next() * 0.12))
  const impressions = Math.round(spend * (0.4 + random.next() * 0.3))
  const clicks = Math.round(impressions * (0.02 + random.next() * 0.02))
  const conversions = Math.round(clicks * random.next() * 12)
  return { spend, impressions, clicks, conversions, revenue: conversions * random.int(60, 190) }
}

/** Id of the one click per ad and day in the click report. */
export const clickOf = (leaf: Leaf, day: string): string =>
  seededUuid('msclkid', leaf.ad?.id ?? leaf.group.id, day)
