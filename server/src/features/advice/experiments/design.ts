/** The profile's own geo studies: designed from its history, created, canceled, and evaluated from outcomes by region. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordInProfile } from '../../../platform/audit/record.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { Refusal, toError } from '../../../platform/contract/refusal.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import * as contract from './contract.ts'
import * as rules from './design-rules.ts'
import { daysBetween, type Metric, type Profile, readDesignPast, readPast } from './past.ts'
import { regionChanges } from './placebo-rules.ts'
import type { ExperimentRow } from './queries.ts'
import * as queries from './queries-regions.ts'

const MAX_DAYS_AHEAD = 90
const MAX_STUDIES = 200

type DesignQuery = {
  metric: Metric
  effect?: number | undefined
  treated?: string[] | undefined
  lot: number
}

export async function designGeoExperiment(
  context: ProfileContext,
  query: DesignQuery,
): Promise<z.input<typeof contract.GeoDesign>> {
  const past = (await readDesignPast(context))[query.metric]
  const regions = rules.usableRegions(past.series)
  if (query.treated !== undefined)
    requireUsableRegions('treated', 'invalid_parameter', query.treated, regions)
  const draws = randomAssignments(regions, query.lot)
  const assignment = query.treated === undefined ? draws[0]! : assignRegions(regions, query.treated)
  const refusal = rules.designRefusal({ ...past, days: regions[0]?.days.length ?? 0 }, regions, assignment)
  const options = refusal ? [] : await simulate(regions, query.treated === undefined ? draws : [assignment])
  const best = rules.chooseOption(options, query.effect)
  const sizes = new Map(
    regions.map(({ region, days }) => [region, days.reduce((sum, count) => sum + count, 0)]),
  )
  const listed = (names: readonly string[]) =>
    names.map((region) => ({ region, outcomes: sizes.get(region) ?? 0 }))
  return {
    supported: best !== null,
    reason: refusal ?? (best === null ? 'nothing_detectable' : null),
    metric: query.metric,
    past: {
      date_from: past.from,
      date_to: past.to,
      outcomes: past.outcomes,
      with_region: past.withRegion,
      regions: regions.length,
    },
    by_lot: query.treated === undefined,
    treated: refusal ? [] : listed(assignment.treated),
    control: refusal ? [] : listed(assignment.control),
    power: rules.POWER,
    options: options.map((option) => ({
      days: option.days,
      detectable_effect: option.detectable,
      windows: option.windows,
      false_verdicts: option.falseVerdicts,
    })),
    recommended_days: best?.days ?? null,
  }
}

/** Each length takes tens of milliseconds, so the event loop runs in between. */
async function simulate(regions: readonly rules.RegionSeries[], assignments: readonly rules.Assignment[]) {
  const options: rules.DesignOption[] = []
  for (const days of contract.DURATIONS) {
    options.push(...rules.designOption(regions, assignments, days))
    await yieldToEventLoop()
  }
  return options
}

function assignRegions(regions: readonly rules.RegionSeries[], treated: readonly string[]): rules.Assignment {
  const names = regions.map(({ region }) => region)
  return {
    treated: names.filter((name) => treated.includes(name)),
    control: names.filter((name) => !treated.includes(name)),
  }
}

function requireUsableRegions(
  field: string,
  code: 'invalid_parameter' | 'validation_error',
  names: readonly string[],
  regions: readonly rules.RegionSeries[],
): void {
  const unknown = names.find((name) => regions.every(({ region }) => region !== name))
  if (unknown === undefined) return
  throw toError(
    new Refusal(code, 'names a region without enough outcomes.', {
      field,
      hint: 'Use regions of the design.',
    }),
  )
}

/** Deterministic for the same regions and number. */
const randomAssignments = (regions: readonly rules.RegionSeries[], lot: number) =>
  rules.randomAssignments(regions, JSON.stringify([lot, ...regions.map(({ region }) => region).toSorted()]))

/** The random draws of the design with this assignment; undefined if the regions were chosen by hand. */
function findDraws(regions: readonly rules.RegionSeries[], { treated }: rules.Assignment) {
  for (let lot = 0; lot <= contract.MAX_LOT; lot++) {
    const draws = randomAssignments(regions, lot)
    if (draws[0]!.treated.join() === treated.join()) return draws
  }
  return undefined
}

type StudyInput = {
  name: string
  metric: Metric
  days: number
  starts_on: string
  treated: string[]
  control: string[]
}

