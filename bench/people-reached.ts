/**
 * Latency of the people-reached report over 366 days, through HTTP, on a profile with many touches with an ad.
 *
 *   node bench/people-reached.ts [touches=1000000] [requests=100]
 */

import { computePeopleReached, fillProfile, vacuumAndAnalyze } from './big-profile.ts'
import { printLatency, rangeQuery } from './latency.ts'
import { openWorld } from './world.ts'

const touches = Number(process.argv[2] ?? 1_000_000)
const requests = Number(process.argv[3] ?? 100)
const world = await openWorld()
try {
  // A quarter of a customer's six touches has no ad.
  const customers = Math.round(touches / 4.5)
  await world.once(`profile of ${customers}`, () => fillProfile(world, customers))
  await world.once(`people reached of ${customers}`, async () => {
    console.log(`people reached computed in ${(await computePeopleReached(world)).toFixed(1)} s`)
    await vacuumAndAnalyze(world)
  })
  console.log(`${customers} customers, about ${touches} touches with an ad`)
  await printLatency(
    world,
    'empty range',
    requests,
    () => '/attribution/ad-people?date_from=2020-01-01&date_to=2020-01-01',
  )
  for (const group of ['month', 'day', 'ad'])
    await printLatency(
      world,
      `GET /attribution/ad-people, 366 days by ${group}`,
      requests,
      (index) => `/attribution/ad-people?${rangeQuery(index, 366)}&group_by=${group}`,
    )
} finally {
  await world.close()
}
