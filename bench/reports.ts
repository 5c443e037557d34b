/**
 * Latency and CPU of reports through HTTP on a profile with many conversions and six times as many touches. The limit
 * is the report of a range without data (`empty range`).
 *
 *   node bench/reports.ts [conversions=200000] [requests=200]
 */
import { entityId } from '@whence/server/features/facts/ads/entities.ts'
import { fillProfile, recompute, vacuumAndAnalyze } from './big-profile.ts'
import { getFirstDay, printLatency, rangeQuery } from './latency.ts'
import { AD_DAYS, ADS, ADS_PER_CAMPAIGN, DAYS } from './people.ts'
import { openWorld } from './world.ts'

const conversions = Number(process.argv[2] ?? 200_000)
const requests = Number(process.argv[3] ?? 200)
const world = await openWorld()
try {
  await world.once(`profile of ${conversions}`, () => fillProfile(world, conversions))
  await world.once(`credit of ${conversions}`, async () => {
    await recompute(world)
    await vacuumAndAnalyze(world)
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
  for (const model of ['last_touch', 'linear'])
    await printLatency(
      world,
      `GET /campaigns/platform-comparison, ad over 90 days under ${model}`,
      requests,
      (index) => `/campaigns/platform-comparison?${rangeQuery(index, 90)}&level=ad&model=${model}`,
    )
  for (const [level, prefix, adsPerEntity] of [
    ['campaign', 'c', ADS_PER_CAMPAIGN],
    ['ad', 'a', 1],
  ] as const)
    for (const days of [7, 90])
      await printLatency(
        world,
        `GET /campaigns/{id}/conversions, one ${level} over ${days} days under linear`,
        requests,
        (index) => {
          const name = `${prefix}${Math.floor(findAdInMidLife(index) / adsPerEntity)}`
          const id = entityId(world.profileId, level, name)
          return `/campaigns/${id}/conversions?${rangeQuery(index, days)}&model=linear&limit=100`
        },
      )
} finally {
  await world.close()
}

/** Number of an ad that has run for half of its days when the range of this index begins. */
function findAdInMidLife(index: number): number {
  const day = getFirstDay(index) - AD_DAYS / 2
  return Math.floor((Math.max(0, day) * ADS) / (DAYS - AD_DAYS))
}
