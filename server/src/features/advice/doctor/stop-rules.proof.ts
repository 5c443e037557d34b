/** Stops planted into 42 days of an event, and false alarms of daily checks, in worlds that no threshold was chosen on. */
import { expect, it } from 'vitest'
import { plantDays, provingKinds } from '../../../../test/planted/stops.ts'
import { findDrop } from './stop-rules.ts'

const WORLDS = 40
const WINDOW = 42
const RATES = [5, 9, 15, 20]
const CHECKED_DAYS = 60

/** Least share of stops found after a week and after two; most alarms per hundred worlds in 60 daily checks. */
const bounds: Record<keyof typeof provingKinds, [week: number, twoWeeks: number, alarms: number]> = {
  'closed weekends': [0.97, 1, 2.5],
  'almost closed weekends, noisy': [0.97, 1, 2.5],
  'busy weekends': [0.97, 1, 2.5],
  'decline of 1 % a day': [0.95, 1, 2.5],
  // Days of a sale vary so much that fewer events prove less.
  'a week of sale': [0.1, 0.85, 2.5],
  holidays: [0.97, 1, 15],
  bursts: [0.35, 0.8, 2.5],
  'orders in groups of three': [0.8, 0.97, 15],
  // The level itself falls to two fifths in some of them, which no one could tell from a fault.
  'slow waves': [0.8, 0.97, 45],
}

it.each(Object.entries(provingKinds))('%s', (name, kind) => {
  const [week, twoWeeks, alarmBound] = bounds[name]!
  for (const rate of RATES) {
    const found = { 2: 0, 3: 0, 7: 0, 14: 0, 28: 0 }
    let alarms = 0
    for (let seed = 0; seed < WORLDS; seed++) {
      const days = plantDays({ rate, ...kind, days: WINDOW + CHECKED_DAYS }, 5000 + seed)
      for (const length of [2, 3, 7, 14, 28] as const) {
        const counts = [...days.slice(length, WINDOW), ...Array<number>(length).fill(0)]
        if (findDrop(counts) !== undefined) found[length]++
      }
      let wasOpen = false
      for (let end = WINDOW; end < days.length; end++) {
        const isOpen = findDrop(days.slice(end - WINDOW, end)) !== undefined
        if (isOpen && !wasOpen) alarms++
        wasOpen = isOpen
      }
    }
    console.log('stops', name, rate, JSON.stringify(found), 'alarms', alarms)
    expect(found[7] / WORLDS).toBeGreaterThanOrEqual(week)
    expect(found[14] / WORLDS).toBeGreaterThanOrEqual(twoWeeks)
    expect((alarms / WORLDS) * 100).toBeLessThanOrEqual(alarmBound)
  }
})
