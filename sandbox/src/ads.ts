/**
 * The advertising of the sandboxes' business, Harbor & Pine (kitchens by appointment and a shop of
 * accessories): accounts, campaigns, ad sets, ads, and what each delivered on each day.
 * Everything is derived from the seed; figures of past days do not change when the clock moves.
 */
import { addDays, daysBetween, type LocalTime, weekday } from './days.ts'
import { clickLift, fatigueOf, fatigueStart } from './planted.ts'
import { seededDigits, seededRandom } from './seeded-random.ts'

/** Ad platforms that bring the people of the world. */
export type Platform = 'social' | 'engine'
export type AdPlatform = Platform | 'linkedin'
export type WorldAccount = {
  id: string
  name: string
  currency: string
  timezone: string
  minorPerUnit: number
}
export type WorldStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED'
export type WorldObjective = 'sales' | 'leads' | 'messaging' | 'traffic' | 'awareness'

export type WorldAd = {
  id: string
  name: string
  campaignId: string
  adSetId: string
  format: 'video' | 'static' | 'carousel'
  title: string
  body: string
  ctaType: string
  videoId: string | null
  /** Relative performance among the ads of the campaign; spend and clicks depend on it. */
  pull: number
  /** First day of declining clicks; null without fatigue. */
  fatigueStart: string | null
}
export type WorldAdSet = {
  id: string
  name: string
  campaignId: string
  dailyBudgetMinor: number | null
  ads: WorldAd[]
}
export type WorldCampaign = {
  id: string
  name: string
  objective: WorldObjective
  status: WorldStatus
  /** Null if the ad sets have the budgets. */
  dailyBudgetMinor: number | null
  lifetimeBudgetMinor: number | null
  /** The last day it ran; null while it runs. */
  endDay: string | null
  /** People per unit of spend, relative to the platform's other campaigns. */
  draws: number
  adSets: WorldAdSet[]
}

export type WorldDelivery = {
  spendMinor: number
  impressions: number
  clicks: number
  reach: number
  /** Thousandths, because platforms report shares of a conversion. */
  conversionsMilli: number
  conversionValueMinor: number
  messagingStarted: number
}

export const worldDays = 120

const places = [
  ['Harbor & Pine', 'USD', 'America/New_York', 100],
  ['Harbor & Pine Berlin', 'EUR', 'Europe/Berlin', 100],
  ['Harbor & Pine Tokyo', 'JPY', 'Asia/Tokyo', 1],
] as const

/** The people of the world came through the first account. */
export function worldAccounts(seed: string, platform: AdPlatform): [WorldAccount, ...WorldAccount[]] {
  const accounts = places.map(([name, currency, timezone, minorPerUnit], index) => ({
    id: seededDigits(idDigits[platform].account, seed, platform, 'account', index),
    name,
    currency,
    timezone,
    minorPerUnit,
  }))
  return accounts as [WorldAccount, ...WorldAccount[]]
}

/** Lengths of each platform's ids. */
const idDigits: Record<AdPlatform, { account: number; campaign: number; below: number }> = {
  social: { account: 15, campaign: 17, below: 17 },
  engine: { account: 10, campaign: 11, below: 12 },
  linkedin: { account: 9, campaign: 9, below: 9 },
}

