import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import { startTestProfile } from '../../../../../test/make.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { connectionEvent, outcomeRecorded } from '../../../facts/outbox/event-factories.ts'
import { type OutboxEvent, recordEvents } from '../../../facts/outbox/record.ts'
import { listRecordedOutcomes } from '../contract.ts'

const EVENTS = 1024

let app: TestApp
let profileId: string
let key: string
const people = Array.from({ length: EVENTS }, () => uuidv7())
const ids = people.map(() => uuidv7())

beforeAll(async () => {
  ;({ app, profileId, key } = await startTestProfile(['customers:read']))
  await app.pool.query(
    'insert into identifiers (profile_id, id, kind, customer_id) select $1, id, 0, id from unnest($2::uuid[]) as i(id)',
    [profileId, people],
  )
  await app.pool.query(
    `insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
     select $1, id, 'email', id, id || '@example.com', now() from unnest($2::uuid[]) as i(id)`,
    [profileId, people],
  )
  await record(people.map((personId, n) => outcome(ids[n]!, personId)))
})
afterAll(() => app.close())

function outcome(id: string, personId: string): OutboxEvent {
  const at = app.service.clock.now().toISOString()
  const data = {
    provider: 'crmsuite' as const,
    outcome_type: 'lead_created',
    occurred_at: at,
    recorded_at: at,
    external_id: `contact of ${id}`,
    outcome_event_id: uuidv7(),
    conversion_id: null,
    customer_key: null,
    value: null,
  }
  return outcomeRecorded(profileId, data, { id, appId: uuidv7(), connectionId: null, customerId: personId })
}

async function record(events: OutboxEvent[]): Promise<void> {
  await app.service.db.transaction().execute((tx) => recordEvents(tx, events, app.service.clock.now()))
}

// A page is read in parts of 256: sizes around one part, two, and in between.
it.each([100, 255, 256, 257, 500])(
  'pages of %i return every outcome once, each with its person',
  async (limit) => {
    const call = app.as(key)
    const received: { id: string; email: string | undefined; key: string | null }[] = []
    const sizes: number[] = []
    let query: Record<string, string> = { limit: String(limit) }
    for (let hasNext = true; hasNext; ) {
      const { data, pagination } = await call(listRecordedOutcomes, { query })
      const page = pagination as { cursor: string; has_next: boolean }
      sizes.push(data.length)
      received.push(
        ...data.map((event) => ({
          id: event.id,
          email: event.data.contact?.email ?? undefined,
          key: event.data.customer_key,
        })),
      )
      query = { limit: String(limit), cursor: page.cursor }
      hasNext = page.has_next
    }
    expect(received).toEqual(
      ids.map((id, n) => ({ id, email: `${people[n]}@example.com`, key: `${people[n]}@example.com` })),
    )
    expect(sizes).toEqual(
      Array.from({ length: Math.ceil(EVENTS / limit) }, (_, n) => Math.min(limit, EVENTS - n * limit)),
    )
  },
)

it('a page that was read in parts is one entry in the access log', async () => {
  const logged = async () =>
    (
      await app.pool.query('select customer_ids from pii_access_log where profile_id = $1 order by id', [
        profileId,
      ])
    ).rows
  const before = (await logged()).length
  await app.as(key)(listRecordedOutcomes, { query: { limit: '500' } })
  const lines = (await logged()).slice(before)
  expect(lines).toHaveLength(1)
  expect(lines[0].customer_ids).toEqual(people.slice(0, 500))
})

it('sparse outcomes among other events are found, and the cursor continues after them', async () => {
  const other = { provider: 'cardpay', connection_id: uuidv7(), status: 'connected', reason: null } as const
  const otherEvents = Array.from({ length: 3000 }, () =>
    connectionEvent('connection.connected', profileId, other, app.service.clock.now()),
  )
  const call = app.as(key)
  type Page = { cursor: string; has_next: boolean }
  let cursor = ''
  for (let hasNext = true; hasNext; ) {
    const { pagination } = await call(listRecordedOutcomes, {
      query: { limit: '500', ...(cursor && { cursor }) },
    })
    cursor = (pagination as Page).cursor
    hasNext = (pagination as Page).has_next
  }
  const [near, far] = [uuidv7(), uuidv7()]
  await record([
    ...otherEvents,
    outcome(near, people[0]!),
    ...otherEvents,
    outcome(far, people[1]!),
    ...otherEvents,
  ])
  for (const [id, hasNext] of [
    [near, true],
    [far, false],
  ]) {
    const { data, pagination } = await call(listRecordedOutcomes, { query: { limit: '1', cursor } })
    expect([data.map((event) => event.id), (pagination as Page).has_next]).toEqual([[id], hasNext])
    cursor = (pagination as Page).cursor
  }
  const { data, pagination } = await call(listRecordedOutcomes, { query: { cursor } })
  expect([data, pagination]).toEqual([[], { has_next: false, cursor }])
})
