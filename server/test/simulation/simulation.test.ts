import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../database.ts'
import { copyCheckout } from '../guards/checkout-copy.ts'
import { root } from '../guards/faults.ts'
import { followsSchedule } from './invariants.ts'
import { plantedFaults } from './planted.ts'

const STEPS = 10_000
const SEED = Number(process.env.SEED ?? 1)
/** Every planted fault shows within so many steps from this seed. */
const PLANTED = { steps: 6000, seed: 1 }

type Ran = { code: number; output: string }

/** In a process of its own, because it takes over the time of the whole process. */
async function run(checkout: string, steps: number, seed = SEED): Promise<Ran> {
  const database = await cloneDatabase()
  try {
    return await new Promise<Ran>((resolve) => {
      execFile(
        process.execPath,
        ['server/test/simulation/run.ts', '--steps', String(steps), '--seed', String(seed)],
        { cwd: checkout, env: { ...process.env, SIMULATION_DATABASE_URL: database.connectionString } },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      )
    })
  } finally {
    await database.drop()
  }
}

it(`${STEPS} steps of trouble from seed ${SEED} lose nothing, count nothing twice and keep every order`, {
  timeout: 600_000,
}, async () => {
  const { code, output } = await run(root, STEPS)
  expect(output, output).toMatch(/\d+ steps in \d+ phases/)
  expect(code, output).toBe(0)
})

it('the same seed is the same run, another is another', { timeout: 300_000 }, async () => {
  const digestOf = async (seed: number) => /digest (\w+)/.exec((await run(root, 200, seed)).output)?.[1]
  const first = await digestOf(SEED)
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  expect(await digestOf(SEED)).toBe(first)
  expect(await digestOf(SEED + 1)).not.toBe(first)
})

describe('a planted fault is found:', () => {
  let checkout: Awaited<ReturnType<typeof copyCheckout>>
  beforeAll(async () => {
    checkout = await copyCheckout(root)
  })
  afterAll(() => checkout.remove())

  it.each(plantedFaults.map((fault) => [fault.name, fault] as const))(
    '%s',
    {
      timeout: 600_000,
    },
    async (_, fault) => {
      const path = join(checkout.path, fault.file)
      const code = await readFile(path, 'utf8')
      expect(code.split(fault.snippet).length - 1, `${fault.file} changed: change planted.ts with it`).toBe(1)
      await writeFile(
        path,
        code.replace(fault.snippet, () => fault.replacement),
      )
      const ran = await run(checkout.path, PLANTED.steps, PLANTED.seed).finally(() => writeFile(path, code))
      expect(ran.output).toMatch(fault.violation)
      expect(ran.code).toBe(1)
    },
  )
})

it('attempts follow the schedule when each waits for its time, and tries that were lost are repeated', () => {
  const at = (ms: number) => ({ atMs: ms, endMs: ms + 100, movedMs: 0, status: 500 })
  expect(followsSchedule([at(0), at(5000), at(306_000)], 3)).toBe(true)
  expect(followsSchedule([at(0), at(200), at(5000), at(306_000)], 3)).toBe(true)
  expect(followsSchedule([at(0), at(5000), at(60_000)], 3)).toBe(false)
  expect(followsSchedule([at(0), at(100)], 2)).toBe(false)
  const endless = { ...at(0), endMs: 120_000 }
  expect(followsSchedule([endless, at(0), at(6000)], 2)).toBe(true)
  expect(followsSchedule([endless, at(0), at(100)], 2)).toBe(false)
})
