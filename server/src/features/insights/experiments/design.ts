/** Geo studies of the profile's own: designed from its past, created, canceled, and read from outcomes by region. */
import { setImmediate as turn } from 'node:timers/promises'
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
import { changesOf } from './placebo-rules.ts'
import type { ExperimentRow } from './queries.ts'
import * as queries from './queries-regions.ts'

const MAX_DAYS_AHEAD = 90
const MAX_STUDIES = 200

type Asked = { metric: Metric; effect?: number | undefined; treated?: string[] | undefined; lot: number }

export async function designGeoExperiment(
  context: ProfileContext,
  asked: Asked,
): Promise<z.input<typeof contract.GeoDesign>> {
  const past = (await readDesignPast(context))[asked.metric]
  const regions = rules.usableRegions(past.series)
  if (asked.treated !== undefined)
    requireAsOfAvailable('treated', 'invalid_parameter', asked.treated, regions)
  const lots = lotsOf(regions, asked.lot)
  const assignment = asked.treated === undefined ? lots[0]! : chosen(regions, asked.treated)
  const refusal = rules.refusalOf({ ...past, days: regions[0]?.days.length ?? 0 }, regions, assignment)
  const options = refusal ? [] : await simulate(regions, asked.treated === undefined ? lots : [assignment])
  const best = rules.chooseOption(options, asked.effect)
  const sizes = new Map(
    regions.map(({ region, days }) => [region, days.reduce((sum, count) => sum + count, 0)]),
  )
  const listed = (names: readonly string[]) =>
    names.map((region) => ({ region, outcomes: sizes.get(region) ?? 0 }))
  return {
    supported: best !== null,
    reason: refusal ?? (best === null ? 'nothing_detectable' : null),
    metric: asked.metric,
    past: {
      date_from: past.from,
      date_to: past.to,
      outcomes: past.outcomes,
      with_region: past.known,
      regions: regions.length,
    },
    by_lot: asked.treated === undefined,
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

/** Each length takes tens of milliseconds; other requests come in between. */
async function simulate(regions: readonly rules.RegionSeries[], assignments: readonly rules.Assignment[]) {
  const options: rules.DesignOption[] = []
  for (const days of contract.DURATIONS) {
    options.push(...rules.designOption(regions, assignments, days))
    await turn()
  }
  return options
}

function chosen(regions: readonly rules.RegionSeries[], treated: readonly string[]): rules.Assignment {
  const names = regions.map(({ region }) => region)
  return {
    treated: names.filter((name) => treated.includes(name)),
    control: names.filter((name) => !treated.includes(name)),
  }
}

function requireAsOfAvailable(
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

/** The same regions and number give the same lots. */
const lotsOf = (regions: readonly rules.RegionSeries[], lot: number) =>
  rules.lotsOf(regions, JSON.stringify([lot, ...regions.map(({ region }) => region).toSorted()]))

/** The lots of the design that these regions came from; undefined where they were chosen by hand. */
function findLots(regions: readonly rules.RegionSeries[], { treated }: rules.Assignment) {
  for (let lot = 0; lot <= contract.MAX_LOT; lot++) {
    const lots = lotsOf(regions, lot)
    if (lots[0]!.treated.join() === treated.join()) return lots
  }
  return undefined
}

type Wanted = {
  name: string
  metric: Metric
  days: number
  starts_on: string
  treated: string[]
  control: string[]
}

/** The power is computed again from the regions that are named, so that it is of this study. */
export async function createGeoExperiment(context: ProfileContext, wanted: Wanted) {
  const { db, profile, now } = context
  if ((await queries.countOwnStudies(db, { profileId: profile.id })).all >= MAX_STUDIES)
    throw new ApiError('invalid_state', `At most ${MAX_STUDIES} geo studies of a profile.`, {
      reason: 'limit_reached',
    })
  const today = localDay(now, profile.timezone)
  if (wanted.starts_on < today || wanted.starts_on > addDays(today, MAX_DAYS_AHEAD))
    throw toError(
      new Refusal('validation_error', `is not within ${MAX_DAYS_AHEAD} days from ${today} on.`, {
        field: 'starts_on',
      }),
    )
  const past = (await readDesignPast(context))[wanted.metric]
  const usable = rules.usableRegions(past.series)
  requireAsOfAvailable('treated', 'validation_error', wanted.treated, usable)
  requireAsOfAvailable('control', 'validation_error', wanted.control, usable)
  if (wanted.treated.some((region) => wanted.control.includes(region)))
    throw toError(new Refusal('validation_error', 'names a region of treated.', { field: 'control' }))
  const regions = usable.filter(({ region }) => [...wanted.treated, ...wanted.control].includes(region))
  const assignment = chosen(regions, wanted.treated)
  const lots = findLots(regions, assignment)
  const byLot = lots !== undefined
  const refusal = rules.refusalOf({ ...past, days: regions[0]?.days.length ?? 0 }, regions, assignment)
  const options = refusal ? [] : rules.designOption(regions, lots ?? [assignment], wanted.days)
  const option = rules.chooseOption(options)
  if (option === null)
    throw new ApiError('invalid_state', 'The past of these regions does not support such a study.', {
      reason: refusal ?? 'nothing_detectable',
    })
  const design: rules.StoredDesign = {
    metric: wanted.metric,
    days: wanted.days,
    detectable: option.detectable!,
    power: rules.POWER,
    byLot,
  }
  const id = uuidv7(now)
  const lastDay = addDays(wanted.starts_on, wanted.days - 1)
  await inTransaction(db, async (tx) => {
    const countLive = async () => (await queries.countOwnStudies(tx, { profileId: profile.id })).live
    await requireBelowLimit(tx, 'geo_studies', profile.id, countLive)
    await queries.insertStudy(tx, {
      profileId: profile.id,
      id,
      name: wanted.name,
      startsAt: dayBounds(wanted.starts_on, profile.timezone).start,
      endsAt: new Date(dayBounds(lastDay, profile.timezone).end.getTime() - 1),
      cells: [toCell('Treated', false, assignment.treated), toCell('Control', true, assignment.control)],
      design,
      now,
    })
    await recordInProfile(tx, context, { action: 'experiment.created', subject: id })
  })
  return {
    id,
    name: wanted.name,
    starts_on: wanted.starts_on,
    ends_on: lastDay,
    metric: wanted.metric,
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
    if (study.is_decided) throw new ApiError('invalid_state', 'The study has its verdict.')
    if (study.canceled_at !== null) return null
    await queries.cancelStudy(tx, { profileId, id, now: context.now })
    await recordInProfile(tx, context, { action: 'experiment.canceled', subject: id })
    return null
  })
}

/** A study of the profile's own, read from all outcomes of its regions; days that are not over are left out. */
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
  // The regions were chosen when enough customers had them.
  const range = { from: addDays(start, -rules.READ_DAYS), to }
  const past = (await readPast(db, profile, range, 1))[metric]
  const namesOf = (side: boolean) =>
    row.cells.filter((cell) => cell.isControl === side).flatMap((cell) => cell.regions ?? [])
  const assignment = { treated: namesOf(false), control: namesOf(true) }
  // A region without any outcome is not one that sold nothing: its name was written in another way.
  const known = new Set(past.series.map(({ region }) => region))
  if (![...assignment.treated, ...assignment.control].every((name) => known.has(name))) return null
  const sides = rules.toSides(past.series, assignment)
  const at = daysBetween(past.from, start)
  if (at < 0) return null
  const changes = changesOf(
    sides.control.map((days) => ({ before: days.slice(0, at), during: days.slice(at) })),
  )
  return rules.readPairs(metric, sides.pairs.slice(0, at), sides.pairs.slice(at), changes)
}
