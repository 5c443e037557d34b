/** Random worlds, read through every report: the relations between figures must hold in all of them. */
import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedsForRun } from '../length.ts'
import { makeWorld } from '../oracle/generate.ts'
import type { World } from '../oracle/history.ts'
import type { Stage } from '../oracle/player.ts'
import { createRandom } from '../oracle/random.ts'
import { checkPieces } from './days.ts'
import { checkFacts } from './facts.ts'
import { checkLists } from './lists.ts'
import {
  checkAdTrend,
  checkExplained,
  checkPacing,
  checkRealtime,
  checkScores,
  checkVisitors,
  momentsOf,
} from './next-to-reports.ts'
import { checkParts } from './parts.ts'
import { openStage, play, whole } from './play.ts'
import type { Range } from './read.ts'
import { Violations } from './violations.ts'

const DAY = 86_400_000
/** The first world also fails without the guard of credit in lists; 7001 and 7002 do not. */
const seeds = seedsForRun(7003, 1, 20)

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.app.close())

const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10)
const lastOf = (world: World) => Math.max(...world.steps.map((step) => step.at))

/** The last two months of a world's spend. */
function monthsOf({ steps }: World): string[] {
  const days = steps.flatMap((step) => (step.type === 'spend' ? step.rows.map(({ date }) => date) : []))
  return [...new Set(days.map((day) => day.slice(0, 7)))].sort().slice(-2)
}

/** Cuts the range into pieces around the days with most events. */
function cut(seed: number, world: World): Range[] {
  const random = createRandom(seed)
  const begin = lastOf(world) - random.int(55, 75) * DAY
  const days = [begin, begin + DAY * random.pick([1, 2, 9])].map(dayAt)
  const before = (day: string) => dayAt(Date.parse(day) - DAY)
  return [
    { date_from: whole.date_from, date_to: before(days[0]!) },
    { date_from: days[0]!, date_to: before(days[1]!) },
    { date_from: days[1]!, date_to: whole.date_to },
  ]
}

it.each(seeds)(
  'parts, lists, facts and days agree in the world of seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const world = makeWorld(seed)
    const { player, reader } = await play(stage, world)
    const violations = new Violations()
    const figures = await reader.figures(whole)
    checkParts(violations, figures)
    checkFacts(violations, figures)
    const details = await reader.details(figures, models[seed % models.length]!)
    checkLists(violations, figures, details)
    await checkExplained(violations, reader, details)
    await checkAdTrend(violations, reader, figures)
    await checkVisitors(violations, reader)
    await checkPacing(violations, reader, stage.workspace, player.profileId, monthsOf(world))
    await checkScores(violations, reader, player, { zone: world.zone, day: dayAt(lastOf(world)) })
    await checkRealtime(violations, reader, player, momentsOf(world, 4))
    const some = [models[seed % models.length]!, models[(seed + 2) % models.length]!]
    const pieces = []
    for (const range of cut(seed, world)) pieces.push(await reader.amounts(range, some))
    checkPieces(violations, figures, pieces, some)
    expect(violations.lines(12), `SEED=${seed} WORLDS=1`).toEqual([])
  },
)
