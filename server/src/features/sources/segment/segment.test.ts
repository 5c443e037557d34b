/** The collector, called by the official Node client of Segment. */
import { Analytics } from '@segment/analytics-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestProfile } from '../../../../test/make.ts'
import { toEvent } from './to-event.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['events:write'])
})
afterAll(() => profile.app.close())

async function send(work: (analytics: Analytics) => void, writeKey = profile.key) {
  const problems: unknown[] = []
  const analytics = new Analytics({ writeKey, host: profile.app.baseUrl, maxRetries: 0 })
  analytics.on('error', (problem) => problems.push(problem))
  work(analytics)
  await analytics.closeAndFlush()
  return problems
}
const stored = async () =>
  (
    await profile.app.pool.query<{ name: string }>(
      'select name from events where profile_id = $1 order by name',
      [profile.profileId],
    )
  ).rows.map((row) => row.name)

it('stores what the client tracks, once per messageId, and one bad message refuses no other', async () => {
  const order = {
    userId: 'customer-7',
    event: 'Order Completed',
    messageId: 'message-1',
    properties: { order_id: 'A-1', revenue: 49.9, currency: 'EUR' },
  }
  const work = (analytics: Analytics) => {
    analytics.identify({ userId: 'customer-7', traits: { email: 'ana@example.com' }, messageId: 'message-0' })
    analytics.page({
      anonymousId: 'visitor-7',
      properties: { url: 'https://shop.example/' },
      messageId: 'message-2',
    })
    analytics.track(order)
    analytics.track({ userId: 'customer-7', event: 'Bad', properties: { value: {} }, messageId: 'message-3' })
    analytics.group({ userId: 'customer-7', groupId: 'team' })
  }
  expect(await send(work)).toEqual([])
  expect(await stored()).toEqual(['identify', 'page_view', 'payment_received'])
  expect(await send(work)).toEqual([])
  expect(await stored()).toEqual(['identify', 'page_view', 'payment_received'])
})

it('a wrong key, or one without the scope, stores nothing', async () => {
  const before = await stored()
  const track = (analytics: Analytics) => analytics.track({ userId: 'x', event: 'Signed Up' })
  expect(await send(track, 'nonsense')).toHaveLength(1)
  const reply = await fetch(`${profile.app.baseUrl}/v1/track`, {
    method: 'POST',
    headers: { authorization: `Bearer ${profile.owner.token}` },
    body: JSON.stringify({ event: 'Signed Up', userId: 'x' }),
  })
  expect(reply.status).toBe(401)
  expect(await stored()).toEqual(before)
})

it('a body that is no JSON object is 400, and never a redirect or 500', async () => {
  for (const body of ['', '[]', '{', '{"batch":7}']) {
    const headers = { authorization: `Basic ${Buffer.from(`${profile.key}:`).toString('base64')}` }
    const { status } = await fetch(`${profile.app.baseUrl}/v1/batch`, { method: 'POST', headers, body })
    expect([body, status]).toEqual([body, 400])
  }
})

it('an event named like a member of every object keeps its name', () => {
  const sent = { now: new Date('2026-05-01T12:00:00Z'), sentAt: undefined }
  expect(toEvent({ type: 'track', event: 'Constructor' }, sent)?.event_name).toBe('constructor')
})

it('a sender whose clock is off is corrected by the time it was sent at', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const timeFor = (sentAt: string) =>
    toEvent({ type: 'track', event: 'Signed Up', timestamp: '2026-05-02T09:00:00Z' }, { now, sentAt })
      ?.timestamp
  expect(timeFor('2026-05-02T10:00:00Z')).toBe('2026-05-01T11:00:00.000Z')
  expect(timeFor('2026-05-01T12:00:30Z')).toBe('2026-05-02T09:00:00.000Z')
})
