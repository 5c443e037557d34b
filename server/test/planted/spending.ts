/** The sandbox's ad account as it looked on a day, and what it had spent in truth when the month was over. */
import {
  type Platform,
  type WorldCampaign,
  worldAccounts,
  worldCampaigns,
  worldDelivery,
} from '../../src/connectors/sandbox/ads.ts'
import type { DaySpend, MonthSoFar } from '../../src/features/insights/pacing/rules.ts'
import { addDays, listDays } from '../../src/platform/contract/dates.ts'

const FIRST_DAY = '2026-08-03'
/** 120 days; the month's last day, long after which everything is settled. */
export const LAST_DAY = '2026-11-30'

export type SpendingWorld = { asOf(day: string): MonthSoFar; truth(month: string): number }

export function plantSpending(seed: string, platform: Platform): SpendingWorld {
  const [account] = worldAccounts(seed, platform)
  const campaigns = worldCampaigns(seed, platform, account, LAST_DAY)
  const spend = (campaign: WorldCampaign, day: string, today: string) =>
    campaign.adSets
      .flatMap(({ ads }) => ads)
      // 120 days are kept: counted from the last day, as the account would be read then.
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
