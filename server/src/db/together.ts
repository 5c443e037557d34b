import { setImmediate } from 'node:timers/promises'

/**
 * Writes of one transaction that need nothing of each other: while the database does one, the next is prepared.
 * All have ended when this settles, so none outlives the transaction that a failed one rolls back.
 */
export async function together(...writes: (() => Promise<unknown>)[]): Promise<void> {
  const started: Promise<unknown>[] = []
  for (const write of writes) {
    const work = Promise.try(write)
    // Told below, once all have ended.
    work.catch(() => {})
    started.push(work)
    // What was started goes out before the next one takes the thread.
    await setImmediate()
  }
  for (const result of await Promise.allSettled(started))
    if (result.status === 'rejected') throw result.reason
}
