import { setImmediate } from 'node:timers/promises'

/**
 * Writes of one transaction that need nothing of each other: while the database does one, the next is prepared.
 * All have ended when this settles, so none outlives the transaction that a failed one rolls back.
 */
export async function together(...writes: (() => Promise<unknown>)[]): Promise<void> {
  const started: Promise<unknown>[] = []
  for (const write of writes) {
    const work = Promise.try(write)
    // Thrown below, once all have ended.
    work.catch(() => {})
    started.push(work)
    // What was started goes out before the next one takes the thread.
    await setImmediate()
  }
  for (const result of await Promise.allSettled(started))
    if (result.status === 'rejected') throw result.reason
}

/** What a transaction says to every statement after one that failed. */
const ABORTED = '25P02'
const isAborted = (error: unknown) => error instanceof Error && 'code' in error && error.code === ABORTED

/**
 * Reads of one transaction that need nothing of each other, in the order in which they are sent: the database has the
 * next one while the service works on the rows of the last. All have ended when this settles.
 */
export async function readTogether<T extends readonly unknown[]>(
  ...reads: { [Index in keyof T]: Promise<T[Index]> }
): Promise<T> {
  const ended = await Promise.allSettled(reads)
  const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  if (failures.length > 0) throw failures.find((error) => !isAborted(error)) ?? failures[0]
  return ended.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as T
}

/** So few rows that the database is never long without a statement, so many that its statements are worth it. */
const PART = 2000

/**
 * Parts of one transaction's work that need nothing of each other, three under way at a time: while the service works
 * on one, the database has a statement of the next. None begins once one has failed, and all have ended when this settles.
 */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: readonly Row[]) => Promise<void>,
  size = PART,
): Promise<void> {
  let next = 0
  const failures: unknown[] = []
  async function lane(): Promise<void> {
    while (next < rows.length) {
      const from = next
      next += size
      try {
        await work(rows.slice(from, from + size))
      } catch (error) {
        failures.push(error)
        next = rows.length
      }
    }
  }
  await together(lane, lane, lane)
  // The first is the cause: after it the transaction refuses all others.
  if (failures.length > 0) throw failures[0]
}
