/** Pacing is computed on request: the daily sums are a few hundred rows per profile. */
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
  pacingOf as pacingPercent,
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
  return pacingOf(context, profiles, query.month)
}

type PacedProfile = Pick<OpenProfile, 'id' | 'timezone' | 'currency'>
type PacingContext = Pick<WorkspaceContext, 'db' | 'now'>

/** All profiles in the same few queries. Each profile has its own local date, and so its own default month. */
export async function pacingOf(
  { db, now }: PacingContext,
  profiles: readonly PacedProfile[],
  askedMonth?: string,
) {
  if (profiles.length === 0) return []
  const spans = profiles.map((profile) => spanOf(profile, localDay(now, profile.timezone), askedMonth))
  const earliest = (days: string[]) => days.reduce((a, b) => (a < b ? a : b))
  const latest = (days: string[]) => days.reduce((a, b) => (a > b ? a : b))
  const profileIds = profiles.map(({ id }) => id)
  const from = earliest(spans.map((span) => span.from))
  const [spend, campaigns, settings, budgets, outcomes, targets] = await Promise.all([
    queries.listSpendDays(db, { profileIds, from, to: latest(spans.map((span) => span.to)) }),
    queries.listCampaignBudgets(db, { profileIds, from, to: latest(spans.map((span) => span.today)) }),
    queries.listSettingsDays(db, { profileIds, to: latest(spans.map((span) => span.last)) }),
    queries.listDailyBudgets(db, { profileIds }),
    queries.listOutcomes(db, {
      profileIds,
      from: earliest(spans.map((span) => span.first)),
      to: latest(spans.map((span) => span.to)),
    }),
    queries.listTargets(db, { profileIds, months: [...new Set(spans.map((span) => span.first))] }),
  ])
  const data = { spend, campaigns, settings, budgets, outcomes, targets }
  const byProfile = groupAll(data)
  return spans.flatMap((span) => pacingOfProfile(span, byProfile(span.profile.id)))
}

type PacingData = {
  spend: queries.SpendRow[]
  campaigns: queries.CampaignBudgetRow[]
  settings: queries.SettingsDayRow[]
  budgets: queries.BudgetRow[]
  outcomes: Awaited<ReturnType<typeof queries.listOutcomes>>
  targets: Awaited<ReturnType<typeof queries.listTargets>>
}

function groupAll(data: PacingData): (profileId: string) => PacingData {
  const byProfile = <T extends { profile_id: string }>(rows: readonly T[]) => {
    const grouped = Map.groupBy(rows, (row) => row.profile_id)
    return (id: string) => grouped.get(id) ?? []
  }
  const spend = byProfile(data.spend)
  const campaigns = byProfile(data.campaigns)
  const settings = byProfile(data.settings)
  const budgets = byProfile(data.budgets)
  const outcomes = byProfile(data.outcomes)
  const targets = byProfile(data.targets)
  return (id) => ({
    spend: spend(id),
    campaigns: campaigns(id),
    settings: settings(id),
    budgets: budgets(id),
    outcomes: outcomes(id),
    targets: targets(id),
  })
}

type Span = ReturnType<typeof spanOf>

function spanOf(profile: PacedProfile, today: string, askedMonth: string | undefined) {
  const month = askedMonth ?? today.slice(0, 7)
  if (month > today.slice(0, 7))
    throw new ApiError('invalid_parameter', `${month} is in the future; use a month up to the current one.`, {
      field: 'month',
    })
  const days = daysOfMonth(month)
  const first = days[0]!
  const last = days.at(-1)!
  const to = last < today ? last : today
  return { profile, today, month, days, first, last, from: addDays(first, -HISTORY_DAYS), to }
}

