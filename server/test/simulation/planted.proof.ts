import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyCheckout } from '../guards/checkout-copy.ts'
import { root } from '../guards/faults.ts'
import { runSimulation } from './in-process.ts'
import { plantedFaults } from './planted.ts'

/** Every planted fault shows within this many steps with one of these seeds; which one changes with every new statement. */
const STEPS = 6000
const SEEDS = [2, 3, 4, 5]

describe('detects a planted fault:', () => {
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
      try {
        let ran = await runSimulation(checkout.path, STEPS, SEEDS[0]!)
        for (const seed of SEEDS.slice(1)) {
          if (fault.violation.test(ran.output)) break
          ran = await runSimulation(checkout.path, STEPS, seed)
        }
        expect(ran.output).toMatch(fault.violation)
        expect(ran.code).toBe(1)
      } finally {
        await writeFile(path, code)
      }
    },
  )
})
