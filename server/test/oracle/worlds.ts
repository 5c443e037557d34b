/**
 * The test that every file of worlds runs on its own share of the seeds, so that the files run side by side:
 * `npm test` plays the first ones, on both engines, and `npm run proofs` those that follow.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { findDifferences } from './compare.ts'
import type { Difference } from './differences.ts'
import { Stage } from './feed.ts'
import { makeWorld } from './generate.ts'

const PARTS = 2
const SEEDS_OF_TESTS = { first: 1, count: 120 }
const SEEDS_OF_PROOFS = { first: 121, count: 680 }
const { SEED, ORACLE_WORLDS } = process.env
const MAX_SHOWN = 8
/** Worlds that once differed, for what no short history in found.test.ts shows. */
const onceDiffered = [31021, 40435, 51110]

export function checkWorlds(part: number, of: 'tests' | 'proofs'): void {
  let app: TestApp
  let stage: Stage
  beforeAll(async () => {
    app = await startTestApp({
      INGEST_PER_SECOND: '1000000',
      INGEST_BURST: '1000000',
      RATE_LIMIT_BURST: '10000000',
    })
    stage = new Stage(app)
    await stage.open()
  })
  afterAll(() => app.close())

  const own = of === 'tests' ? SEEDS_OF_TESTS : SEEDS_OF_PROOFS
  const first = Number(SEED ?? own.first)
  const inOrder = Array.from({ length: Number(ORACLE_WORLDS ?? own.count) }, (_, index) => first + index)
  const again = of === 'tests' && SEED === undefined ? onceDiffered : []
  const seeds = [...inOrder, ...again].filter((seed) => seed % PARTS === part)

  it(`reports of ${seeds.length} random worlds are what plain loops say, from seed ${seeds[0]} on`, {
    timeout: Math.max(300_000, seeds.length * 10_000),
  }, async () => {
    for (const seed of seeds) {
      const world = makeWorld(seed)
      const thorough = process.env.ORACLE_THOROUGH !== undefined
      const differences = await findDifferences(await stage.enter(world), world, thorough)
      expect(
        differences.slice(0, MAX_SHOWN).map(toLine),
        `seed ${seed} (SEED=${seed} ORACLE_WORLDS=1)`,
      ).toEqual([])
    }
  })
}

function toLine({ where, expected, got }: Difference): string {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
  return `${where}: expected ${text(expected)}, got ${text(got)}`
}
