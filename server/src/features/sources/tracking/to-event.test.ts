import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { toIdentifiers } from '../../facts/identity/identifiers.ts'
import { correctedTime, toTrackedEvent } from './to-event.ts'
import { WireEvent } from './wire.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString()

it('keeps the order of events despite different request latencies', () => {
  const slow = correctedTime({ occurred_at: at(-3000), sent_at: at(-2900) }, NOW)
  const fast = correctedTime({ occurred_at: at(-2990), sent_at: at(-10) }, NOW)
  expect(slow < fast).toBe(true)
  expect(slow.toISOString()).toBe(at(-3000))
})

it('uses the reported age if the clock is wrong, also for late deliveries', () => {
  const hour = 3_600_000
  expect(correctedTime({ occurred_at: at(hour - 700), sent_at: at(hour) }, NOW).toISOString()).toBe(at(-700))
  expect(correctedTime({ occurred_at: at(-9 * hour), sent_at: at(-8 * hour) }, NOW).toISOString()).toBe(
    at(-hour),
  )
})

it('never places an event after its own delivery', () => {
  expect(correctedTime({ occurred_at: at(90_000), sent_at: at(0) }, NOW)).toEqual(NOW)
  const apart = { occurred_at: '0001-01-01T00:00:00Z', sent_at: '9999-12-31T00:00:00Z' }
  expect(correctedTime(apart, NOW)).toEqual(new Date(0))
})

const visit = {
  profileId: '0b4f1f1e-9df4-5b1e-8b1d-0a2c5f5b7a10',
  currency: 'USD',
  country: null,
  pepper: createSecretKey(Buffer.alloc(32, 7)),
  now: NOW,
  isBot: false,
  device: {},
  userAgent: 'Mozilla/5.0 (X11) Firefox/140.0',
  ownDomains: [],
  exportedNames: new Set(['purchase']),
}
const read = (type: WireEvent['type'], properties: Record<string, unknown>) => {
  const wire = WireEvent.parse(
    makeWirePage({ event_id: visit.profileId, anonymous_id: 'v', type, event_name: type, properties }),
  )
  const reading = toTrackedEvent(wire, visit)
  return reading.ok
    ? { money: reading.event.body.money, order: reading.event.body.order_id }
    : reading.message
}

it('money in text counts like money in a number, for every kind of event', () => {
  for (const type of ['track', 'purchase', 'form_lead'] as const) {
    expect(read(type, { value: '5.01' })).toMatchObject({ money: { minor: 501, currency: 'USD' } })
    expect(read(type, { value: 5.01, currency: 'eur' })).toMatchObject({
      money: { minor: 501, currency: 'EUR' },
    })
  }
})

it('decimals that the currency does not have are rounded; other invalid money is refused, never dropped', () => {
  expect(read('track', { value: '5,01' })).toMatch('properties.value')
  expect(read('track', { value: 10.005 })).toMatchObject({ money: { minor: 1000, reported: '10.005' } })
  expect(read('purchase', { value: '11.5', currency: 'JPY' })).toMatchObject({ money: { minor: 12 } })
  expect(read('purchase', { value: 9999999999999.97 })).toMatch('properties.value')
  expect(read('track', { value: null })).toEqual({ money: undefined, order: undefined })
})

it('an order id may be a number', () => {
  expect(read('purchase', { value: 1, order_id: 1042 })).toMatchObject({ order: '1042' })
})

it('stores browser data only of exported events, and not of bots', () => {
  const agentOf = (name: string, overrides: Partial<typeof visit> = {}) => {
    const wire = WireEvent.parse(
      makeWirePage({ event_id: visit.profileId, anonymous_id: 'v', event_name: name }),
    )
    const reading = toTrackedEvent(wire, { ...visit, ...overrides })
    if (!reading.ok) throw new Error(reading.message)
    expect(JSON.stringify(reading.event.body)).not.toContain('Firefox')
    return reading.event.userAgent
  }
  expect(agentOf('purchase')).toBe(visit.userAgent)
  expect(agentOf('page_view')).toBeUndefined()
  expect(agentOf('purchase', { isBot: true })).toBeUndefined()
  expect(agentOf('purchase', { userAgent: '' })).toBeUndefined()
  expect(agentOf('purchase', { userAgent: 'x'.repeat(5000) })).toHaveLength(1000)
})

it('ids of events and visitors keep the tracker’s time order, for every kind of event', () => {
  const makeId = (digit: number) => `019a9b8c-7d6e-8ada-af00-00000000000${digit}`
  const read = (wire: { event_id: string; anonymous_id: string }) => {
    const reading = toTrackedEvent(WireEvent.parse(makeWirePage(wire)), visit)
    if (!reading.ok) throw new Error(reading.message)
    return reading.event
  }
  const first = read({ event_id: makeId(1), anonymous_id: makeId(2) })
  const other = read({ event_id: makeId(3), anonymous_id: makeId(4) })
  const ids = [first, other].flatMap((event) => [event.id, event.body.identifiers[0]!.id])
  expect(ids.map((id) => id.slice(0, 15))).toEqual(ids.map(() => '019a9b8c-7d6e-8'))
  expect(new Set(ids).size).toBe(4)
  expect(read({ event_id: makeId(1), anonymous_id: makeId(2) }).id).toBe(first.id)
  expect(toIdentifiers({ anonymousId: makeId(2) }, visit)).toEqual(first.body.identifiers)
  // An email address that looks like such an id is still hashed.
  expect(toIdentifiers({ externalId: makeId(2) }, visit)[0]!.id).not.toContain('019a9b8c')
})
