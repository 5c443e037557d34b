/** A semaphore: at most `limit` tasks run at the same time, and none starts after an error. */
export function limitConcurrency(limit: number) {
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  const throwFirstError = () => {
    if (errors.length > 0) throw errors[0]
  }
  return {
    async start(work: () => Promise<void>): Promise<void> {
      while (running.size >= limit) await Promise.race(running)
      throwFirstError()
      const task: Promise<void> = work()
        .catch((error: unknown) => void errors.push(error))
        .finally(() => running.delete(task))
      running.add(task)
    },
    /** Waits for all running tasks, then throws the first error. */
    async end(): Promise<void> {
      await Promise.all(running)
      throwFirstError()
    },
  }
}
