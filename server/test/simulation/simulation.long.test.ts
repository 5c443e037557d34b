import { expect, it } from 'vitest'
import { root } from '../guards/faults.ts'
import { runSimulation } from './in-process.ts'
import { followsSchedule } from './invariants.ts'

const STEPS = 10_000
const SEED = Number(process.env.SEED ?? 1)

it(`${STEPS} steps with faults from seed ${SEED} lose nothing, count nothing twice and keep every order`, {
  timeout: 600_000,
}, async () => {
  const { code, output } = await runSimulation(root, STEPS, SEED)
  expect(output, output).toMatch(/\d+ steps in \d+ phases/)
  expect(code, output).toBe(0)
})

/** Found that a connection whose BEGIN was late went back into the pool with its transaction open. */
it('500 steps from seed 528071 never use a connection again whose response was late', {
  timeout: 300_000,
}, async () => {
  const { code, output } = await runSimulation(root, 500, 528071)
  expect(code, output).toBe(0)
})

it('the same seed gives the same run, another seed a different one', { timeout: 300_000 }, async () => {
  const digestOf = async (seed: number) =>
    /digest (\w+)/.exec((await runSimulation(root, 200, seed)).output)?.[1]
  const first = await digestOf(SEED)
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  expect(await digestOf(SEED)).toBe(first)
  expect(await digestOf(SEED + 1)).not.toBe(first)
})

it('attempts follow the schedule if each waits for its time, and lost attempts are repeated', () => {
  const at = (ms: number) => ({ atMs: ms, endMs: ms + 100, movedMs: 0, status: 500 })
  expect(followsSchedule([at(0), at(5000), at(306_000)], 3)).toBe(true)
  expect(followsSchedule([at(0), at(200), at(5000), at(306_000)], 3)).toBe(true)
  expect(followsSchedule([at(0), at(5000), at(60_000)], 3)).toBe(false)
  expect(followsSchedule([at(0), at(100)], 2)).toBe(false)
  const endless = { ...at(0), endMs: 120_000 }
  expect(followsSchedule([endless, at(0), at(6000)], 2)).toBe(true)
  expect(followsSchedule([endless, at(0), at(100)], 2)).toBe(false)
})
