/**
 * Experiments are read from the platforms once a day. Our own reading is computed on each list request; for own geo
 * studies it is computed daily and stored.
 */
import type { ExperimentCell } from '../../../connectors/experiments.ts'
import type { JobContext, WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles, type OpenProfile } from '../../../platform/access/open-profiles.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { boundedPValue } from '../../../platform/statistics/distributions.ts'
import { withSession } from '../../sources/connections/session.ts'
import { findLagDays } from '../top-performers/lag-days.ts'
import { readRegions } from './design.ts'
import {
  placeboRatio,
  type Region,
  regionChangeRatio,
  regionChanges,
  widenByPlacebos,
} from './placebo-rules.ts'
import * as queries from './queries.ts'
import { saveReading } from './queries-regions.ts'
import * as rules from './rules.ts'

export async function readExperiments(
  context: JobContext,
  ref: { profileId: string; connectionId: string },
): Promise<void> {
  const { profileId, connectionId } = ref
  const { service, db, now } = context
  const result = await withSession(
    service,
    { profileId, id: connectionId },
    null,
    async (session, { connector, provider }) => ({
      provider,
      records: (await connector.experiments?.list(session)) ?? [],
    }),
  )
  await db
    .transaction()
    .execute((tx) => queries.saveExperiments(tx, { profileId, connectionId, ...result, now }))
  await decideExperiments(context, profileId)
}

/** Verdicts are decided once a day and stored, so that they do not flip between two views. */
export async function decideExperiments(
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  profileId: string,
): Promise<void> {
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) return
  const lagDays = await findLagDays(db, profileId)
  for (const row of await queries.listExperimentRows(db, { profileId })) {
    // Evaluating an own study scans its outcomes, so a canceled or decided one is not evaluated again.
    if (row.design !== null && (row.canceled_at !== null || isDecided(row.decision))) continue
    const times = timesOf(row)
    const status = rules.statusOf(times, now, lagDays ?? rules.USUAL_LAG_DAYS)
    const missing = missingFor(row, lagDays)
    const ownReading = await readOwnFigures({ db, now }, profile, row)
    if (row.design !== null)
      await db.transaction().execute((tx) => saveReading(tx, { profileId, id: row.id, ownReading }))
    const reading = readingOf(row, ownReading)
    const verdict =
      status === 'complete' && missing !== null
        ? { verdict: null, reason: missing }
        : rules.decide(status, ownReading.checks, reading, row.kind)
    const readable_from = rules.readableFrom(times, lagDays ?? rules.USUAL_LAG_DAYS)?.toISOString() ?? null
    const proves = rules.provesCause(row.kind, verdict.verdict, ownReading.checks)
    const computed = {
      ...verdict,
      proves,
      readable_from,
      basis: rules.basisOf(reading, ownReading.checks, times),
    }
    const decision = rules.updateDecision(row.decision, computed, times, now)
    if (decision !== null && decision !== row.decision)
      await db.transaction().execute((tx) => queries.saveDecision(tx, { profileId, id: row.id, decision }))
  }
}

const isDecided = (decision: rules.Decision | null): decision is rules.Decision =>
  decision !== null && decision.verdict !== null

const timesOf = (row: queries.ExperimentRow): rules.Times => ({
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  observationEndsAt: row.observation_ends_at,
  canceledAt: row.canceled_at,
})

/** Own studies use outcomes of all sources by day and do not depend on a sync. */
const missingFor = (row: queries.ExperimentRow, lagDays: number | null) =>
  row.design === null ? rules.missingData(row.kind, timesOf(row), { lagDays, syncedAt: row.synced_at }) : null

const readingOf = (row: queries.ExperimentRow, ownReading: rules.OwnReading) =>
  row.kind === 'lift' ? row.platform_reading : ownReading.reading

export async function listExperiments(
  context: WorkspaceContext,
  query: { profile_ids?: string[] | undefined },
) {
  const profiles = await listOpenProfiles(context, {
    scope: 'campaigns:read',
    profileIds: query.profile_ids,
  })
  const lists = await Promise.all(profiles.map((profile) => experimentsOf(context, profile)))
  return lists
    .flat()
    .toSorted((a, b) => (b.starts_at ?? '').localeCompare(a.starts_at ?? '') || a.id.localeCompare(b.id))
}

