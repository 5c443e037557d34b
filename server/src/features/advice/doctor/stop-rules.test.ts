import { describe, expect, it } from 'vitest'
import { plantDays } from '../../../../test/planted/stops.ts'
import { assessDrops } from './event-rules.ts'
import { findDrop, wouldNoticeStop } from './stop-rules.ts'

const WINDOW = 42
const stopped = (counts: number[], days: number) => [...counts.slice(days), ...Array<number>(days).fill(0)]

describe('a stop is found within a week', () => {
  it.each([5, 9, 15, 20])('of %d sales a day', (rate) => {
    for (const weekend of [1, 0.3, 0])
      for (let seed = 0; seed < 5; seed++) {
        const counts = plantDays({ rate, weekend, days: WINDOW }, seed)
        const drop = findDrop(stopped(counts, 7))
        expect(drop?.days, `weekend ${weekend}, seed ${seed}`).toBeGreaterThanOrEqual(7)
        expect(findDrop(counts), `weekend ${weekend}, seed ${seed}`).toBeUndefined()
      }
  })
})

it('stays found until the window ends, and is over when events come back', () => {
  const counts = plantDays({ rate: 9, days: WINDOW }, 1)
  for (const days of [7, 14, 21, 28]) expect(findDrop(stopped(counts, days))?.days).toBe(days)
  expect(findDrop([...stopped(counts, 7), 9])).toBeUndefined()
})

it('closed weekends and a gap as long as an earlier one are not a stop', () => {
  const week = [20, 20, 20, 20, 20, 0, 0]
  expect(findDrop([...week, ...week, ...week, ...week])).toBeUndefined()
  const batches = Array.from({ length: WINDOW }, (_, day) => (day % 5 === 0 ? 45 : 0))
  expect(findDrop(batches)).toBeUndefined()
})

it('few events are not a stop, and not a pass either', () => {
  const rare = Array.from({ length: WINDOW }, (_, day) => (day % 4 === 0 ? 1 : 0))
  expect(findDrop(stopped(rare, 7))).toBeUndefined()
  expect(wouldNoticeStop(rare)).toBe(false)
  expect(wouldNoticeStop(Array<number>(WINDOW).fill(9))).toBe(true)
  expect(wouldNoticeStop(Array<number>(10).fill(9))).toBe(false)
  const days = rare.map((_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10))
  const countsOf = (name: string, counts: number[]) =>
    counts.map((events, index) => ({ name, events, day: days[index]! }))
  const onlyRare = assessDrops('event_name', countsOf('demo_booked', rare), days)
  expect(onlyRare.status).toBe('not_applicable')
  const steady = countsOf('payment_received', Array<number>(WINDOW).fill(9))
  const both = assessDrops('event_name', [...countsOf('demo_booked', rare), ...steady], days)
  expect(both).toMatchObject({ status: 'ok', count: 0, examples: [{ id: 'demo_booked', count: 11 }] })
})
