/** Lets tenants take turns: one runs at a time, the others wait in the order of arrival, each with one request at most. */

type Limits = { mostWaiting: number; waitMs: number }
type Waiting = { start: () => void }

export type Turns = {
  /** Resolves when it is the tenant's turn, to the function that ends it; undefined if it did not get one in time. */
  take(tenant: string): Promise<(() => void) | undefined>
}

export function createTurns({ mostWaiting, waitMs }: Limits): Turns {
  const tenants = new Set<string>()
  const queue: Waiting[] = []
  let isBusy = false
  const turnOf = (tenant: string) => {
    isBusy = true
    return () => {
      tenants.delete(tenant)
      const next = queue.shift()
      if (next === undefined) isBusy = false
      else next.start()
    }
  }
  return {
    async take(tenant) {
      if (tenants.has(tenant) || queue.length >= mostWaiting) return undefined
      tenants.add(tenant)
      if (!isBusy) return turnOf(tenant)
      return new Promise((resolve) => {
        const waiting: Waiting = {
          start: () => {
            clearTimeout(timer)
            resolve(turnOf(tenant))
          },
        }
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(waiting), 1)
          tenants.delete(tenant)
          resolve(undefined)
        }, waitMs)
        queue.push(waiting)
      })
    },
  }
}
