import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { leanFetch } from '../../../test/lean-fetch.ts'
import { makeKey, startTestProfile } from '../../../test/make.ts'

const BURST = 6
let app: TestApp
let profileId: string
beforeAll(async () => {
  // One unit every ten seconds: none is refilled while the test runs.
  ;({ app, profileId } = await startTestProfile([], {
    RATE_LIMIT_PER_MINUTE: '6',
    RATE_LIMIT_BURST: String(BURST),
    INGEST_PER_SECOND: '1',
    INGEST_BURST: '1000000',
  }))
})
afterAll(() => app.close())

const key = () => makeKey(app, profileId, ['conversions:read'])
const listGoals = (token: string, at = app) =>
  leanFetch(`${at.baseUrl}/api/v1/goals`, { headers: { authorization: `Bearer ${token}` } })

it('a credential that used up its burst gets 429 with Retry-After; another is not affected', async () => {
  const [busy, other] = [await key(), await key()]
  const replies = await Promise.all(Array.from({ length: BURST + 4 }, () => listGoals(busy)))
  expect(replies.map((reply) => reply.status).sort()).toEqual([
    ...Array(BURST).fill(200),
    ...Array(4).fill(429),
  ])
  const refusal = await listGoals(busy)
  expect(await refusal.json()).toMatchObject({ error: { code: 'rate_limit_exceeded', status: 429 } })
  const seconds = Number(refusal.headers.get('retry-after'))
  expect([seconds >= 1, seconds <= 10]).toEqual([true, true])
  expect(refusal.headers.get('x-ratelimit-limit')).toBe(String(BURST))
  expect(refusal.headers.get('x-ratelimit-remaining')).toBe('0')
  expect((await listGoals(other)).status).toBe(200)
})

it('the limit holds across processes', async () => {
  const twin = await app.startTwin()
  try {
    const token = await key()
    for (let n = 0; n < BURST; n++) expect((await listGoals(token)).status).toBe(200)
    expect((await listGoals(token, twin)).status).toBe(429)
  } finally {
    await twin.close()
  }
})

it('event routes return the number of events that the profile may still send', async () => {
  const token = await makeKey(app, profileId, ['events:write'])
  const send = (events: number) =>
    leanFetch(`${app.baseUrl}/api/v1/events/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: Array(events).fill({ event_name: 'visit', anonymous_id: 'a' }) }),
    })
  const remaining = (reply: { headers: Headers }) => Number(reply.headers.get('x-ratelimit-remaining'))
  const first = await send(10)
  expect([first.status, first.headers.get('x-ratelimit-limit')]).toEqual([202, '1000000'])
  expect(remaining(first)).toBeLessThanOrEqual(999_990)
  // One event per second is refilled: less than the 500 that the second request spends.
  expect(remaining(await send(500))).toBeLessThan(remaining(first))
})