async function experimentsOf(context: WorkspaceContext, profile: OpenProfile) {
  const rows = await queries.listExperimentRows(context.db, { profileId: profile.id })
  if (rows.length === 0) return []
  const lagDays = await findLagDays(context.db, profile.id)
  const experiments: Awaited<ReturnType<typeof toExperiment>>[] = []
  // Sequentially, so that a long list does not use up the connection pool.
  for (const row of rows) experiments.push(await toExperiment(context, profile, row, lagDays))
  return experiments
}

async function toExperiment(
  context: WorkspaceContext,
  profile: OpenProfile,
  row: queries.ExperimentRow,
  lagDays: number | null,
) {
  const times = timesOf(row)
  const ownReading =
    row.design === null ? await readOwnFigures(context, profile, row) : (row.own_reading ?? NO_READING)
  const { decision } = row
  const status = isDecided(decision)
    ? ('complete' as const)
    : rules.statusOf(times, context.now, lagDays ?? rules.USUAL_LAG_DAYS)
  const readable = isDecided(decision)
    ? decision.readable_from
    : rules.readableFrom(times, lagDays ?? rules.USUAL_LAG_DAYS)?.toISOString()
  const { verdict, reason } = decision ?? {
    verdict: null,
    reason:
      status === 'complete'
        ? (missingFor(row, lagDays) ?? NOT_DECIDED)
        : rules.decide(status, ownReading.checks, null, row.kind).reason,
  }
  // Older decisions have no `proves`; all of them are lift studies, which need no placebo test.
  const proves = decision?.proves ?? rules.provesCause(row.kind, verdict, { regionRatio: null })
  return {
    id: row.id,
    profile_id: row.profile_id,
    provider: row.provider,
    kind: row.kind,
    name: row.name,
    status,
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    readable_from: readable ?? null,
    cells: row.cells.map((cell) => ({
      name: cell.name,
      is_control: cell.isControl,
      percentage: cell.percentage,
      population: cell.population,
      campaigns: cell.campaigns,
      ad_sets: cell.adSets,
      regions: cell.regions ?? [],
    })),
    design: row.design && {
      metric: row.design.metric,
      days: row.design.days,
      detectable_effect: row.design.detectable,
      power: row.design.power,
      by_lot: row.design.byLot,
    },
    platform_reading: row.platform_reading,
    own_reading: ownReading.reading,
    checks: {
      sample_ratio_p:
        ownReading.checks.sampleRatioP === null ? null : boundedPValue(ownReading.checks.sampleRatioP),
      pre_period_ok: ownReading.checks.prePeriodOk,
      divergent_delivery: ownReading.checks.divergentDelivery,
      placebo_ratio: rounded(ownReading.checks.placeboRatio),
      region_placebo_ratio: rounded(ownReading.checks.regionRatio),
    },
    verdict,
    truth_grade: proves ? ('lift' as const) : null,
    decided_at: decision?.decided_at ?? null,
    reason,
  }
}

const rounded = (ratio: number | null) => (ratio === null ? null : Number(ratio.toFixed(3)))

const NOT_DECIDED = 'The verdict is decided at the next daily sync of the account.'
const BEFORE_DAYS = 56
/** Longer for regions, to measure how far they diverge without an experiment. */
const PLACEBO_DAYS = 182
/** With fewer payments, all conversions are compared instead, because so few payments carry too little information. */
const MIN_PAYMENTS = 30

const NO_READING: rules.OwnReading = {
  reading: null,
  checks: {
    sampleRatioP: null,
    prePeriodOk: null,
    divergentDelivery: null,
    placeboRatio: null,
    regionRatio: null,
  },
}