/** Recomputes the power for exactly the requested regions. */
export async function createGeoExperiment(context: ProfileContext, input: StudyInput) {
  const { db, profile, now } = context
  if ((await queries.countOwnStudies(db, { profileId: profile.id })).all >= MAX_STUDIES)
    throw new ApiError('invalid_state', `A profile can have at most ${MAX_STUDIES} geo studies.`, {
      reason: 'limit_reached',
    })
  const today = localDay(now, profile.timezone)
  if (input.starts_on < today || input.starts_on > addDays(today, MAX_DAYS_AHEAD))
    throw toError(
      new Refusal('validation_error', `is not within ${MAX_DAYS_AHEAD} days from ${today} on.`, {
        field: 'starts_on',
      }),
    )
  const past = (await readDesignPast(context))[input.metric]
  const usable = rules.usableRegions(past.series)
  requireUsableRegions('treated', 'validation_error', input.treated, usable)
  requireUsableRegions('control', 'validation_error', input.control, usable)
  if (input.treated.some((region) => input.control.includes(region)))
    throw toError(
      new Refusal('validation_error', 'contains a region that is also in treated.', { field: 'control' }),
    )
  const regions = usable.filter(({ region }) => [...input.treated, ...input.control].includes(region))
  const assignment = assignRegions(regions, input.treated)
  const draws = findDraws(regions, assignment)
  const byLot = draws !== undefined
  const refusal = rules.designRefusal({ ...past, days: regions[0]?.days.length ?? 0 }, regions, assignment)
  const options = refusal ? [] : rules.designOption(regions, draws ?? [assignment], input.days)
  const option = rules.chooseOption(options)
  if (option === null)
    throw new ApiError('invalid_state', 'The history of these regions does not support such a study.', {
      reason: refusal ?? 'nothing_detectable',
    })
  const design: rules.StoredDesign = {
    metric: input.metric,
    days: input.days,
    detectable: option.detectable!,
    power: rules.POWER,
    byLot,
  }
  const id = uuidv7(now)
  const lastDay = addDays(input.starts_on, input.days - 1)
  await inTransaction(db, async (tx) => {
    const countLive = async () => (await queries.countOwnStudies(tx, { profileId: profile.id })).live
    await requireBelowLimit(tx, 'geo_studies', profile.id, countLive)
    await queries.insertStudy(tx, {
      profileId: profile.id,
      id,
      name: input.name,
      startsAt: dayBounds(input.starts_on, profile.timezone).start,
      endsAt: new Date(dayBounds(lastDay, profile.timezone).end.getTime() - 1),
      cells: [toCell('Treated', false, assignment.treated), toCell('Control', true, assignment.control)],
      design,
      now,
    })
    await recordInProfile(tx, context, { action: 'experiment.created', subject: id })
  })
  return {
    id,
    name: input.name,
    starts_on: input.starts_on,
    ends_on: lastDay,
    metric: input.metric,
    detectable_effect: design.detectable,
    power: design.power,
    by_lot: byLot,
  }
}

const toCell = (name: string, isControl: boolean, regions: string[]) => ({
  name,
  isControl,
  percentage: null,
  population: null,
  campaigns: [],
  adSets: [],
  regions,
})

export function cancelGeoExperiment(context: ProfileContext, id: string): Promise<null> {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    const study = await queries.lockOwnStudy(tx, { profileId, id })
    if (study === undefined) throw new ApiError('not_found', 'No such study of this profile.')
    if (study.is_decided) throw new ApiError('invalid_state', 'The study already has a verdict.')
    if (study.canceled_at !== null) return null
    await queries.cancelStudy(tx, { profileId, id, now: context.now })
    await recordInProfile(tx, context, { action: 'experiment.canceled', subject: id })
    return null
  })
}

/** Evaluates an own study from all outcomes of its regions, up to yesterday. */
export async function readRegions(
  { db, now }: { db: Db | Tx; now: Date },
  profile: Profile,
  row: ExperimentRow & { design: rules.StoredDesign },
) {
  const start = localDay(row.starts_at!, profile.timezone)
  const yesterday = addDays(localDay(now, profile.timezone), -1)
  const lastDay = localDay(row.ends_at!, profile.timezone)
  const to = lastDay < yesterday ? lastDay : yesterday
  if (to < start) return null
  const { metric } = row.design
  // No customer minimum: the regions had enough customers when they were chosen.
  const range = { from: addDays(start, -rules.READ_DAYS), to }
  const past = (await readPast(db, profile, range, 1))[metric]
  const regionsOf = (isControl: boolean) =>
    row.cells.filter((cell) => cell.isControl === isControl).flatMap((cell) => cell.regions ?? [])
  const assignment = { treated: regionsOf(false), control: regionsOf(true) }
  // A region without any outcome has not sold nothing; more likely its spelling changed.
  const regionsWithOutcomes = new Set(past.series.map(({ region }) => region))
  if (![...assignment.treated, ...assignment.control].every((name) => regionsWithOutcomes.has(name)))
    return null
  const series = rules.toGroupSeries(past.series, assignment)
  const at = daysBetween(past.from, start)
  if (at < 0) return null
  const changes = regionChanges(
    series.control.map((days) => ({ before: days.slice(0, at), during: days.slice(at) })),
  )
  return rules.readPairs(metric, series.pairs.slice(0, at), series.pairs.slice(at), changes)
}
