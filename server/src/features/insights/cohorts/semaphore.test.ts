import { expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

it('limits the total and releases permits, even after a failure', async () => {
  const semaphore = new Semaphore(10)
  const inside = await semaphore.hold(6, async () => [
    await semaphore.hold(5, async () => 'too many'),
    await semaphore.hold(4, async () => 'the rest'),
  ])
  expect(inside).toEqual([undefined, 'the rest'])
  await expect(semaphore.hold(10, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await semaphore.hold(10, async () => 'all')).toBe('all')
  expect(await semaphore.hold(11, async () => 'more')).toBeUndefined()
})
