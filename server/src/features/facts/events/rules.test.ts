import { createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accepted } from '../../../platform/contract/refusal.ts'
import { EventInput } from './contract.ts'
import { hashOf as hashOfWords, inRequestOrder, toNewEvent } from './rules.ts'

const setting = {
  profileId: '0b4f1f1e-9df4-5b1e-8b1d-0a2c5f5b7a10',
  currency: 'EUR',
  country: null,
  pepper: createSecretKey(Buffer.alloc(32, 7)),
  now: new Date('2026-03-01T12:00:00.000Z'),
}
const read = (said: object) => toNewEvent(EventInput.parse(said), setting)
const hashOf = (said: object) => accepted(read(said)).contentHash.toString('hex')

const said = {
  event_name: 'payment_received',
  idempotency_key: 'k',
  anonymous_id: 'visitor',
  session_id: 'session',
  timestamp: '2026-03-01T10:00:00Z',
  properties: {
    value: 12.5,
    currency: 'EUR',
    order_id: '7',
    items: [{ sku: 'a', n: 1 }, { sku: 'b' }],
    10: 'x',
  },
  user_traits: { email: 'ana@example.com', phone: '+34600000000' },
  utm: { source: 'engine', medium: 'cpc' },
  click_ids: { gclid: 'a', fbclid: 'b' },
  ad: { ad_id: '1', campaign_id: '2' },
}

function shuffled(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, order))
  if (typeof value !== 'object' || value === null) return value
  const record = value as Record<string, unknown>
  return Object.fromEntries(order(Object.keys(record)).map((key) => [key, shuffled(record[key], order)]))
}

it('the same words in any order are the same content', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const order = (keys: string[]) =>
        keys
          .map((key) => [numbers.next().value ?? 0, key] as const)
          .sort(([a], [b]) => a - b)
          .map(([, key]) => key)
      expect(hashOf(shuffled(said, order) as object)).toBe(hashOf(said))
    }),
    { numRuns: 100 },
  )
})

it('another word anywhere is another content, and the key and the older spelling of the name are none', () => {
  const { event_name: name, ...rest } = said
  expect(hashOf({ ...rest, event_type: name, idempotency_key: 'another' })).toBe(hashOf(said))
  const changes = [
    { event_name: 'lead_created' },
    { anonymous_id: 'other' },
    { session_id: 'other' },
    { timestamp: '2026-03-01T10:00:01Z' },
    { properties: { ...said.properties, items: [{ sku: 'b' }, { sku: 'a', n: 1 }] } },
    { user_traits: { ...said.user_traits, first_name: 'Ana' } },
    { utm: { source: 'engine', medium: 'organic' } },
    { utm: said.click_ids, click_ids: said.utm },
    { ad: { ad_id: '1', ad_set_id: '2' } },
  ]
  const hashes = [said, ...changes.map((change) => ({ ...said, ...change }))].map(hashOf)
  expect(new Set(hashes).size).toBe(hashes.length)
})

it('a time is content like its text', () => {
  const at = new Date('2026-03-01T10:00:00.000Z')
  expect(hashOfWords({ at: [at] })).toEqual(hashOfWords({ at: [at.toISOString()] }))
  expect(hashOfWords({ at })).not.toEqual(hashOfWords({ at: {} }))
})

it('money that is negative, or comes without a key, is refused', () => {
  const sent = (change: object) => read({ ...said, ...change })
  expect(sent({ properties: { value: 0, currency: 'EUR' } })).toMatchObject({ name: said.event_name })
  expect(sent({ properties: { value: -0.01, currency: 'EUR' } })).toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('must not be negative'),
  })
  expect(sent({ idempotency_key: undefined })).toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('idempotency_key: required'),
  })
})

it('events of one request keep its order at each instant, and none is received in the future', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const instants = fc.array(fc.constantFrom(null, 0, 1, 2), { maxLength: 30 })
  fc.assert(
    fc.property(instants, (given) => {
      const ordered = inRequestOrder(
        given.map((at) => ({ occurredAt: at === null ? null : new Date(at), receivedAt: now })),
      )
      for (const own of Map.groupBy(ordered, (event) => event.occurredAt?.getTime() ?? null).values()) {
        const times = own.map((event) => event.receivedAt.getTime())
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(new Set(times).size).toBe(times.length)
        expect(times.at(-1)).toBe(now.getTime())
      }
    }),
  )
})
