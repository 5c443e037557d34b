/**
 * The test that every file of worlds runs on its own share of the seeds, so that the files run in parallel:
 * `npm run test:long` runs the first ones, or those from SEED on, and `npm run proofs` those that follow.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { Aging } from './aging.ts'
import { findDifferences } from './compare.ts'
import type { Difference } from './differences.ts'
import { makeWorld } from './generate.ts'
import { Stage } from './player.ts'

const PARTS = 2
const count = (first: number, length: number) => Array.from({ length }, (_, index) => first + index)
const SEEDS = { tests: count(1, 60), proofs: count(61, 740) }
/** Seeds of worlds whose raw events are dropped during the run. */
const SEEDS_OF_AGING = { tests: count(5001, 10), proofs: count(5011, 60) }
const { SEED, ORACLE_WORLDS } = process.env
const MAX_SHOWN = 8
/** Worlds that once differed and have no short history in regressions.test.ts; 145 and 304 refund money without a rate. */
const onceDiffered = [145, 304, 31021, 40435, 51110]

export function checkWorlds(part: number, suite: 'tests' | 'proofs'): void {
  const again = suite === 'tests' && ORACLE_WORLDS === undefined ? onceDiffered : []
  checkSeeds(
    [...chosen(SEEDS[suite]), ...again].filter((seed) => seed % PARTS === part),
    false,
  )
}

/** Raw events are dropped between the steps of each world. */
export function checkAgingWorlds(suite: 'tests' | 'proofs'): void {
  checkSeeds(chosen(SEEDS_OF_AGING[suite]), true)
}

const chosen = (seeds: readonly number[]) =>
  count(Number(SEED ?? seeds[0]), Number(ORACLE_WORLDS ?? seeds.length))

function checkSeeds(seeds: readonly number[], isAging: boolean): void {
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

  it(`reports of ${seeds.length} random worlds equal those of the oracle, from seed ${seeds[0]} on`, {
    timeout: Math.max(300_000, seeds.length * 10_000),
  }, async () => {
    let [dropped, lessened] = [0, 0]
    for (const seed of seeds) {
      const world = makeWorld(seed)
      const thorough = process.env.ORACLE_THOROUGH !== undefined
      const aging = isAging ? new Aging(world) : undefined
      const player = await stage.enter(world)
      const differences = await findDifferences(player, world, thorough, aging?.afterStep)
      dropped += aging?.dropped ?? 0
      lessened += aging?.lessened ?? 0
      expect(
        differences.slice(0, MAX_SHOWN).map(toLine),
        `seed ${seed} (SEED=${seed} ORACLE_WORLDS=1)`,
      ).toEqual([])
    }
    if (!isAging || SEED !== undefined) return
    // Otherwise the run tested nothing.
    expect(dropped).toBeGreaterThan(0)
    expect(lessened).toBeGreaterThan(seeds.length)
  })
}

function toLine({ where, expected, got }: Difference): string {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
  return `${where}: expected ${text(expected)}, got ${text(got)}`
}
