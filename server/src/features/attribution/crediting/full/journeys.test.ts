import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Journey, Journeys } from './journeys.ts'

it('returns the touches of each person by time, simultaneous ones in order of arrival, and reports ties', () => {
  const touch = fc.record({ person: fc.nat(3), at: fc.integer({ min: -50, max: 200 }), source: fc.nat(1000) })
  fc.assert(
    fc.property(fc.array(touch, { maxLength: 600 }), (touches) => {
      const journeys = new Journeys(5)
      for (const { person, at, source } of touches) journeys.add(person, at, source)
      const journey = new Journey()
      for (let person = 0; person < 5; person++) {
        const expected = touches.filter((entry) => entry.person === person).sort((a, b) => a.at - b.at)
        const isTied = journeys.read(person, journey)
        expect([...journey.at.subarray(0, journey.count)]).toEqual(expected.map((entry) => entry.at))
        expect([...journey.source.subarray(0, journey.count)]).toEqual(expected.map((entry) => entry.source))
        expect(isTied).toBe(new Set(expected.map((entry) => entry.at)).size < expected.length)
      }
    }),
    { numRuns: 60 },
  )
})
