import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurn } from './tick-batch.ts'

it('what comes in one turn is done at its end, in order and without a pause; what comes later, in the next', async () => {
  const together = createTurn()
  const done: string[] = []
  const work = (name: string) => () => {
    done.push(name)
    queueMicrotask(() => done.push(`${name} settled`))
  }
  together(work('a'))
  await Promise.resolve()
  together(work('b'))
  expect(done).toEqual([])
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'a settled', 'b settled'])
  together(work('c'))
  await nextTurn()
  expect(done.slice(4)).toEqual(['c', 'c settled'])
})
