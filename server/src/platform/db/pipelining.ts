import { setImmediate } from 'node:timers/promises'

/**
 * Pipelines independent writes of one transaction: while the database executes one, the next is prepared. All have
 * ended when this settles, so none outlives the transaction after a failure.
 */
export async function pipelineWrites(...writes: (() => Promise<unknown>)[]): Promise<void> {
  const started: Promise<unknown>[] = []
  for (const write of writes) {
    const work = Promise.try(write)
    // Thrown below, once all have ended.
    work.catch(() => {})
    started.push(work)
    // Lets the started statement be sent before the next write uses the thread.
    await setImmediate()
  }
  throwCause(failuresOf(await Promise.allSettled(started)))
}

const failuresOf = (results: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  results.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))

/** Error code of statements in an already failed transaction. */
const ABORTED = '25P02'
const isAborted = (error: unknown) => error instanceof Error && 'code' in error && error.code === ABORTED

/** Only the original error shows whether the work may be repeated. */
function throwCause(failures: readonly unknown[]): void {
  if (failures.length > 0) throw failures.find((error) => !isAborted(error)) ?? failures[0]
}

/**
 * Pipelines independent reads of one transaction in order: the database executes the next one while the service
 * processes the rows of the last. All have ended when this settles.
 */
export async function pipelineReads<T extends readonly unknown[]>(
  ...reads: { [Index in keyof T]: Promise<T[Index]> }
): Promise<T> {
  const results = await Promise.allSettled(reads)
  throwCause(failuresOf(results))
  return results.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as T
}

/** Small enough that the database is rarely idle, large enough to amortise the statement. */
const PART = 2000

/**
 * Runs independent parts of one transaction's work, three at a time: while the service processes one, the database
 * executes a statement of the next. After a failure no new part starts, and all have ended when this settles.
 */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: readonly Row[]) => Promise<void>,
  size = PART,
): Promise<void> {
  let next = 0
  const failures: unknown[] = []
  async function worker(): Promise<void> {
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
  await pipelineWrites(worker, worker, worker)
  throwCause(failures)
}
