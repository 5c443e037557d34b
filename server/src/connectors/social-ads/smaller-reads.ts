/**
 * The platform refuses an answer that would be too large and asks for less; the same question again gets the same
 * refusal. The days of a report are halved first; a single day that is still too much is made by the platform in its own
 * time; then the size of a page is halved. The place in the step remembers by how much.
 */
import { z } from 'zod'
import { addDays, listDays } from '../../platform/contract/dates.ts'
import type { StepCursor, StepPage } from '../ad-account-steps.ts'
import { ProviderError } from '../connector.ts'

/**
 * `since` and `days`: the part of the step's days that is being read; `report`: the run that is made of it; `failures`: of
 * such runs; `halvings`: of the usual page size.
 */
const Place = z.object({
  after: z.string().nullable(),
  since: z.string().nullable(),
  days: z.number().int().min(1).nullable(),
  report: z.string().nullish(),
  failures: z.number().int().min(0).optional(),
  halvings: z.number().int().min(0),
})
type Place = z.infer<typeof Place>

/** Down to a single entry where the usual page has 500. */
const MAX_HALVINGS = 9
const MAX_REPORT_FAILURES = 3

type Ranged = { since: string; until: string }
type Part<Step> = { step: Step; range: Ranged | null; isLast: boolean }

export type ReadPart<Step> = (
  after: string | null,
  step: Step,
  limitOf: (usual: number) => number,
  report: string | null,
) => Promise<StepPage>

/** Reports of a step that the platform makes in its own time. */
export type Reports<Step> = {
  takes(step: Step): boolean
  start(step: Step): Promise<string>
  /** False where there will be none. */
  isDone(run: string): Promise<boolean>
}

export async function readInSmallerParts<Step extends object>(
  at: StepCursor,
  whole: Step,
  read: ReadPart<Step>,
  reports: Reports<Step>,
): Promise<StepPage> {
  const place = placeOf(at.after)
  const part = partOf(whole, place)
  const report = place.report ?? null
  if (report !== null && place.after === null && !(await reports.isDone(report))) {
    const failures = (place.failures ?? 0) + 1
    return { records: [], after: toAfter({ ...place, report: null, failures }) }
  }
  try {
    const page = await read(place.after, part.step, (usual) => Math.max(1, usual >> place.halvings), report)
    return { ...page, after: toAfter(nextPlace(place, part, page.after)) }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.reason !== 'asks_for_less') throw error
    const less = await lessThan(place, part, reports)
    if (less === null) throw error
    return { records: [], after: toAfter(less) }
  }
}

/** The platform's own cursor represents itself until something had to be made smaller. */
function placeOf(after: string | null): Place {
  const own = after?.startsWith('{') === true ? Place.safeParse(JSON.parse(after)).data : undefined
  return own ?? { after, since: null, days: null, halvings: 0 }
}

function toAfter(place: Place | null): string | null {
  if (place === null) return null
  const isWhole = place.since === null && place.halvings === 0 && !place.report && !place.failures
  return isWhole ? place.after : JSON.stringify(place)
}

const isRanged = (step: object): step is Ranged =>
  typeof (step as Partial<Ranged>).since === 'string' && typeof (step as Partial<Ranged>).until === 'string'

function partOf<Step extends object>(whole: Step, place: Place): Part<Step> {
  if (!isRanged(whole)) return { step: whole, range: null, isLast: true }
  const since = place.since ?? whole.since
  const end = place.days === null ? whole.until : addDays(since, place.days - 1)
  const until = end < whole.until ? end : whole.until
  return { step: { ...whole, since, until }, range: { since, until }, isLast: until === whole.until }
}

function nextPlace(place: Place, part: Part<unknown>, after: string | null): Place | null {
  if (after !== null) return { ...place, after }
  if (part.range === null || part.isLast) return null
  return { ...place, after: null, report: null, failures: 0, since: addDays(part.range.until, 1) }
}

async function lessThan<Step>(
  place: Place,
  { step, range }: Part<Step>,
  reports: Reports<Step>,
): Promise<Place | null> {
  const days = range === null ? 1 : listDays(range.since, range.until).length
  if (range !== null && days > 1 && place.after === null)
    return { ...place, since: range.since, days: Math.ceil(days / 2) }
  const mayReport = !place.report && (place.failures ?? 0) < MAX_REPORT_FAILURES
  if (mayReport && place.after === null && reports.takes(step))
    return { ...place, report: await reports.start(step) }
  return place.halvings < MAX_HALVINGS ? { ...place, halvings: place.halvings + 1 } : null
}
