import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Endpoint, endpoint } from '../src/platform/contract/endpoint.ts'
import { Pagination } from '../src/platform/contract/page.ts'
import { contractViolation, createCheckedClient } from './answers.ts'

const entry = endpoint({
  name: 'listThings',
  method: 'GET',
  path: '/things',
  summary: 'Things',
  tag: 'things',
  access: { kind: 'profile', scopes: [] },
  query: z.object({ date_from: z.string(), date_to: z.string() }),
  reply: z.array(z.object({ id: z.int(), more: z.object({ name: z.string() }).nullable() })),
  extra: { pagination: Pagination },
  meta: { model: z.string() },
})

const good = {
  data: [{ id: 1, more: { name: 'a' } }],
  pagination: { has_next: false, cursor: null },
  meta: { profile_id: 'p', date_from: '2026-01-01', date_to: '2026-01-02', model: 'linear' },
}
const { model: _, ...withoutModel } = good.meta
const { date_to: __, ...withoutDay } = good.meta
const { profile_id: ___, ...withoutProfile } = good.meta
const { meta: ____, ...withoutMeta } = good

it.each([
  ['what is promised', 200, good, null],
  ['another status', 201, good, 'status 201 is not declared'],
  ['another type', 200, { ...good, data: [{ id: 'one', more: null }] }, 'data breaks its schema'],
  ['a member left out', 200, { ...good, data: [{ id: 1 }] }, 'data breaks its schema'],
  ['an undeclared member', 200, { ...good, data: [{ id: 1, more: null, extra: 1 }] }, 'data.extra'],
  ['one deep inside', 200, { ...good, data: [{ id: 1, more: { name: 'a', b: 1 } }] }, 'data.more.b'],
  ['one next to data', 200, { ...good, total: 3 }, 'total next to data is not declared'],
  ['no page', 200, { ...good, pagination: undefined }, 'pagination breaks its schema'],
  ['no meta', 200, withoutMeta, 'there is no meta'],
  ['meta without its own member', 200, { ...good, meta: withoutModel }, 'meta.model breaks its schema'],
  ['meta without a day of the range', 200, { ...good, meta: withoutDay }, 'meta lacks date_to'],
  ['meta without the profile', 200, { ...good, meta: withoutProfile }, 'meta lacks profile_id'],
])('a response with %s', (_, status, body, problem) => {
  const violation = contractViolation(entry as unknown as Endpoint, status, body)
  if (problem === null) expect(violation).toBeNull()
  else expect(violation).toContain(problem)
})

it('a test call fails if the response violates its contract', async () => {
  const answering = (body: unknown) =>
    createCheckedClient({
      baseUrl: 'http://test',
      fetch: (async () => new Response(JSON.stringify(body))) as typeof fetch,
    })(entry, { query: { date_from: '2026-01-01', date_to: '2026-01-02' } })
  await expect(answering(good)).resolves.toEqual(good)
  await expect(answering({ ...good, total: 3 })).rejects.toThrow(
    'listThings: total next to data is not declared',
  )
})
