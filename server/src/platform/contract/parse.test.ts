import { expect, it } from 'vitest'
import { z } from 'zod'
import { Currency, TimeZone } from './fields.ts'
import { parseAs } from './parse.ts'

const Body = z.strictObject({
  name: z.string().min(1).max(5).optional(),
  long: z.string().min(3).optional(),
  count: z.int().min(2).max(9).optional(),
  above: z.number().gt(0).lt(10).optional(),
  flag: z.boolean().optional(),
  level: z.enum(['campaign', 'ad']).optional(),
  version: z.literal(2).optional(),
  id: z.uuid().optional(),
  day: z.iso.date().optional(),
  at: z.iso.datetime().optional(),
  email: z.email().optional(),
  link: z.url().optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  list: z
    .array(z.object({ id: z.int() }))
    .min(1)
    .max(2)
    .optional(),
  traits: z.record(z.string(), z.string()).optional(),
  zone: TimeZone.optional(),
  currency: Currency.optional(),
  either: z.union([z.string(), z.number()]).optional(),
  shape: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), size: z.int() }),
      z.object({ kind: z.literal('b') }),
    ])
    .optional(),
  needed: z.string(),
  amount: z.union([z.string(), z.number()]),
})

it.each([
  [{ needed: undefined }, 'needed: is required.'],
  [{ amount: undefined }, 'amount: is required.'],
  [{ needed: 1 }, 'needed: must be text.'],
  [{ needed: null }, 'needed: must be text.'],
  [{ name: '' }, 'name: must not be empty.'],
  [{ name: 'abcdef' }, 'name: must have 5 characters or fewer.'],
  [{ long: 'a' }, 'long: must have 3 characters or more.'],
  [{ count: 1 }, 'count: must be 2 or more.'],
  [{ count: 10 }, 'count: must be 9 or less.'],
  [{ count: 2.5 }, 'count: must be a whole number.'],
  [{ count: '2' }, 'count: must be a number.'],
  [{ above: 0 }, 'above: must be more than 0.'],
  [{ above: 10 }, 'above: must be less than 10.'],
  [{ flag: 'yes' }, 'flag: must be true or false.'],
  [{ level: 'group' }, 'level: must be one of campaign, ad.'],
  [{ version: 1 }, 'version: must be 2.'],
  [{ id: 'x' }, 'id: must be a UUID.'],
  [{ day: '2026-02-30' }, 'day: must be a day such as 2026-01-31.'],
  [{ at: 'now' }, 'at: must be a time in ISO 8601 such as 2026-01-31T09:30:00Z.'],
  [{ email: 'a@' }, 'email: must be an email address.'],
  [{ link: 'x' }, 'link: must be a URL.'],
  [{ code: '1' }, 'code: must match /^[a-z]+$/.'],
  [{ list: {} }, 'list: must be a list.'],
  [{ list: [] }, 'list: must not be empty.'],
  [{ list: [{ id: 1 }, { id: 2 }, { id: 3 }] }, 'list: must have 2 items or fewer.'],
  [{ list: [{ id: 1 }, {}] }, 'list.1.id: is required.'],
  [{ list: [null] }, 'list.0: must be an object.'],
  [{ traits: { a: 1 } }, 'traits.a: must be text.'],
  [{ zone: 'Mars' }, 'zone: must be an IANA time zone.'],
  [{ currency: 'XXQ' }, 'currency: must be an ISO 4217 currency code.'],
  [{ either: true }, 'either: must be text, or a number.'],
  [{ shape: { kind: 'a', size: 'x' } }, 'shape.size: must be a number.'],
  [{ shape: { kind: 'c' } }, 'shape.kind: must be one of a, b.'],
  [{ extra: 1 }, 'extra: unknown field.'],
])('%j: %s', (part, message) => {
  expect(parseAs(Body, { needed: 'here', amount: 1, ...part })).toMatchObject({ ok: false, message })
})

it('describes the value itself if no field is invalid', () => {
  expect(parseAs(Body, null)).toMatchObject({ path: '', message: 'The body: must be an object.' })
  expect(parseAs(Body, 1, 'The event')).toMatchObject({ message: 'The event: must be an object.' })
})
