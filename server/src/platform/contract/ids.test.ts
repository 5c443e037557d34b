import fc from 'fast-check'
import { expect, it } from 'vitest'
import { uuidv5 } from '../secrets/uuid5.ts'
import { isRequestId, isUuid, requestId, uuidv7 } from './ids.ts'

it('a uuidv7 carries its time, version and variant', () => {
  const id = uuidv7(new Date('2099-01-02T03:04:05.678Z'))
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse('2099-01-02T03:04:05.678Z'))
})

it('uuidv7 ids increase within one process, even if the clock stops or jitters', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 3 }), { minLength: 100, maxLength: 6000 }), (steps) => {
      let now = Date.parse('2030-01-01T00:00:00Z')
      let previous = uuidv7(now + 86_400_000_000)
      for (const step of steps) {
        now += step
        const id = uuidv7(now + 86_400_000_000)
        expect(id > previous).toBe(true)
        previous = id
      }
    }),
    { numRuns: 20 },
  )
})

it('uuidv7 generates 20,000 distinct increasing ids within one millisecond', () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7(4_000_000_000_000))
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
})

it('uuidv7 follows a clock that was set back', () => {
  uuidv7(5_000_000_000_000)
  const id = uuidv7(4_500_000_000_000)
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(4_500_000_000_000)
})

it('uuidv5 matches the published values', () => {
  // RFC 9562, appendix A.4, and the value of Python's uuid5(NAMESPACE_URL, "https://example.com/").
  expect(uuidv5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  )
  expect(uuidv5('6ba7b811-9dad-11d1-80b4-00c04fd430c8', 'https://example.com/')).toBe(
    'dd2c1780-811a-5296-81c5-178a0ef488bc',
  )
})

it('only a UUID is a UUID', () => {
  expect(isUuid(uuidv7())).toBe(true)
  expect(isUuid('2ED6657D-E927-568B-95E1-2665A8AEA6A2')).toBe(true)
  for (const wrong of [
    '',
    'x',
    `${uuidv7()}\n`,
    `{${uuidv7()}}`,
    uuidv7().replaceAll('-', ''),
    `${uuidv7()}0`,
  ]) {
    expect(isUuid(wrong)).toBe(false)
  }
})

it('a request id is req_ and 20 base32 characters', () => {
  const ids = Array.from({ length: 1000 }, requestId)
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(isRequestId(id)).toBe(true)
  for (const wrong of [
    '',
    'req_',
    `${requestId()}a`,
    requestId().toUpperCase(),
    'req_1bcdefghijklmnopqrst',
  ]) {
    expect(isRequestId(wrong)).toBe(false)
  }
})