/** Rows may include days outside the profile's span. */
function pacingOfProfile({ profile, today, month, days, first, last, from, to }: Span, data: PacingData) {
  const spend = data.spend.filter((row) => row.day >= from && row.day <= to)
  const outcomes = data.outcomes.filter((row) => row.day >= first && row.day <= to)
  const targets = data.targets.filter((row) => row.month === first)
  const settings = data.settings.filter((row) => row.day <= last)
  const providers = new Set([...spend, ...data.budgets, ...targets].map(({ provider }) => provider))
  return [...providers].sort().map((provider) => {
    const ofProvider = <T extends { provider: string }>(rows: readonly T[]) =>
      rows.filter((row) => row.provider === provider)
    return toRow(profile, {
      provider,
      month,
      today,
      days,
      spend: ofProvider(spend),
      budget: ofProvider(data.budgets)[0],
      budgetDays: budgetDays(toBudgeted(ofProvider(data.campaigns), settings, profile.currency), days, today),
      outcomes: ofProvider(outcomes),
      targetMinor: ofProvider(targets)[0]?.budget_minor ?? null,
    })
  })
}

/** A budget in another currency than the profile's counts as unknown. */
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
    settings: (byCampaign.get(row.id) ?? []).map((setting) => ({ day: setting.day, ...toSetting(setting) })),
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
  outcomes: queries.OutcomeRow[]
  /** Null if a campaign that ran has no known daily budget. */
  budgetDays: number[] | null
  targetMinor: number | null
}

/** Last day with data of the provider: a day that was not synced is not a day without spend. */
function readThrough({ month, today, spend, budget }: Facts): string {
  const last = spend.reduce((latest, { day }) => (day > latest ? day : latest), '')
  const isCurrent = month === today.slice(0, 7)
  return isCurrent && budget !== undefined && last !== '' && last < today ? last : today
}

function toRow(profile: PacedProfile, facts: Facts) {
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
  const spendByDay = new Map(facts.spend.map((row) => [row.day, row.spend_minor]))
  const sum = (list: readonly string[]) => list.reduce((total, day) => total + (spendByDay.get(day) ?? 0), 0)
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
  const pacing = pacingPercent({ budgetMinor, settledMinor: sum(settled), expectedShare: due })
  const remainingDays = days.filter((day) => day >= facts.today).length
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
    outcomes_mtd: facts.outcomes.reduce((sum, row) => sum + row.outcomes, 0),
    revenue_mtd: money(facts.outcomes.reduce((sum, row) => sum + row.revenue_minor, 0)),
    expected_share: round(due, 4),
    pacing_pct: pacing === null ? null : round(pacing, 1),
    projected_spend: orNull(forecast?.projectedMinor),
    low: orNull(forecast?.lowMinor),
    high: orNull(forecast?.highMinor),
    interval: intervalOf(forecast),
    required_daily:
      budgetMinor === null || remainingDays === 0
        ? null
        : money(Math.max(0, budgetMinor - spendMinor) / remainingDays),
    status: statusOf(pacing, due),
    complete_through: completeThrough,
    days: daysOf(days, today, spendByDay, forecast, money),
  }
}

/** Whether low and high are shown, and the backtest on the account's past. */
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
  spendByDay: ReadonlyMap<string, number>,
  forecast: Forecast | null,
  money: (minor: number) => number,
) {
  const expected = new Map(forecast?.days.map(({ day, minor }) => [day, minor]))
  return days.map((day) => ({
    day,
    spend: day > today ? null : money(spendByDay.get(day) ?? 0),
    expected: expected.has(day) ? money(expected.get(day)!) : null,
  }))
}

/** Null if a running campaign has no daily budget, or one in another currency than the profile's. */
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
    throw new ApiError(
      'forbidden',
      'Setting a target needs campaigns:apply on the profile; ask a workspace admin for it.',
    )
  const budgetMinor = toBudgetMinor(body.budget, profile!.currency)
  const { profile_id: profileId, provider } = body
  const month = `${body.month}-01`
  await inTransaction(context.db, async (tx) => {
    const before = (await queries.listTargets(tx, { profileIds: [profileId], months: [month] })).find(
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