async function readOwnFigures(
  context: Pick<JobContext, 'db' | 'now'>,
  profile: Pick<OpenProfile, 'id' | 'timezone' | 'country'>,
  row: queries.ExperimentRow,
): Promise<rules.OwnReading> {
  if (row.design !== null)
    return (await readRegions(context, profile, { ...row, design: row.design })) ?? NO_READING
  const sampleRatioP = rules.sampleRatioP(
    row.cells.flatMap(({ percentage, population }) =>
      percentage === null || population === null ? [] : [{ share: percentage, count: population }],
    ),
  )
  const unchecked = { ...NO_READING.checks, sampleRatioP }
  const noReading = { reading: null, checks: unchecked }
  const [control, treatment] = [true, false].map((isControl) =>
    row.cells.filter((cell) => cell.isControl === isControl),
  )
  if (row.kind === 'lift' || row.starts_at === null || control!.length === 0 || treatment!.length === 0)
    return noReading
  const start = localDay(row.starts_at, profile.timezone)
  const lastDay = localDay(row.ends_at ?? context.now, profile.timezone)
  const days = await queries.listCellDays(context.db, {
    profileId: profile.id,
    campaigns: row.cells.flatMap((cell) => cell.campaigns),
    adSets: row.cells.flatMap((cell) => cell.adSets),
    from: addDays(start, -(row.kind === 'geo' ? PLACEBO_DAYS : BEFORE_DAYS)),
    to: lastDay,
  })
  const during = days.filter(({ day }) => day >= start)
  const metric = sum(during, 'payments') >= MIN_PAYMENTS ? 'payments' : 'conversions'
  const countsOf = (cells: ExperimentCell[], list: readonly queries.CellDay[]) =>
    dayCounts(ofCells(cells, list), metric)
  const before = days.filter(({ day }) => day < start)
  const divergentDelivery = rules.isDivergent(
    row.cells.map((cell) => ({
      share: cell.percentage ?? 0,
      impressions: sum(ofCells([cell], during), 'impressions'),
    })),
  )
  if (row.kind === 'geo') {
    const pairs = (list: readonly queries.CellDay[]) =>
      pairCounts(countsOf(treatment!, list), countsOf(control!, list))
    const [past, study] = [pairs(before), pairs(during)]
    const raw = rules.geoReading(metric, past.slice(-BEFORE_DAYS), study)
    const calendar = { before: past.map(({ day }) => day), during: study.map(({ day }) => day) }
    const regions = regionsOf(ofCells(control!, days), calendar, metric)
    const changes = regionChanges(regions)
    const reading = raw && widenByPlacebos(raw, past, study, changes)
    const checks = {
      placeboRatio: placeboRatio(past, study),
      regionRatio: regionChangeRatio(changes, past, study),
    }
    return { reading, checks: { ...unchecked, divergentDelivery, ...checks } }
  }
  const perSpend = `${metric}_per_spend`
  const read = (list: readonly queries.CellDay[]) =>
    rules.splitReading(perSpend, countsOf(treatment!, list), countsOf(control!, list))
  return {
    reading: read(during),
    checks: { ...unchecked, prePeriodOk: rules.wereSimilarBefore(read(before)), divergentDelivery },
  }
}

const ofCells = (cells: readonly ExperimentCell[], days: readonly queries.CellDay[]) =>
  days.filter(({ level, external_id: id }) =>
    cells.some((cell) => (level === 'campaign' ? cell.campaigns : cell.adSets).includes(id)),
  )

const sum = (days: readonly queries.CellDay[], field: 'payments' | 'conversions' | 'impressions') =>
  days.reduce((total, day) => total + day[field], 0)

function dayCounts(days: readonly queries.CellDay[], metric: 'payments' | 'conversions'): rules.DayCount[] {
  return [...Map.groupBy(days, ({ day }) => day)].map(([day, rows]) => ({
    day,
    outcomes: sum(rows, metric),
    exposure: rows.reduce((total, row) => total + row.spend_minor, 0),
  }))
}

function pairCounts(treatment: readonly rules.DayCount[], control: readonly rules.DayCount[]) {
  const byDay = new Map(control.map((row) => [row.day, row.outcomes]))
  return treatment
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .flatMap(({ day, outcomes }) =>
      byDay.has(day) ? [{ day, treatment: outcomes, control: byDay.get(day)! }] : [],
    )
}

/** Control regions that ran on fewer of the days are not used. */
const MIN_SHARE_OF_DAYS = 0.9

/** Each control campaign or ad set is one region. */
function regionsOf(
  days: readonly queries.CellDay[],
  calendar: Record<keyof Region, readonly string[]>,
  metric: 'payments' | 'conversions',
): Region[] {
  const units = Map.groupBy(days, ({ level, external_id: id }) => `${level} ${id}`)
  return [...units.values()].flatMap((rows) => {
    const byDay = new Map(rows.map((row) => [row.day, row[metric]]))
    const isOn = (['before', 'during'] as const).every(
      (part) =>
        calendar[part].filter((day) => byDay.has(day)).length >= MIN_SHARE_OF_DAYS * calendar[part].length,
    )
    const outcomes = (part: keyof Region) => calendar[part].map((day) => byDay.get(day) ?? 0)
    return isOn ? [{ before: outcomes('before'), during: outcomes('during') }] : []
  })
}