type Plan = [
  name: string,
  objective: WorldObjective,
  status: WorldStatus,
  budget: 'campaign' | 'ad_set' | 'lifetime',
  /** In whole units of the first account's currency. */
  daily: number,
  draws: number,
]
const plans: Record<AdPlatform, readonly Plan[]> = {
  social: [
    ['Kitchen consultations | Leads', 'leads', 'ACTIVE', 'campaign', 160, 1],
    ['Message us | Showroom', 'messaging', 'ACTIVE', 'ad_set', 90, 1],
    ['Accessories shop | Sales', 'sales', 'ACTIVE', 'campaign', 150, 1],
    ['Spring open house', 'awareness', 'PAUSED', 'lifetime', 80, 1],
    ['Last autumn clearance', 'traffic', 'ARCHIVED', 'campaign', 110, 1],
  ],
  engine: [
    ['Search | Brand', 'sales', 'ACTIVE', 'campaign', 90, 2.2],
    ['Search | Kitchen renovation', 'leads', 'ACTIVE', 'campaign', 150, 1],
    ['Shopping | Accessories', 'sales', 'ACTIVE', 'campaign', 110, 1.8],
    ['Search | Competitors', 'traffic', 'ACTIVE', 'campaign', 150, 0.03],
    ['Search | Summer sale', 'traffic', 'PAUSED', 'campaign', 60, 1],
  ],
  linkedin: [
    ['Architects | Lead forms', 'leads', 'ACTIVE', 'ad_set', 70, 1],
    ['Property managers | Visits', 'traffic', 'ACTIVE', 'ad_set', 60, 1],
    ['Trade fair 2025', 'awareness', 'PAUSED', 'ad_set', 40, 1],
  ],
}
const audiences = {
  social: ['Homeowners 30-55', 'Lookalike of buyers 2%', 'Retargeting 30 days', 'New movers'],
  engine: ['Exact', 'Broad', 'Near me', 'Products'],
  linkedin: ['Architects, senior', 'Facility managers', 'Company list', 'Hospitality owners'],
} as const
type Hook = readonly [name: string, title: string, body: string]
/** Customer quotes: the first ad of each ad set. */
const quotes: readonly Hook[] = [
  ['Customer story Mia', '“We cook together again”', 'Mia shows what changed when the wall came down.'],
  [
    'Customer story Jonas',
    '“The best room of the house”',
    'Jonas walks through the kitchen that we built for his family.',
  ],
]
const hooks: readonly Hook[] = [
  [
    'Before and after, 9 days',
    'Nine days, one new kitchen',
    'See how the Larsens got theirs without moving out.',
  ],
  [
    'Founder talks oak',
    'Why we still plane by hand',
    'Our founder shows what a solid oak front looks like after ten years.',
  ],
  ['Price list', 'From plan to price in a day', 'Bring your measurements and leave with a fixed price.'],
  ['Drawer test', '200,000 times open and shut', 'Soft close that stays soft. Watch the machine do it.'],
  [
    'Gift set',
    'The board that gets better',
    'Walnut boards and oil, packed by us, at your door in two days.',
  ],
]
const callsToAction: Record<WorldObjective, string> = {
  leads: 'BOOK_TRAVEL',
  messaging: 'MESSAGE_PAGE',
  sales: 'SHOP_NOW',
  traffic: 'LEARN_MORE',
  awareness: 'LEARN_MORE',
}

/** Inactive campaigns ended before the sandbox was started. */
export function worldCampaigns(
  seed: string,
  platform: AdPlatform,
  account: WorldAccount,
  startedOn: string,
): WorldCampaign[] {
  return plans[platform].map(([name, objective, status, budget, daily, draws], campaignIndex) => {
    const random = seededRandom(seed, account.id, 'campaign', campaignIndex)
    const id = seededDigits(idDigits[platform].campaign, seed, account.id, 'campaign', campaignIndex)
    const dailyMinor = daily * account.minorPerUnit * (account.minorPerUnit === 1 ? 140 : 1)
    const adSetCount = 2
    const adSets = Array.from({ length: adSetCount }, (_, adSetIndex): WorldAdSet => {
      const audience = audiences[platform][(campaignIndex + adSetIndex) % audiences[platform].length]!
      const adSetId = seededDigits(idDigits[platform].below, seed, id, 'ad set', adSetIndex)
      const adCount = status === 'ACTIVE' ? 3 : 2
      const first = random.int(0, hooks.length - 1)
      const ads = Array.from({ length: adCount }, (_, adIndex): WorldAd => {
        const [hook, title, body] =
          adIndex === 0
            ? quotes[(campaignIndex + adSetIndex) % quotes.length]!
            : hooks[(first + adIndex) % hooks.length]!
        const adId = seededDigits(idDigits[platform].below, seed, adSetId, 'ad', adIndex)
        const format = random.pick(['video', 'static', 'carousel'] as const)
        return {
          id: adId,
          name: `${hook} | ${format} | v${adIndex + 1}`,
          campaignId: id,
          adSetId,
          format,
          title,
          body,
          ctaType: objective === 'leads' ? 'SIGN_UP' : callsToAction[objective],
          videoId: format === 'video' ? seededDigits(15, seed, adId, 'video') : null,
          pull: 0.7 + random.next() * 0.6,
          fatigueStart: fatigueStart({ platform, campaignIndex, adSetIndex, adIndex }, startedOn),
        }
      })
      const budgetMinor = budget === 'ad_set' ? Math.round(dailyMinor / adSetCount) : null
      return { id: adSetId, name: audience, campaignId: id, dailyBudgetMinor: budgetMinor, ads }
    })
    return {
      id,
      name,
      objective,
      status,
      dailyBudgetMinor: budget === 'campaign' ? dailyMinor : null,
      lifetimeBudgetMinor: budget === 'lifetime' ? dailyMinor * 30 : null,
      endDay: endDay(status, startedOn),
      draws,
      adSets,
    }
  })
}

