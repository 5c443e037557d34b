/** A year of a peer group's clicks without fatigue, but with the other effects of real ads. */
import type { AdColumns } from '../../src/features/advice/top-performers/score/ad-days.ts'
import { type Fatigue, findFatigue } from '../../src/features/advice/top-performers/score/fatigue.ts'
import { type Random, seededRandom } from '../../src/platform/seeded-random.ts'
import { drawNormal, drawPoisson, drawSeries } from './chance.ts'

/** Deviations are of the logarithm of the click rate. */
export type ClickWorld = {
  ads?: number
  clicks?: number
  /** Noise of single days, per ad. */
  noise?: number
  /** Day noise from Student's t with three degrees of freedom. */
  heavyTails?: boolean
  /** Autocorrelated component of an ad: deviation and autocorrelation. */
  moods?: { deviation: number; memory: number }
  /** Daily drift of the peer group's click rate. */
  drift?: number
  /** Growth of an ad's impressions per day, in periods of 100 days. */
  growth?: number
  /** How strongly the platform increases impressions while an ad's autocorrelated component is high. */
  steering?: number
  /** Half of the ads are off on Saturdays and Sundays. */
  weekendsOff?: boolean
  /** Deviation of an ad's weekdays from the peer group's. */
  weekdays?: number
}

const YEAR = 365
/** The history that a scoring reads. */
const HISTORY = 60

export function clickYear(seed: string | number, world: ClickWorld): AdColumns[] {
  const random = seededRandom('click year', seed)
  const weather = drawSeries(random, YEAR + HISTORY, 0.1, 0)
  return Array.from({ length: world.ads ?? 12 }, (_, ad) => adYear(random, world, weather, ad))
}

function adYear(random: Random, world: ClickWorld, weather: readonly number[], ad: number): AdColumns {
  const usual = (world.clicks ?? 120) * Math.exp(0.4 * drawNormal(random))
  const moods = drawSeries(random, weather.length, world.moods?.deviation ?? 0, world.moods?.memory ?? 0)
  const weekdays = Array.from({ length: 7 }, () => (world.weekdays ?? 0) * drawNormal(random))
  const columns: AdColumns = { day: [], impressions: [], linkClicks: [], frequency: [] }
  weather.forEach((peerGroup, day) => {
    if (world.weekendsOff && ad % 2 === 0 && day % 7 >= 5) return
    const deviation = moods[day]! + weekdays[day % 7]! + drawNoise(random, world)
    const volume = usual * Math.exp((world.growth ?? 0) * (day % 100) + (world.steering ?? 0) * moods[day]!)
    columns.day.push(day)
    columns.impressions.push(Math.round(60 * volume))
    columns.linkClicks.push(
      drawPoisson(random, volume * Math.exp(peerGroup + deviation + (world.drift ?? 0) * day)),
    )
    columns.frequency.push(1.3)
  })
  return columns
}

function drawNoise(random: Random, { noise = 0.08, heavyTails = false }: ClickWorld): number {
  const value = noise * drawNormal(random)
  if (!heavyTails) return value
  const squares = [0, 0, 0].reduce((sum) => sum + drawNormal(random) ** 2, 0)
  return value / Math.sqrt(squares / 3)
}

/** Alarms per ad and year; `step`: days between evaluations. */
export function alarmsPerAdYear(
  seed: string,
  world: ClickWorld,
  { years, step = 1 }: { years: number; step?: number },
): number {
  let [alarms, ads] = [0, 0]
  for (let year = 0; year < years; year++) {
    const peerGroup = clickYear(`${seed} ${year}`, world)
    ads += peerGroup.length
    let before = peerGroup.map(() => false)
    for (let day = HISTORY; day < HISTORY + YEAR; day += step) {
      const today = fatigueOn(peerGroup, day).map(isAlarm)
      alarms += today.filter((alarm, ad) => alarm && !before[ad]).length
      before = today
    }
  }
  return alarms / ads
}

const isAlarm = (fatigue: Fatigue) => fatigue.status === 'served' && fatigue.tier !== 'low'

function fatigueOn(peerGroup: readonly AdColumns[], today: number): Fatigue[] {
  const fatigueByAd = findFatigue(
    peerGroup.map((columns, ad) => ({
      adId: `ad-${ad}`,
      peerGroupKey: 'one',
      changes: [],
      columns: () => lastDays(columns, today),
    })),
    today,
  )
  return [...fatigueByAd.values()]
}

function lastDays(columns: AdColumns, today: number): AdColumns {
  const from = columns.day.findIndex((day) => day > today - HISTORY)
  const to = columns.day.findLastIndex((day) => day <= today) + 1
  return {
    day: columns.day.slice(from, to),
    impressions: columns.impressions.slice(from, to),
    linkClicks: columns.linkClicks.slice(from, to),
    frequency: columns.frequency.slice(from, to),
  }
}
