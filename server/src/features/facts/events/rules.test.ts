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
const read = (input: object) => toNewEvent(EventInput.parse(input), setting)
const hashOf = (input: object) => accepted(read(input)).contentHash.toString('hex')

const input = {
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

it('the content hash does not depend on the order of members', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const order = (keys: string[]) =>
        keys
          .map((key) => [numbers.next().value ?? 0, key] as const)
          .sort(([a], [b]) => a - b)
          .map(([, key]) => key)
      expect(hashOf(shuffled(input, order) as object)).toBe(hashOf(input))
    }),
    { numRuns: 100 },
  )
})

it('any change of content changes the hash; the key and the alias event_type do not', () => {
  const { event_name: name, ...fields } = input
  expect(hashOf({ ...fields, event_type: name, idempotency_key: 'another' })).toBe(hashOf(input))
  const changes = [
    { event_name: 'lead_created' },
    { anonymous_id: 'other' },
    { session_id: 'other' },
    { timestamp: '2026-03-01T10:00:01Z' },
    { properties: { ...input.properties, items: [{ sku: 'b' }, { sku: 'a', n: 1 }] } },
    { user_traits: { ...input.user_traits, first_name: 'Ana' } },
    { utm: { source: 'engine', medium: 'organic' } },
    { utm: input.click_ids, click_ids: input.utm },
    { ad: { ad_id: '1', ad_set_id: '2' } },
  ]
  const hashes = [input, ...changes.map((change) => ({ ...input, ...change }))].map(hashOf)
  expect(new Set(hashes).size).toBe(hashes.length)
})

it('a date hashes like its ISO string', () => {
  const at = new Date('2026-03-01T10:00:00.000Z')
  expect(hashOfWords({ at: [at] })).toEqual(hashOfWords({ at: [at.toISOString()] }))
  expect(hashOfWords({ at })).not.toEqual(hashOfWords({ at: {} }))
})

it('money that is negative, or comes without a key, is refused', () => {
  const sent = (change: object) => read({ ...input, ...change })
  expect(sent({ properties: { value: 0, currency: 'EUR' } })).toMatchObject({ name: input.event_name })
  expect(sent({ properties: { value: -0.01, currency: 'EUR' } })).toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('must not be negative'),
  })
  expect(sent({ idempotency_key: undefined })).toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('idempotency_key: required'),
  })
})

it('simultaneous events of a request keep its order, and none has a receipt in the future', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const instants = fc.array(fc.constantFrom(null, 0, 1, 2), { maxLength: 30 })
  fc.assert(
    fc.property(instants, (occurredTimes) => {
      const ordered = inRequestOrder(
        occurredTimes.map((at) => ({ occurredAt: at === null ? null : new Date(at), receivedAt: now })),
      )
      for (const group of Map.groupBy(ordered, (event) => event.occurredAt?.getTime() ?? null).values()) {
        const times = group.map((event) => event.receivedAt.getTime())
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(new Set(times).size).toBe(times.length)
        expect(times.at(-1)).toBe(now.getTime())
      }
    }),
  )
})
