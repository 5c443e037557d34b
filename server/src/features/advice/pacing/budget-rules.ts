/** The platform budget of each day of a month: the daily budgets of the campaigns that ran on that day. */

export type Setting = { day: string; isRunning: boolean; dailyMinor: number | null }
export type BudgetedCampaign = {
  /** Current settings at the platform. */
  now: Omit<Setting, 'day'>
  /** Recorded settings of past days, oldest first. */
  settings: readonly Setting[]
  firstSpendDay: string | null
  lastSpendDay: string | null
}

/** Budget per day; null if a campaign that ran has no known daily budget. */
export function budgetDays(
  campaigns: readonly BudgetedCampaign[],
  days: readonly string[],
  today: string,
): number[] | null {
  const budgets = days.map((day) =>
    campaigns.reduce<number | null>((sum, campaign) => {
      const { isRunning, dailyMinor } = settingOn(campaign, day, today)
      if (!isRunning || sum === null) return sum
      return dailyMinor === null ? null : sum + dailyMinor
    }, 0),
  )
  return budgets.every((minor) => minor !== null) ? budgets : null
}

function settingOn(campaign: BudgetedCampaign, day: string, today: string): Omit<Setting, 'day'> {
  if (day >= today) return campaign.now
  const recorded = campaign.settings.findLast((setting) => setting.day <= day)
  if (recorded !== undefined) return recorded
  // Before the first record: it ran from its first to its last spend, or until it was first recorded as running.
  const firstSetting = campaign.settings[0] ?? campaign.now
  const { firstSpendDay: first, lastSpendDay: last } = campaign
  const hasRun = first !== null && last !== null && day >= first && (firstSetting.isRunning || day <= last)
  return { isRunning: hasRun, dailyMinor: firstSetting.dailyMinor }
}

/** The share of the month's budget that should be spent by the end of the settled days. */
export function dueShare(budgets: readonly number[], settledDays: number, byWeekday: number): number {
  const total = budgets.reduce((sum, minor) => sum + minor, 0)
  // With the same budget every day, spend follows the weekdays; otherwise it follows the daily budgets.
  if (total === 0 || budgets.every((minor) => minor === budgets[0])) return byWeekday
  return budgets.slice(0, settledDays).reduce((sum, minor) => sum + minor, 0) / total
}
