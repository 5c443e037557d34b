import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTickBatcher } from './tick-batch.ts'

it('work of one tick runs at its end, in order and without interruption; later work runs in the next tick', async () => {
  const runInBatch = createTickBatcher()
  const done: string[] = []
  const work = (name: string) => () => {
    done.push(name)
    queueMicrotask(() => done.push(`${name} settled`))
  }
  runInBatch(work('a'))
  await Promise.resolve()
  runInBatch(work('b'))
  expect(done).toEqual([])
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'a settled', 'b settled'])
  runInBatch(work('c'))
  await nextTurn()
  expect(done.slice(4)).toEqual(['c', 'c settled'])
})
