import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shuffled } from '../../../../../test/planted/ads.ts'
import { seededRandom } from '../../../../platform/seeded-random.ts'
import { AdDays, windowColumns } from './ad-days.ts'
import { type ScoreWindow, scoreWindows, windowDays } from './counts.ts'
import { clickWeights, lagDistribution, MAX_CLICK_AGE } from './lags.ts'

const ADS = 3
const DAYS = 120
const FREQUENCY_DAYS = 60
const age = fc.integer({ min: 0, max: DAYS - 1 })
const ad = fc.integer({ min: 0, max: ADS - 1 })
const count = fc.integer({ min: 0, max: 5000 })
const maybe = fc.option(count)
const onDay = <T extends object>(row: fc.Arbitrary<T>) => fc.record({ ad, age, row })
const byDay = <T extends { ad: number; age: number }>(rows: fc.Arbitrary<T>) =>
  fc.uniqueArray(rows, { maxLength: 60, selector: (entry) => entry.ad * DAYS + entry.age })
const deliveries = fc.array(
  onDay(
    fc.record({
      spend: count,
      impressions: count,
      clicks: count,
      messaging: count,
      conversionsMilli: count,
      value: count,
    }),
  ),
  { maxLength: 80 },
)
const attentions = byDay(
  onDay(
    fc.record({
      linkClicks: maybe,
      videoViews: maybe,
      thruplays: maybe,
      ranking: fc.option(fc.integer({ min: -1, max: 1 })),
    }),
  ),
)
const credits = fc.array(
  onDay(
    fc.record({
      count,
      minor: count,
      isCash: fc.boolean(),
      isPipeline: fc.boolean(),
      isMessaging: fc.boolean(),
    }),
  ),
  { maxLength: 40 },
)
const frequencies = byDay(onDay(fc.record({ frequency: fc.constantFrom(1200, 2500) })))
const weights = {
  cash: scoreWindows.map((window) => clickWeights(lagDistribution([4, 0, 9]), window)),
  pipeline: scoreWindows.map((window) => clickWeights(lagDistribution([]), window)),
}

type World = {
  delivered: { ad: number; age: number; row: Parameters<AdDays['deliver']>[2] }[]
  attended: { ad: number; age: number; row: Parameters<AdDays['attend']>[2] }[]
  credited: { ad: number; age: number; row: Parameters<AdDays['credit']>[2] }[]
  seen: { ad: number; age: number; row: { frequency: number } }[]
}

function fill({ delivered, attended, credited, seen }: World, seed: string): AdDays {
  const days = new AdDays(ADS, DAYS, FREQUENCY_DAYS)
  const mixed = <T>(rows: T[]) => shuffled(rows, seededRandom(seed))
  for (const entry of mixed(delivered)) days.deliver(entry.ad, entry.age, entry.row)
  for (const entry of mixed(attended)) days.attend(entry.ad, entry.age, entry.row)
  for (const entry of mixed(credited)) days.credit(entry.ad, entry.age, entry.row)
  for (const entry of mixed(seen)) days.see(entry.ad, entry.age, entry.row.frequency)
  return days
}

const sum = <T>(list: readonly T[], pick: (entry: T) => number) =>
  list.reduce((total, entry) => total + pick(entry), 0)

/** One day of an ad, computed independently of AdDays. */
function dayOf({ delivered, attended }: World, number: number, age: number) {
  const rows = delivered.filter((entry) => entry.ad === number && entry.age === age).map(({ row }) => row)
  if (rows.length === 0) return null
  const views = attended.find((entry) => entry.ad === number && entry.age === age)?.row
  return { rows, views, links: views?.linkClicks ?? sum(rows, (row) => row.clicks) }
}

