import { expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

it('holds no more than it has room for, and has it again after each, also after one that failed', async () => {
  const room = new Semaphore(10)
  const inside = await room.hold(6, async () => [
    await room.hold(5, async () => 'too many'),
    await room.hold(4, async () => 'the rest'),
  ])
  expect(inside).toEqual([undefined, 'the rest'])
  await expect(room.hold(10, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await room.hold(10, async () => 'all')).toBe('all')
  expect(await room.hold(11, async () => 'more')).toBeUndefined()
})
