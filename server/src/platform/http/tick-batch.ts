/**
 * Work of one turn of the event loop, done in one go after the last of it has come in: what
 * requests have in common (reading, checking, hashing) then runs for all of them while its code is
 * in the processor's caches, instead of once between two sockets.
 */
export function createTurn(): (work: () => void) => void {
  let waiting: (() => void)[] = []
  return (work) => {
    if (waiting.push(work) > 1) return
    setImmediate(() => {
      const all = waiting
      waiting = []
      for (const each of all) each()
    })
  }
}
