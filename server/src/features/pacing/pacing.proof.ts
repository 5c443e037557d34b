/** What the forecast's interval and its middle are worth, on the sandbox's accounts. */
import { expect, it } from 'vitest'
import { plantSpending } from '../../../test/planted/spending.ts'
import { daysOfMonth, forecastMonth, type MonthSoFar } from './rules.ts'

const SEEDS = 50
/** Of both months that lie wholly in the world; a campaign ends on November 6. */
const days = [
  '2026-10-05',
  '2026-10-10',
  '2026-10-16',
  '2026-10-22',
  '2026-11-10',
  '2026-11-16',
  '2026-11-24',
]

/** What was spent until yesterday, as if every day were like the others. */
function linear(seen: MonthSoFar): number {
  const past = seen.all.filter(({ day }) => day.startsWith(seen.month) && day < seen.today)
  return (past.reduce((sum, { minor }) => sum + minor, 0) / past.length) * daysOfMonth(seen.month).length
}

it('the 80 % interval holds 75 to 85 % of months, and the error on day 10 is below the linear rule’s', () => {
  let [held, all] = [0, 0]
  const misses = { ours: 0, linear: 0, below: 0, above: 0 }
  const byDay: Record<string, number> = {}
  for (let seed = 0; seed < SEEDS; seed++)
    for (const platform of ['social', 'engine'] as const) {
      const world = plantSpending(`pacing ${seed}`, platform)
      for (const day of days) {
        const seen = world.asOf(day)
        const forecast = forecastMonth(seen)!
        const truth = world.truth(seen.month)
        all++
        if (truth < forecast.lowMinor) misses.below++
        if (truth > forecast.highMinor) misses.above++
        const holds = truth >= forecast.lowMinor && truth <= forecast.highMinor
        if (holds) held++
        byDay[day] = (byDay[day] ?? 0) + (holds ? 1 : 0)
        if (!day.endsWith('-10')) continue
        misses.ours += Math.abs(forecast.projectedMinor - truth) / truth
        misses.linear += Math.abs(linear(seen) - truth) / truth
      }
    }
  const monthsOnDay10 = SEEDS * 2 * 2
  console.log('pacing: held', held / all, byDay, {
    ...misses,
    error_day_10: misses.ours / monthsOnDay10,
    error_day_10_linear: misses.linear / monthsOnDay10,
  })
  expect(held / all).toBeGreaterThanOrEqual(0.75)
  expect(held / all).toBeLessThanOrEqual(0.85)
  expect(misses.ours).toBeLessThan(misses.linear)
})