// People buy and enquire at the weekend, and browse on Mondays. Starts with Sunday.
const weekRhythm = [1.18, 0.86, 0.88, 0.94, 1, 1.08, 1.22]

/** Delivery of an ad on a day of its account, as currently reported; null if it did not run. */
export function worldDelivery(
  seed: string,
  account: WorldAccount,
  campaign: WorldCampaign,
  ad: WorldAd,
  day: string,
  today: LocalTime,
): WorldDelivery | null {
  const age = daysBetween(day, today.day)
  if (age < 0 || age >= worldDays || (campaign.endDay !== null && day > campaign.endDay)) return null
  const random = seededRandom(seed, ad.id, day)
  if (random.chance(0.02)) return null
  const settled = settledShare(age, today.passed)
  const spend = usualSpend(campaign, ad) * weekRhythm[weekday(day)]! * (0.82 + random.next() * 0.3) * settled
  const unit = account.minorPerUnit * (account.minorPerUnit === 1 ? 140 : 1)
  const impressions = Math.round((spend / unit) * (38 + random.next() * 30))
  const drawn = (0.7 + ad.pull * 0.3) * clickLift(ad) * fatigueOf(ad, day)
  const clicks = Math.round(impressions * (0.0125 + random.next() * 0.005) * drawn)
  const conversions = Math.round(clicks * (0.018 + random.next() * 0.03) * 1000 * ripeness(age))
  const selling = campaign.objective === 'sales'
  const basket = unit * (60 + random.next() * 90)
  return {
    spendMinor: Math.round(spend),
    impressions,
    clicks,
    reach: Math.round(impressions * (0.72 + random.next() * 0.2)),
    // Rounded up with the probability of the remainder, so that small ads also get conversions.
    conversionsMilli: selling ? conversions : Math.floor(conversions / 1000 + random.next()) * 1000,
    conversionValueMinor: selling ? Math.round((conversions / 1000) * basket) : 0,
    messagingStarted: campaign.objective === 'messaging' ? Math.round(clicks * 0.05) : 0,
  }
}

/** Usual daily spend of an ad: its share of the campaign's budget, proportional to `pull`. */
export function usualSpend(campaign: WorldCampaign, ad: WorldAd): number {
  const pulls = campaign.adSets.flatMap(({ ads }) => ads).reduce((sum, { pull }) => sum + pull, 0)
  return (campaign.dailyBudgetMinor ?? budgetOfSets(campaign)) * (ad.pull / pulls)
}

/** First day with delivery. */
export const firstWorldDay = (today: LocalTime): string => addDays(today.day, 1 - worldDays)

function endDay(status: WorldStatus, startedOn: string): string | null {
  switch (status) {
    case 'ACTIVE':
      return null
    case 'PAUSED':
      return addDays(startedOn, -24)
    case 'ARCHIVED':
      return addDays(startedOn, -75)
  }
}

const budgetOfSets = (campaign: WorldCampaign): number =>
  campaign.lifetimeBudgetMinor === null
    ? campaign.adSets.reduce((sum, { dailyBudgetMinor }) => sum + (dailyBudgetMinor ?? 0), 0)
    : campaign.lifetimeBudgetMinor / 30

/** Platforms restate recent days: today's spend is partial, that of the two days before almost final. */
function settledShare(age: number, passedToday: number): number {
  if (age === 0) return passedToday * 0.94
  if (age === 1) return 0.965
  return age === 2 ? 0.99 : 1
}

/** Conversions are reported on the day of the click and arrive for a week. */
const ripeness = (age: number): number => Math.min(1, 0.55 + age * 0.07)
