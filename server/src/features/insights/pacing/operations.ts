/** Pacing is read live: eight weeks of daily sums are a few hundred rows per profile. */
import type { WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles, type OpenProfile } from '../../../platform/access/open-profiles.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { parseMoney, toDecimalNumber } from '../../../platform/contract/money.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { type BudgetedCampaign, budgetDays, dueShare } from './budget-rules.ts'
import * as queries from './queries.ts'
import {
  capsOf,
  daysOfMonth,
  type Forecast,
  forecastMonth,
  HISTORY_DAYS,
  pacingOf,
  statusOf,
  UNSETTLED_DAYS,
} from './rules.ts'

export async function getPacing(
  context: WorkspaceContext,
  query: { month?: string | undefined; profile_ids?: string[] | undefined },
) {
  const profiles = await listOpenProfiles(context, {
    scope: 'campaigns:read',
    profileIds: query.profile_ids,
  })
  const rows = await Promise.all(
    profiles.map((profile) => {
      const today = localDay(context.now, profile.timezone)
      const month = query.month ?? today.slice(0, 7)
      if (month > today.slice(0, 7))
        throw new ApiError('invalid_parameter', `${month} has not begun; ask for a month up to this one.`, {
          field: 'month',
        })
      return pacingOfProfile(context, profile, month, today)
    }),
  )
  return rows.flat()
}

async function pacingOfProfile(
  context: WorkspaceContext,
  profile: OpenProfile,
  month: string,
  today: string,
) {
  const { db } = context
  const profileId = profile.id
  const days = daysOfMonth(month)
  const first = days[0]!
  const last = days.at(-1)!
  const to = last < today ? last : today
  const from = addDays(first, -HISTORY_DAYS)
  const [spend, campaigns, settings, budgets, outcomes, targets] = await Promise.all([
    queries.listSpendDays(db, { profileId, from, to }),
    queries.listCampaignBudgets(db, { profileId, from, to: today }),
    queries.listSettingsDays(db, { profileId, to: last }),
    queries.listDailyBudgets(db, { profileId }),
    queries.listOutcomes(db, { profileId, from: first, to }),
    queries.listTargets(db, { profileId, month: first }),
  ])
  const providers = new Set([...spend, ...budgets, ...targets].map(({ provider }) => provider))
  return [...providers].sort().map((provider) => {
    const own = <T extends { provider: string }>(rows: readonly T[]) =>
      rows.filter((row) => row.provider === provider)
    return toRow(profile, {
      provider,
      month,
      today,
      days,
      spend: own(spend),
      budget: own(budgets)[0],
      budgetDays: budgetDays(toBudgeted(own(campaigns), settings, profile.currency), days, today),
      outcome: own(outcomes)[0],
      targetMinor: own(targets)[0]?.budget_minor ?? null,
    })
  })
}

/** A budget in another currency than the profile's is not known. */
function toBudgeted(
  campaigns: readonly queries.CampaignBudgetRow[],
  settings: readonly queries.SettingsDayRow[],
  currency: string,
): BudgetedCampaign[] {
  const byCampaign = Map.groupBy(settings, (row) => row.entity_id)
  const toSetting = (row: queries.CampaignBudgetRow | queries.SettingsDayRow) => ({
    isRunning: row.is_running,
    dailyMinor: row.currency === currency ? row.daily_minor : null,
  })
  return campaigns.map((row) => ({
    now: toSetting(row),
    settings: (byCampaign.get(row.id) ?? []).map((one) => ({ day: one.day, ...toSetting(one) })),
    firstSpendDay: row.first_spend_day,
    lastSpendDay: row.last_spend_day,
  }))
}

type Facts = {
  provider: string
  month: string
  today: string
  days: string[]
  spend: queries.SpendRow[]
  budget: queries.BudgetRow | undefined
  outcome: queries.OutcomeRow | undefined
  /** Null where a campaign that ran has no known daily budget. */
  budgetDays: number[] | null
  targetMinor: number | null
}

/** The day up to which the provider was read: a day that was never read is not a day without spend. */
function readThrough({ month, today, spend, budget }: Facts): string {
  const last = spend.reduce((latest, { day }) => (day > latest ? day : latest), '')
  const isCurrent = month === today.slice(0, 7)
  return isCurrent && budget !== undefined && last !== '' && last < today ? last : today
}

