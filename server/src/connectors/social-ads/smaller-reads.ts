/**
 * The platform refuses a response that would be too large, and repeating the request does not help. First the days of a
 * report are halved; a single day that is still too large is requested as an asynchronous report; then the page size is
 * halved. The cursor of the step stores the reductions.
 */
import { z } from 'zod'
import { addDays, listDays } from '../../platform/contract/dates.ts'
import type { StepCursor, StepPage } from '../ad-account-steps.ts'
import { ProviderError } from '../connector.ts'

/**
 * `since` and `days`: the part of the step's days that is being read; `report`: its asynchronous report run; `failures`:
 * failed report runs; `halvings`: how often the page size was halved.
 */
const Position = z.object({
  after: z.string().nullable(),
  since: z.string().nullable(),
  days: z.number().int().min(1).nullable(),
  report: z.string().nullish(),
  failures: z.number().int().min(0).optional(),
  halvings: z.number().int().min(0),
})
type Position = z.infer<typeof Position>

/** Reduces a page of 500 entries to a single one. */
const MAX_HALVINGS = 9
const MAX_REPORT_FAILURES = 3

type Ranged = { since: string; until: string }
type Part<Step> = { step: Step; range: Ranged | null; isLast: boolean }

export type ReadPart<Step> = (
  after: string | null,
  step: Step,
  limitOf: (defaultLimit: number) => number,
  report: string | null,
) => Promise<StepPage>

/** Asynchronous reports. */
export type AsyncReports<Step> = {
  supports(step: Step): boolean
  start(step: Step): Promise<string>
  /** False if the report failed or no longer exists. */
  isDone(run: string): Promise<boolean>
}

export async function readInSmallerParts<Step extends object>(
  at: StepCursor,
  fullStep: Step,
  read: ReadPart<Step>,
  reports: AsyncReports<Step>,
): Promise<StepPage> {
  const position = parsePosition(at.after)
  const part = partOf(fullStep, position)
  const report = position.report ?? null
  if (report !== null && position.after === null && !(await reports.isDone(report))) {
    const failures = (position.failures ?? 0) + 1
    return { records: [], after: toAfter({ ...position, report: null, failures }) }
  }
  try {
    const limitOf = (defaultLimit: number) => Math.max(1, defaultLimit >> position.halvings)
    const page = await read(position.after, part.step, limitOf, report)
    return { ...page, after: toAfter(nextPosition(position, part, page.after)) }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.reason !== 'asks_for_less') throw error
    const reduced = await reduce(position, part, reports)
    if (reduced === null) throw error
    return { records: [], after: toAfter(reduced) }
  }
}

/** Without a reduction the platform's cursor is stored as it is. */
function parsePosition(after: string | null): Position {
  const position = after?.startsWith('{') === true ? Position.safeParse(JSON.parse(after)).data : undefined
  return position ?? { after, since: null, days: null, halvings: 0 }
}

function toAfter(position: Position | null): string | null {
  if (position === null) return null
  const isUnreduced =
    position.since === null && position.halvings === 0 && !position.report && !position.failures
  return isUnreduced ? position.after : JSON.stringify(position)
}

const isRanged = (step: object): step is Ranged =>
  typeof (step as Partial<Ranged>).since === 'string' && typeof (step as Partial<Ranged>).until === 'string'

function partOf<Step extends object>(fullStep: Step, position: Position): Part<Step> {
  if (!isRanged(fullStep)) return { step: fullStep, range: null, isLast: true }
  const since = position.since ?? fullStep.since
  const end = position.days === null ? fullStep.until : addDays(since, position.days - 1)
  const until = end < fullStep.until ? end : fullStep.until
  return { step: { ...fullStep, since, until }, range: { since, until }, isLast: until === fullStep.until }
}

function nextPosition(position: Position, part: Part<unknown>, after: string | null): Position | null {
  if (after !== null) return { ...position, after }
  if (part.range === null || part.isLast) return null
  return { ...position, after: null, report: null, failures: 0, since: addDays(part.range.until, 1) }
}

/** The position of a smaller read; null if nothing is left to reduce. */
async function reduce<Step>(
  position: Position,
  { step, range }: Part<Step>,
  reports: AsyncReports<Step>,
): Promise<Position | null> {
  const days = range === null ? 1 : listDays(range.since, range.until).length
  if (range !== null && days > 1 && position.after === null)
    return { ...position, since: range.since, days: Math.ceil(days / 2) }
  const mayReport = !position.report && (position.failures ?? 0) < MAX_REPORT_FAILURES
  if (mayReport && position.after === null && reports.supports(step))
    return { ...position, report: await reports.start(step) }
  return position.halvings < MAX_HALVINGS ? { ...position, halvings: position.halvings + 1 } : null
}
