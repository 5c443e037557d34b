/** A semaphore for writes: at most so many at once, and the first error stops the rest. */
export function fewAtOnce(most: number) {
  const running = new Set<Promise<void>>()
  const problems: unknown[] = []
  const check = () => {
    if (problems.length > 0) throw problems[0]
  }
  return {
    async start(work: () => Promise<void>): Promise<void> {
      while (running.size >= most) await Promise.race(running)
      check()
      const one: Promise<void> = work()
        .catch((error: unknown) => void problems.push(error))
        .finally(() => running.delete(one))
      running.add(one)
    },
    /** Waits for all of them, also after an error. */
    async end(): Promise<void> {
      await Promise.all(running)
      check()
    },
  }
}