function toRow(profile: OpenProfile, facts: Facts) {
  const { provider, month, days } = facts
  const today = readThrough(facts)
  const daily = knownDaily(facts.budget, profile.currency)
  const limits = capsOf[provider]
  const forecast = forecastMonth({
    month,
    today,
    all: facts.spend.map((row) => ({ day: row.day, minor: row.spend_minor })),
    running: facts.spend.map((row) => ({ day: row.day, minor: row.running_minor })),
    caps: daily === null || limits === undefined ? null : { dailyBudgetMinor: daily, ...limits },
  })
  const spent = new Map(facts.spend.map((row) => [row.day, row.spend_minor]))
  const sum = (list: readonly string[]) => list.reduce((total, day) => total + (spent.get(day) ?? 0), 0)
  const completeThrough = forecast?.completeThrough ?? addDays(today, -UNSETTLED_DAYS)
  const settled = days.filter((day) => day <= completeThrough)
  const expectedShare = forecast?.expectedShare ?? settled.length / days.length
  const platformMinor = facts.budgetDays?.reduce((total, minor) => total + minor, 0) || null
  const budgetMinor = facts.targetMinor ?? platformMinor
  const spendMinor = sum(days)
  const due =
    facts.targetMinor === null && facts.budgetDays !== null
      ? dueShare(facts.budgetDays, settled.length, expectedShare)
      : expectedShare
  const pacing = pacingOf({ budgetMinor, settledMinor: sum(settled), expectedShare: due })
  const left = days.filter((day) => day >= facts.today).length
  const money = (minor: number) => toDecimalNumber(Math.round(minor), profile.currency)
  const orNull = (minor: number | null | undefined) =>
    minor === null || minor === undefined ? null : money(minor)
  return {
    profile_id: profile.id,
    provider,
    currency: profile.currency,
    month,
    budget: orNull(budgetMinor),
    budget_source:
      facts.targetMinor !== null
        ? ('target' as const)
        : platformMinor === null
          ? ('none' as const)
          : ('platform' as const),
    spend_mtd: money(spendMinor),
    outcomes_mtd: facts.outcome?.outcomes ?? 0,
    revenue_mtd: money(facts.outcome?.revenue_minor ?? 0),
    expected_share: round(due, 4),
    pacing_pct: pacing === null ? null : round(pacing, 1),
    projected_spend: orNull(forecast?.projectedMinor),
    low: orNull(forecast?.lowMinor),
    high: orNull(forecast?.highMinor),
    interval: intervalOf(forecast),
    required_daily:
      budgetMinor === null || left === 0 ? null : money(Math.max(0, budgetMinor - spendMinor) / left),
    status: statusOf(pacing, due),
    complete_through: completeThrough,
    days: daysOf(days, today, spent, forecast, money),
  }
}

/** Whether low and high are shown, and how the method did on the account's own past. */
function intervalOf(forecast: Forecast | null) {
  const { tried, held } = forecast?.backtest ?? { tried: 0, held: 0 }
  const isShown = forecast !== null && forecast.lowMinor !== null
  return {
    status: isShown ? ('shown' as const) : ('withheld' as const),
    reason: isShown
      ? null
      : forecast === null
        ? ('insufficient_history' as const)
        : ('backtest_failed' as const),
    backtest: { tried, held },
  }
}

function daysOf(
  days: readonly string[],
  today: string,
  spent: ReadonlyMap<string, number>,
  forecast: Forecast | null,
  money: (minor: number) => number,
) {
  const expected = new Map(forecast?.days.map(({ day, minor }) => [day, minor]))
  return days.map((day) => ({
    day,
    spend: day > today ? null : money(spent.get(day) ?? 0),
    expected: expected.has(day) ? money(expected.get(day)!) : null,
  }))
}

/** Null where a running campaign names no daily budget, or one in another currency than the profile's. */
function knownDaily(budget: queries.BudgetRow | undefined, currency: string): number | null {
  if (budget === undefined || budget.unknown > 0 || budget.daily_minor === 0) return null
  return budget.currency === currency ? budget.daily_minor : null
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

type TargetBody = { profile_id: string; provider: string; month: string; budget: number | string | null }

export async function setPacingTarget(context: WorkspaceContext, body: TargetBody) {
  const [profile] = await listOpenProfiles(context, {
    scope: 'campaigns:read',
    profileIds: [body.profile_id],
  })
  if (!profile!.scopes.includes('campaigns:apply'))
    throw new ApiError('forbidden', 'Setting a target needs campaigns:apply on the profile; ask an admin.')
  const budgetMinor = toBudgetMinor(body.budget, profile!.currency)
  const { profile_id: profileId, provider } = body
  const month = `${body.month}-01`
  await inTransaction(context.db, async (tx) => {
    const before = (await queries.listTargets(tx, { profileId, month })).find(
      (row) => row.provider === provider,
    )
    await queries.saveTarget(tx, { profileId, provider, month, budgetMinor, now: context.now })
    await recordSetting(
      tx,
      { ...context, profile: profile! },
      {
        action: 'pacing.target_set',
        subject: `${provider} ${body.month}`,
        before: { budget_minor: before?.budget_minor ?? null },
        after: { budget_minor: budgetMinor },
      },
    )
  })
  return {
    profile_id: profileId,
    provider,
    month: body.month,
    budget: budgetMinor === null ? null : toDecimalNumber(budgetMinor, profile!.currency),
    currency: profile!.currency,
  }
}

function toBudgetMinor(budget: number | string | null, currency: string): number | null {
  if (budget === null) return null
  const parsed = parseMoney(budget, currency)
  if (!parsed.ok) throw new ApiError('validation_error', `${parsed.message}.`, { field: 'budget' })
  if (parsed.amountMinor <= 0) throw new ApiError('validation_error', 'must be above 0.', { field: 'budget' })
  return parsed.amountMinor
}
