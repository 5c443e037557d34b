/**
 * Ad accounts of the imitation: campaigns of all kinds, a deleted ad with history, Smart+, a shop with GMV Max,
 * and daily delivery. Everything is derived from the seed.
 */
import { addDays, daysBetween, localTime } from '../days.ts'
import { seededDigits, seededRandom } from '../seeded-random.ts'

export type Account = {
  id: string
  name: string
  currency: string
  timezone: string
  minorPerUnit: number
  storeId: string
  pageId: string
}
export type Kind = 'standard' | 'smart_plus' | 'gmv_max' | 'reservation'
export type Ad = {
  id: string
  name: string
  format: 'SINGLE_VIDEO' | 'SINGLE_IMAGE' | 'CAROUSEL_ADS'
  fileIds: string[]
  /** The last day it ran; deleted ads have one. */
  endDay: string | null
  isDeleted: boolean
}
export type AdGroup = { id: string; name: string; ads: Ad[] }
export type Campaign = {
  id: string
  name: string
  kind: Kind
  objective: string
  budgetMode: string
  /** In units of the currency. */
  budget: number
  adGroups: AdGroup[]
}
export type Figures = {
  spendMinor: number
  impressions: number
  clicks: number
  reach: number
  conversions: number
  website: number
  shop: number
  app: number
  plays: number
}

const HISTORY_DAYS = 120

const places = [
  ['Harbor & Pine', 'USD', 'America/New_York', 100],
  ['Harbor & Pine Berlin', 'EUR', 'Europe/Berlin', 100],
  ['Harbor & Pine Tokyo', 'JPY', 'Asia/Tokyo', 1],
] as const

type Plan = readonly [name: string, kind: Kind, objective: string, budgetMode: string, budget: number]
const plans: readonly Plan[] = [
  ['Kitchen tips | Traffic', 'standard', 'TRAFFIC', 'BUDGET_MODE_DAY', 120],
  ['Accessories | Website', 'standard', 'WEB_CONVERSIONS', 'BUDGET_MODE_INFINITE', 0],
  ['Consultations | Instant form', 'standard', 'LEAD_GENERATION', 'BUDGET_MODE_TOTAL', 3000],
  ['Accessories | Smart+', 'smart_plus', 'WEB_CONVERSIONS', 'BUDGET_MODE_DYNAMIC_DAILY_BUDGET', 90],
  ['Shop | GMV Max', 'gmv_max', 'PRODUCT_SALES', 'BUDGET_MODE_DAY', 80],
]
/** Booked with a contact at the platform; in no list of campaigns that was seen, and in reports of its own. */
const reservationPlan: Plan = ['Spring launch | TopView', 'reservation', 'REACH', 'BUDGET_MODE_TOTAL', 5000]
const audiences = ['Homeowners 30-55', 'Short video fans']
const hooks = ['Drawer test', 'Nine days, one kitchen', 'Gift set']
const formats = ['SINGLE_VIDEO', 'SINGLE_IMAGE', 'CAROUSEL_ADS'] as const

/** 19 digits like the platform's ids, which exceed the safe integers of JavaScript. */
const makeId = (...parts: (string | number)[]) => `17${seededDigits(17, ...(parts as [string]))}`

export function makeAccounts(seed: string): Account[] {
  return places.map(([name, currency, timezone, minorPerUnit], index) => ({
    id: makeId(seed, 'tiktok account', index),
    name,
    currency,
    timezone,
    minorPerUnit,
    storeId: `74${seededDigits(17, seed, 'tiktok store', index)}`,
    pageId: `75${seededDigits(17, seed, 'tiktok page', index)}`,
  }))
}

export function makeCampaigns(seed: string, account: Account, startedOn: string): Campaign[] {
  return plans.map((plan, index) => makeCampaign(seed, account, startedOn, plan, index))
}

export const makeReservation = (seed: string, account: Account, startedOn: string): Campaign =>
  makeCampaign(seed, account, startedOn, reservationPlan, plans.length)

function makeCampaign(
  seed: string,
  account: Account,
  startedOn: string,
  [name, kind, objective, budgetMode, budget]: Plan,
  index: number,
): Campaign {
  const id = makeId(seed, account.id, 'campaign', index)
  const adGroups = audiences.map((audience, groupIndex): AdGroup => {
    const groupId = makeId(seed, id, 'ad group', groupIndex)
    const ads = hooks.slice(0, 2).map((_, adIndex): Ad => {
      const adId = makeId(seed, groupId, 'ad', adIndex)
      const format = formats[(index + groupIndex + adIndex) % formats.length]!
      const isDeleted = index === 0 && groupIndex === 0 && adIndex === 1
      const files = format === 'CAROUSEL_ADS' ? 3 : 1
      return {
        id: adId,
        name: `${hooks[(index + adIndex) % hooks.length]} | v${adIndex + 1}`,
        format,
        fileIds: Array.from({ length: files }, (_, file) => `f-${adId}-${file}`),
        endDay: isDeleted ? addDays(startedOn, -5) : null,
        isDeleted,
      }
    })
    return { id: groupId, name: audience, ads }
  })
  const scale = account.minorPerUnit === 1 ? 140 : 1
  return { id, name, kind, objective, budgetMode, budget: budget * scale, adGroups }
}

/** Figures of an ad on a day of its account; null if it did not run. */
export function figuresOf(seed: string, account: Account, ad: Ad, day: string, now: Date): Figures | null {
  const age = daysBetween(day, localTime(now, account.timezone).day)
  if (age < 0 || age >= HISTORY_DAYS || (ad.endDay !== null && day > ad.endDay)) return null
  const random = seededRandom(seed, 'tiktok', ad.id, day)
  const unit = account.minorPerUnit === 1 ? 140 : account.minorPerUnit
  const spendMinor = Math.round(unit * (12 + random.next() * 9))
  const impressions = random.int(900, 2400)
  const clicks = random.int(8, 40)
  const conversions = random.int(0, 4)
  return {
    spendMinor,
    impressions,
    clicks,
    reach: Math.round(impressions * 0.8),
    conversions,
    website: conversions * random.int(20, 60) * unit,
    shop: random.int(0, 1) * 15 * unit,
    app: random.int(0, 1) * 9 * unit,
    plays: Math.round(impressions * 0.9),
  }
}
