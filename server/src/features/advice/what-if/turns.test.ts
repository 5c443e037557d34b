import { expect, it, vi } from 'vitest'
import { createTurns } from './turns.ts'

it('tenants take turns in the order of arrival, and one tenant has one request at most', async () => {
  const turns = createTurns({ mostWaiting: 2, waitMs: 3_600_000 })
  const order: string[] = []
  const enter = async (tenant: string) => {
    const end = await turns.take(tenant)
    order.push(end === undefined ? `${tenant} refused` : tenant)
    return end
  }
  const first = (await enter('a'))!
  await enter('a')
  const [second, third] = [enter('b'), enter('c')]
  await enter('b')
  await enter('d')
  first()
  const end = (await second)!
  end()
  ;(await third)!()
  ;(await enter('a'))!()
  expect(order).toEqual(['a', 'a refused', 'b refused', 'd refused', 'b', 'c', 'a'])
})

it('a request that gets no turn in time is refused and makes room', async () => {
  vi.useFakeTimers()
  const turns = createTurns({ mostWaiting: 1, waitMs: 1000 })
  const end = (await turns.take('a'))!
  const late = turns.take('b')
  await vi.advanceTimersByTimeAsync(1000)
  vi.useRealTimers()
  expect(await late).toBeUndefined()
  const next = turns.take('b')
  end()
  expect(await next).toBeDefined()
})
