import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { refetch } from './refetch.ts'

/** A visible list that answers with the state at the time of the request. */
function show() {
  const client = new QueryClient()
  const world = { pairs: 0, asked: 0 }
  const answers: (() => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['listPairs', {}],
    queryFn: () => {
      const { pairs } = world
      world.asked += 1
      return new Promise<number>((resolve) => answers.push(() => resolve(pairs)))
    },
  })
  const close = observer.subscribe(() => {})
  return { client, world, observer, close, answer: () => answers.shift()!() }
}

it('does not take a first answer from before a change for the new one', async () => {
  const { client, world, observer, close, answer } = show()
  world.pairs = 1
  const asking = refetch(client, [{ name: 'listPairs' }])
  answer()
  await expect.poll(() => world.asked).toBe(2)
  answer()
  await asking
  expect(observer.getCurrentResult().data).toBe(1)
  close()
})

it('asks once for what is there, and not at all for other lists', async () => {
  const { client, world, observer, close, answer } = show()
  answer()
  await expect.poll(() => observer.getCurrentResult().data).toBe(0)
  world.pairs = 1
  await refetch(client, [{ name: 'listOthers' }])
  expect(world.asked).toBe(1)
  const asking = refetch(client)
  await expect.poll(() => world.asked).toBe(2)
  answer()
  await asking
  expect(world.asked).toBe(2)
  expect(observer.getCurrentResult().data).toBe(1)
  close()
})
