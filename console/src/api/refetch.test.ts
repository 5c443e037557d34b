import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { refetch } from './refetch.ts'

/** A mounted query that returns the state at the time of the request. */
function mountList() {
  const client = new QueryClient()
  const world = { pairs: 0, requests: 0 }
  const pendingResponses: (() => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['listPairs', {}],
    queryFn: () => {
      const { pairs } = world
      world.requests += 1
      return new Promise<number>((resolve) => pendingResponses.push(() => resolve(pairs)))
    },
  })
  const close = observer.subscribe(() => {})
  return { client, world, observer, close, respond: () => pendingResponses.shift()!() }
}

it('does not use a first response that was requested before the change', async () => {
  const { client, world, observer, close, respond } = mountList()
  world.pairs = 1
  const refetching = refetch(client, [{ name: 'listPairs' }])
  respond()
  await expect.poll(() => world.requests).toBe(2)
  respond()
  await refetching
  expect(observer.getCurrentResult().data).toBe(1)
  close()
})

it('refetches loaded queries once, and other lists not at all', async () => {
  const { client, world, observer, close, respond } = mountList()
  respond()
  await expect.poll(() => observer.getCurrentResult().data).toBe(0)
  world.pairs = 1
  await refetch(client, [{ name: 'listOthers' }])
  expect(world.requests).toBe(1)
  const refetching = refetch(client)
  await expect.poll(() => world.requests).toBe(2)
  respond()
  await refetching
  expect(world.requests).toBe(2)
  expect(observer.getCurrentResult().data).toBe(1)
  close()
})
