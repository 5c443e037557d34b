/** The sandbox's ad account as reported on a day, and its final spend of the month. */
import {
  type Platform,
  type WorldAd,
  type WorldAdSet,
  type WorldCampaign,
  worldAccounts,
  worldDelivery,
} from '@whence/sandbox/ads.ts'
import type { DaySpend, MonthSoFar } from '../../src/features/advice/pacing/rules.ts'
import { addDays, listDays } from '../../src/platform/contract/dates.ts'
import { seededDigits, seededRandom } from '../../src/platform/seeded-random.ts'

const FIRST_DAY = '2026-08-03'
/** Last day of the month; the account has 120 days of history. */
export const LAST_DAY = '2026-11-30'

export type SpendingWorld = { asOf(day: string): MonthSoFar; truth(month: string): number }

export function plantSpending(seed: string, platform: Platform): SpendingWorld {
  const [account] = worldAccounts(seed, platform)
  const campaigns = plantCampaigns(seed, platform, account.id)
  const spend = (campaign: WorldCampaign, day: string, today: string) =>
    campaign.adSets
      .flatMap(({ ads }) => ads)
      // The account keeps 120 days, counted from the last day.
      .reduce((sum, ad) => {
        const seen = worldDelivery(seed, account, campaign, ad, day, { day: today, passed: 0.4 })
        return sum + (seen?.spendMinor ?? 0)
      }, 0)
  const series = (list: WorldCampaign[], until: string, today: string): DaySpend[] =>
    listDays(FIRST_DAY, until).map((day) => ({
      day,
      minor: list.reduce((sum, campaign) => sum + spend(campaign, day, today), 0),
    }))
  return {
    asOf(today) {
      const running = campaigns.filter(({ endDay }) => endDay === null || endDay >= today)
      const budget = running.reduce((sum, { dailyBudgetMinor }) => sum + (dailyBudgetMinor ?? Number.NaN), 0)
      return {
        month: today.slice(0, 7),
        today,
        all: series(campaigns, today, today),
        running: series(running, today, today),
        caps: Number.isNaN(budget)
          ? null
          : { dailyBudgetMinor: budget, perDay: 2, perWeek: null, perMonth: null },
      }
    },
    truth: (month) =>
      series(campaigns, LAST_DAY, addDays(LAST_DAY, 10))
        .filter(({ day }) => day.startsWith(month))
        .reduce((sum, { minor }) => sum + minor, 0),
  }
}

type Budget = 'campaign' | 'ad_set' | 'lifetime'
/** How the budget is set, and how many days before the last one the campaign ended. */
const plans: Record<Platform, readonly [budget: Budget, ended: number | null][]> = {
  social: [
    ['campaign', null],
    ['ad_set', null],
    ['campaign', null],
    ['lifetime', 24],
    ['campaign', 75],
  ],
  engine: [
    ['campaign', null],
    ['campaign', null],
    ['campaign', null],
    ['campaign', 24],
  ],
}

/** Campaigns of 30 to 120 a day with two or three ad sets of two or three ads, independent of the demo's campaigns. */
function plantCampaigns(seed: string, platform: Platform, accountId: string): WorldCampaign[] {
  const digits = platform === 'engine' ? 12 : 17
  return plans[platform].map(([budget, ended], campaignIndex) => {
    const random = seededRandom(seed, accountId, 'campaign', campaignIndex)
    const id = seededDigits(platform === 'engine' ? 11 : 17, seed, accountId, 'campaign', campaignIndex)
    const dailyMinor = random.int(6, 24) * 500
    const adSetCount = random.int(2, 3)
    const adSets = Array.from({ length: adSetCount }, (_, adSetIndex) => {
      const adSetId = seededDigits(digits, seed, id, 'ad set', adSetIndex)
      const adCount = random.int(2, 3)
      random.int(0, 5)
      const ads = Array.from({ length: adCount }, (__, adIndex) => {
        random.pick(['video', 'static', 'carousel'])
        const adId = seededDigits(digits, seed, adSetId, 'ad', adIndex)
        return { id: adId, title: '', fatigueStart: null, pull: 0.4 + random.next() * 1.2 } as WorldAd
      })
      const dailyBudgetMinor = budget === 'ad_set' ? Math.round(dailyMinor / adSetCount) : null
      return { id: adSetId, dailyBudgetMinor, ads } as WorldAdSet
    })
    return {
      id,
      objective: 'traffic',
      dailyBudgetMinor: budget === 'campaign' ? dailyMinor : null,
      lifetimeBudgetMinor: budget === 'lifetime' ? dailyMinor * 30 : null,
      endDay: ended === null ? null : addDays(LAST_DAY, -ended),
      adSets,
    } as WorldCampaign
  })
}
