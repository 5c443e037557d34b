import type { Model } from '@whence/engine'
import type { z } from 'zod'
import { addDays, listDays } from '../../../platform/contract/dates.ts'
import { toDecimalNumber, toMinor } from '../../../platform/contract/money.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { listChecks } from '../../advice/doctor/queries/findings.ts'
import { pacingOf } from '../../advice/pacing/operations.ts'
import type { GoalTarget } from '../../corrections/goals/contract.ts'
import { listGoalRows } from '../../corrections/goals/goal-queries.ts'
import { loadTargets } from '../../corrections/goals/targets.ts'
import { hashOf } from '../../facts/events/rules.ts'
import { readSeries } from '../../figures/daily-sums/read-series.ts'
import { isUsualChange, MAX_USUAL_DAYS } from '../../figures/daily-sums/rules.ts'
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import { getChanges } from '../../insights/changes/report.ts'
import { readFacts } from '../client-reports/facts.ts'
import type { Days } from '../client-reports/period-rules.ts'
import type { Language } from '../client-reports/words.ts'
import type * as contract from './contract.ts'
import { computeContributions, limitContributions } from './contribution-rules.ts'
import { type BriefFacts, precedingDays, writeSentences } from './rules.ts'

/** Current data problems and pacing do not apply to ranges that ended longer ago than this. */
const RECENT_DAYS = 3

type Brief = z.input<(typeof contract.getBrief)['reply']>
/** `withPacing` is false for API keys: budgets belong to the workspace, keys to a profile. */
export type BriefScope = {
  days: Days
  model: Model
  language: Language
  withPacing: boolean
  asOf?: Date | undefined
}

export async function getBrief(context: ReportContext, scope: BriefScope) {
  const { days, model, language } = scope
  const facts = await readBrief(context, scope)
  const { report, contributions } = facts
  const { currency } = context.profile
  const inCurrency = (minor: number) => toDecimalNumber(minor, currency)
  const orNull = (minor: number | null) => (minor === null ? null : inCurrency(minor))
  const [now, before] = [report.now.totals.revenue, report.before.totals.revenue]
  const data: Brief = {
    previous: { date_from: report.before.days.from, date_to: report.before.days.to },
    sentences: writeSentences(facts, language),
    revenue: {
      now: orNull(now),
      before: orNull(before),
      change: now === null || before === null ? null : inCurrency(now - before),
    },
    contributions:
      contributions === null
        ? null
        : limitContributions(contributions).map((row) => ({
            kind: row.kind,
            campaign_id: row.campaignId,
            name: row.name,
            now: inCurrency(row.now),
            before: inCurrency(row.before),
            change: inCurrency(row.change),
          })),
  }
  return {
    data,
    meta: {
      date_from: days.from,
      date_to: days.to,
      model,
      currency,
      stale: report.isStale,
      result_hash: hashOf({ ...data, sentences: writeSentences(reproducible(facts), language) }).toString(
        'hex',
      ),
    },
  }
}

/** Drops the parts that depend on the time of the request and cannot be reproduced later. */
function reproducible(facts: BriefFacts): BriefFacts {
  const report = { ...facts.report, isStale: false }
  return { ...facts, report, problems: noProblems, goal: null, pacing: null, usual: noUsual }
}

async function readBrief(
  context: ReportContext,
  { days, model, withPacing, asOf }: BriefScope,
): Promise<BriefFacts> {
  const { service, profile, now } = context
  const before = precedingDays(days)
  const report = await readFacts(service, profile, { days, before, model, now, asOf })
  const isRecent = asOf === undefined && days.to >= addDays(localDay(now, profile.timezone), -RECENT_DAYS)
  const facts = {
    report,
    workspaceId: profile.workspaceId,
    profileId: profile.id,
    contributions: computeContributions(report.now, report.before),
    problems: isRecent ? await readProblems(context) : noProblems,
    goal: isRecent && withPacing ? await readGoal(context) : null,
    pacing: isRecent && withPacing ? await readPacing(context) : null,
    restated: await readRestatement(context, before, model, asOf),
    usual: asOf === undefined ? await readUsual(context, days, model) : noUsual,
  }
  return asOf === undefined ? facts : reproducible(facts)
}

const noUsual = { revenue: false, roas: false }

/** The daily sums of alerts are credited by last touch. */
async function readUsual(
  { service, profile }: ReportContext,
  days: Days,
  model: Model,
): Promise<BriefFacts['usual']> {
  if (listDays(days.from, days.to).length > MAX_USUAL_DAYS) return noUsual
  const { db } = await service.nodes.shardOf(profile.id)
  const series = await readSeries(db, { profileId: profile.id, campaignId: null, ...days })
  return {
    revenue: isUsualChange(series, 'revenue', days),
    roas: model === 'last_touch' && isUsualChange(series, 'roas', days),
  }
}

const noProblems = { count: 0, valueMinor: null }

async function readProblems({ service, profile }: ReportContext): Promise<BriefFacts['problems']> {
  const { db } = await service.nodes.shardOf(profile.id)
  const problems = (await listChecks(db, { profileId: profile.id })).filter(
    ({ status }) => status === 'problem',
  )
  const values = problems.flatMap(({ value_minor }) => (value_minor === null ? [] : [value_minor]))
  return { count: problems.length, valueMinor: values.length === 0 ? null : Math.max(...values) }
}

async function readGoal({ service, profile, now }: ReportContext): Promise<BriefFacts['goal']> {
  const { db } = await service.nodes.shardOf(profile.id)
  const goals = await listGoalRows(db, { profileId: profile.id })
  const targets = await loadTargets({ db, profile, now }, goals)
  const candidates = goals.flatMap(({ id, display_name: name }) => {
    const target = targets.get(id)
    const isOffTarget = target?.status === 'behind' || target?.status === 'ahead'
    // Without any outcome there is no cost per outcome to show.
    return target === undefined || !isOffTarget || target.actual === null ? [] : [{ name, target }]
  })
  const distance = ({ target }: { target: GoalTarget }) => Math.abs(target.actual! / target.expected! - 1)
  const furthest = (status: string) =>
    candidates.filter(({ target }) => target.status === status).sort((a, b) => distance(b) - distance(a))[0]
  return furthest('behind') ?? furthest('ahead') ?? null
}

async function readPacing({ service, profile, now }: ReportContext): Promise<BriefFacts['pacing']> {
  const rows = (await pacingOf({ db: service.db, now }, [profile])).filter(
    ({ status, pacing_pct }) => (status === 'over' || status === 'under') && pacing_pct !== null,
  )
  const distance = (row: { pacing_pct: number | null }) => Math.abs(row.pacing_pct! - 100)
  const [furthest] = rows.sort((a, b) => distance(b) - distance(a))
  return furthest === undefined
    ? null
    : { provider: furthest.provider, percent: furthest.pacing_pct!, month: furthest.month }
}

/** Null while the days are open, and if there were no figures when they closed. */
async function readRestatement(
  context: ReportContext,
  days: Days,
  model: Model,
  until: Date | undefined,
): Promise<BriefFacts['restated']> {
  const range = { ...days, days: listDays(days.from, days.to).length }
  const window = { range, level: 'campaign' as const, model, since: undefined, until }
  const { data } = await getChanges(context, window, 1)
  const { before, delta } = data.total
  const isFirst = before.outcome_value === 0 && before.spend === 0 && before.attributed_outcome_count === 0
  if (data.since === null || isFirst) return null
  const minor = (value: number) => toMinor(value, context.profile.currency)!
  return { valueMinor: minor(delta.outcome_value), spendMinor: minor(delta.spend) }
}
