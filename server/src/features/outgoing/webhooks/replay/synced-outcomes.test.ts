import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { drainJobs } from '../../../../../test/jobs.ts'
import { makeApp, makeKey, provision } from '../../../../../test/make.ts'
import { makeShop, type Shop } from '../../../../../test/make-shop.ts'
import { jobs } from '../../../../app.ts'
import { listPersonAccess } from '../../../../platform/audit/contract.ts'
import { listRecordedOutcomes } from '../contract.ts'

let app: TestApp
let shop: Shop
let connectionId: string

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  const partner = await makeApp(app, shop.workspaceId)
  await provision(app, shop.profileId, partner)
  connectionId = (await shop.connected('crmsuite')).id
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
})
afterAll(() => app.close())

const replayAs = async (scopes: ('customers:read' | 'conversions:read')[]) => {
  const call = app.as(await makeKey(app, shop.profileId, scopes))
  return (await call(listRecordedOutcomes, { query: { limit: '500' } })).data
}
const accesses = async () =>
  (await shop.owner.call(listPersonAccess, { params: { workspaceId: shop.workspaceId } })).data

it('an outcome from a sync contains its connection', async () => {
  const outcomes = await replayAs(['conversions:read'])
  expect(outcomes.length).toBeGreaterThan(5)
  expect(new Set(outcomes.map((event) => event.connection_id))).toEqual(new Set([connectionId]))
})

it('a replay with people is in the access log; one without is not', async () => {
  const withoutPeople = await replayAs(['conversions:read'])
  expect(withoutPeople.every((event) => event.data.contact === null && event.data.contact_withheld)).toBe(
    true,
  )
  expect(await accesses()).toEqual([])
  const withPeople = await replayAs(['customers:read'])
  const eventsWithPeople = withPeople.filter((event) => event.data.contact !== null)
  expect(eventsWithPeople.length).toBeGreaterThan(0)
  const [logged, ...extraAccesses] = await accesses()
  expect(extraAccesses).toEqual([])
  expect(logged).toMatchObject({
    profile_id: shop.profileId,
    route: 'listRecordedOutcomes',
    actor: { kind: 'api_key' },
  })
  const { rows } = await app.pool.query<{ id: string }>(
    `select distinct i.customer_id as id from outbox_events e
     join identifiers i on i.profile_id = e.profile_id and i.id = e.customer_id
     where e.profile_id = $1 and e.id = any($2)`,
    [shop.profileId, eventsWithPeople.map((event) => event.id)],
  )
  expect([...logged!.customer_ids].sort()).toEqual(rows.map((row) => row.id).sort())
  expect(logged!.row_count).toBe(rows.length)
})
