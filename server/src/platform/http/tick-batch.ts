/**
 * Batches the work of one event loop tick and runs it at the end: shared request code (parsing, validating,
 * hashing) then runs for all requests while it is in the CPU caches, instead of between socket reads.
 */
export function createTickBatcher(): (work: () => void) => void {
  let waiting: (() => void)[] = []
  return (work) => {
    if (waiting.push(work) > 1) return
    setImmediate(() => {
      const batch = waiting
      waiting = []
      for (const run of batch) run()
    })
  }
}
