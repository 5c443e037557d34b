/**
 * Steps of an ad account's sync: first its structure, then delivery by day at each of the three levels. The
 * cursor contains the step and the page within it, so that any page can be read again after a crash.
 */
import { z } from 'zod'
import { addDays } from '../platform/contract/dates.ts'
import type { ListRead, SetAside, SyncPage, SyncWindow } from './connector.ts'

export type DeliveryStep = {
  kind: 'delivery'
  level: 'campaign' | 'ad_set' | 'ad'
  since: string
  until: string
}

const Cursor = z.object({
  currency: z.string(),
  step: z.number().int().min(0),
  /** The platform's cursor for the next page of the step; null at the start of the step. */
  after: z.string().nullable(),
})
export type StepCursor = z.infer<typeof Cursor>

export type StepPage = Pick<SyncPage, 'records' | 'setAside' | 'cleared' | 'clearedKinds'> & {
  after: string | null
}

/** Delivery of a window in chunks of `days`, because platforms refuse reports that are too large. */
export function deliverySteps(
  window: SyncWindow,
  days: Readonly<Record<DeliveryStep['level'], number>>,
): DeliveryStep[] {
  const steps: DeliveryStep[] = []
  for (const level of ['campaign', 'ad_set', 'ad'] as const)
    for (let since = window.sinceDay; since <= window.untilDay; since = addDays(since, days[level])) {
      const last = addDays(since, days[level] - 1)
      steps.push({ kind: 'delivery', level, since, until: last < window.untilDay ? last : window.untilDay })
    }
  return steps
}

/** Reads the page at the cursor and returns the cursor of the next one. */
export async function readStepPage<Step extends { kind: string }>(
  cursor: string | null,
  steps: readonly Step[],
  account: { currency: () => Promise<string>; read: (at: StepCursor, step: Step) => Promise<StepPage> },
): Promise<SyncPage> {
  const at =
    cursor === null
      ? { currency: await account.currency(), step: 0, after: null }
      : Cursor.parse(JSON.parse(cursor))
  const progress = (done: number) => ({ done, total: steps.length, unit: 'steps' })
  const step = steps[at.step]
  if (step === undefined) return { records: [], cursor: null, progress: progress(steps.length) }
  const { after, ...page } = await account.read(at, step)
  const read = listRead(step, at.step)
  const setAside = page.setAside?.map((entry) => withList(entry, read))
  const next: StepCursor = after === null ? { ...at, step: at.step + 1, after: null } : { ...at, after }
  const isLast = next.step >= steps.length
  return {
    ...page,
    ...(setAside === undefined ? {} : { setAside }),
    ...(read === null || at.after !== null ? {} : { rereads: read }),
    cursor: isLast ? null : JSON.stringify(next),
    progress: progress(next.step),
  }
}

type Dated = { level: string; report: string; day: string; lastDays: string[]; since: string; until: string }

/**
 * The list that a step reads, whose earlier notices end with it: lists of the structure are read completely by each
 * sync, reports by day. Null for leads, which have ids and of which only new ones are read.
 */
function listRead(step: { kind: string }, index: number): ListRead | null {
  if (step.kind === 'leads') return null
  const { level, report, day, lastDays = [day], ...range } = step as Partial<Dated>
  const { since = lastDays[0], until = lastDays.at(-1) } = range
  if (since === undefined || until === undefined) return { list: `${step.kind} ${index}` }
  return { list: [step.kind, level ?? report ?? ''].join(' ').trim(), since, until }
}

/** Adds the list and the day. A row whose day is missing or outside the report is filed under the report's last day. */
function withList(entry: SetAside, read: ListRead | null): SetAside {
  if (read === null) return entry
  const { list, since, until } = read
  const { day = '', ...withoutDay } = entry
  if (since === undefined || until === undefined) return { ...withoutDay, list }
  return { ...withoutDay, list, day: day >= since && day <= until ? day : until }
}
