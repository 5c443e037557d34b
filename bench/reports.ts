/**
 * Reports through HTTP on a profile with many conversions and six times the touches; `empty` is the same service's
 * answer to a question without data, the limit of what a report can reach.
 *
 *   node bench/reports.ts [conversions=200000] [requests=200]
 */
import { fillProfile, keepHouse, recompute } from './big-profile.ts'
import { printLatency, rangeQuery } from './latency.ts'
import { openWorld } from './world.ts'

const conversions = Number(process.argv[2] ?? 200_000)
const requests = Number(process.argv[3] ?? 200)
const world = await openWorld()
try {
  await world.once(`profile of ${conversions}`, () => fillProfile(world, conversions))
  await world.once(`credit of ${conversions}`, async () => {
    await recompute(world)
    await keepHouse(world)
  })
  console.log(`${conversions} conversions, ${conversions * 6} touches`)
  await printLatency(
    world,
    'empty range',
    requests,
    () => '/campaigns?date_from=2020-01-01&date_to=2020-01-01',
  )
  for (const level of ['campaign', 'ad_set', 'ad'])
    await printLatency(
      world,
      `GET /campaigns, ${level} over 90 days`,
      requests,
      (index) => `/campaigns?${rangeQuery(index, 90)}&level=${level}&limit=100`,
    )
} finally {
  await world.close()
}