function countsOf(world: World, number: number, window: ScoreWindow) {
  const length = windowDays[window] ?? DAYS
  const all = Array.from({ length: DAYS }, (_, age) => ({ on: age, day: dayOf(world, number, age) }))
  const days = all.slice(0, length).flatMap(({ day }) => day ?? [])
  const rows = days.flatMap((day) => day.rows)
  const watched = days.filter(({ views }) => typeof views?.videoViews === 'number')
  const ranked = days.flatMap(({ views }) => views?.ranking ?? [])
  const outcomes = world.credited
    .filter((entry) => entry.ad === number && entry.age < length)
    .map(({ row }) => row)
  const exposure = (kind: 'cash' | 'pipeline') =>
    sum(all, ({ on, day }) => {
      const weight = weights[kind][scoreWindows.indexOf(window)]![Math.min(on, MAX_CLICK_AGE + 1)]!
      return day === null ? 0 : day.links * weight
    })
  return {
    spend_minor: sum(rows, (row) => row.spend),
    impressions: sum(rows, (row) => row.impressions),
    clicks: sum(rows, (row) => row.clicks),
    link_clicks: sum(days, (day) => day.links),
    video_impressions: sum(watched, (day) => sum(day.rows, (row) => row.impressions)),
    video_views: sum(watched, (day) => day.views!.videoViews!),
    thruplays: sum(watched, (day) => day.views!.thruplays ?? 0),
    messaging_started: sum(rows, (row) => row.messaging),
    platform_conversions_milli: sum(rows, (row) => row.conversionsMilli),
    platform_value_minor: sum(rows, (row) => row.value),
    ranked_days: ranked.length,
    ranking_points: sum(ranked, (ranking) => ranking + 1),
    active_days: days.filter((day) => sum(day.rows, (row) => row.impressions) > 0).length,
    outcomes: sum(outcomes, (row) => row.count),
    cash_outcomes: sum(outcomes, (row) => (row.isCash ? row.count : 0)),
    pipeline_outcomes: sum(outcomes, (row) => (row.isPipeline ? row.count : 0)),
    messaging_outcomes: sum(outcomes, (row) => (row.isMessaging ? row.count : 0)),
    revenue_minor: sum(outcomes, (row) => (row.isCash ? row.minor : 0)),
    pipeline_minor: sum(outcomes, (row) => (row.isPipeline ? row.minor : 0)),
    cash_exposure_micro: exposure('cash'),
    pipeline_exposure_micro: exposure('pipeline'),
  }
}

it('windows equal the sums of their days, whatever the order of the rows', () => {
  fc.assert(
    fc.property(
      fc.record({ delivered: deliveries, attended: attentions, credited: credits, seen: frequencies }),
      (world) => {
        const days = fill(world, 'one order')
        const reordered = fill(world, 'another order')
        for (let number = 0; number < ADS; number++) {
          const read = (from: AdDays) => {
            const countsByWindow: Record<string, Record<string, number>> = {}
            from.windowsOf(number, weights, (window, counts) => {
              countsByWindow[window] = Object.fromEntries(
                windowColumns.map((name, index) => [name, counts[index]!]),
              )
            })
            return countsByWindow
          }
          const expected = scoreWindows.flatMap((window) => {
            const counts = countsOf(world, number, window)
            return counts.active_days > 0 ? [[window, counts] as const] : []
          })
          expect(read(days)).toEqual(Object.fromEntries(expected))
          expect(read(reordered)).toEqual(read(days))
        }
      },
    ),
    { numRuns: 60 },
  )
})

it('a series has the last days with delivery, oldest first; shownAges has the first and last day shown', () => {
  const none = { spend: 1, messaging: 0, conversionsMilli: 0, value: 0 }
  const days = new AdDays(2, DAYS, FREQUENCY_DAYS)
  days.deliver(0, 100, { ...none, impressions: 7, clicks: 1 })
  days.deliver(0, 9, { ...none, impressions: 10, clicks: 2 })
  days.deliver(0, 9, { ...none, impressions: 5, clicks: 1 })
  days.deliver(0, 2, { ...none, impressions: 0, clicks: 0 })
  days.attend(0, 9, { linkClicks: 1, videoViews: null, thruplays: null, ranking: null })
  days.see(0, 9, 1500)
  days.see(0, 90, 3000)
  expect(days.columnsOf(0, 1000)).toEqual({
    day: [991, 998],
    impressions: [15, 0],
    linkClicks: [1, 0],
    frequency: [1.5, Number.NaN],
  })
  expect([days.shownAges(0), days.shownAges(1)]).toEqual([{ oldest: 100, newest: 9 }, null])
})
