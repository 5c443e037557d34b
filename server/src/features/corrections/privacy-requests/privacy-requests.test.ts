import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeShop, triggerSandbox } from '../../../../test/make-shop.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { jobs } from '../../../app.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import { applyRecords } from '../../sources/connections/records.ts'
import { runPrivacyRequest } from './operations.ts'
import { listHolders, listPeople } from './queries.ts'

let app: TestApp
let shop: Awaited<ReturnType<typeof makeShop>>
let connectionId: string
const store = 'harbor-and-pine.myshopify.com'

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  connectionId = (await shop.connected('storefront')).id
  // Skips the first sync: three orders are enough.
  await app.pool.query('delete from jobs')
  await app.pool.query('update connection_syncs set next_run_at = null')
  for (const email of ['ana@example.com', 'bo@example.com', 'cy@example.com'])
    await triggerSandbox(app, 'storefront', 'act', { action: 'new_order', args: { email, shop: store } })
  await drain()
})
afterAll(() => app.close())

const drain = async () => {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
}
const act = async (action: string) => {
  const reply = await triggerSandbox(app, 'storefront', 'act', { action, args: { shop: store } })
  await drain()
  return reply as Record<string, string | null>
}
const erasures = async () =>
  (await app.pool.query('select state from erasures where profile_id = $1', [shop.profileId])).rows
const isStored = async (email: string) => {
  const { rows } = await app.pool.query(
    'select 1 from identity_traits where profile_id = $1 and to_jsonb(identity_traits)::text like $2',
    [shop.profileId, `%${email}%`],
  )
  return rows.length > 0
}

it('a data request is audited and mailed to the owners, without personal data', async () => {
  const { email } = await act('data_request')
  const { rows } = await app.pool.query<{ subject: string | null }>(
    "select subject from audit_log where profile_id = $1 and action = 'customer.data_requested'",
    [shop.profileId],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.subject).not.toBeNull()
  expect(await erasures()).toEqual([])
  const mail = (await mailsTo(app, shop.owner.email)).at(-1)!
  expect(mail.subject).toBe('A customer requested their personal data')
  expect(mail.text).toContain(`/p/${shop.profileId}/settings?tab=privacy`)
  const requests = await app.pool.query(
    'select customer_id, status, due_on - requested_on as days from customer_data_exports where profile_id = $1',
    [shop.profileId],
  )
  expect(requests.rows).toEqual([{ customer_id: rows[0]!.subject, status: 'awaiting_identity', days: 30 }])
  expect(mail.text).not.toContain(email)
  // Built from the job id and the profile id, so a repeated job sends the same message id.
  expect(mail.messageId).toContain(`.${shop.profileId}.`)
})

it('a customer redaction request erases the customer', async () => {
  expect(await isStored('cy@example.com')).toBe(true)
  const { email } = await act('customer_redact')
  expect(email).toBe('cy@example.com')
  expect(await erasures()).toEqual([{ state: 'completed' }])
  expect(await isStored('cy@example.com')).toBe(false)
  expect(await isStored('bo@example.com')).toBe(true)
})

it('a shop redaction request erases everyone that the shop reported, although its connection is revoked', async () => {
  await act('uninstall')
  await act('shop_redact')
  expect(await listHolders(app.service.db, { provider: 'storefront', externalId: store })).toMatchObject([
    { profileId: shop.profileId, connectionId },
  ])
  const after = '00000000-0000-0000-0000-000000000000'
  const query = { profileId: shop.profileId, connectionId, after, limit: 10 }
  expect(await listPeople(app.service.db, query)).toEqual([])
  expect(await isStored('ana@example.com')).toBe(false)
  expect(await isStored('bo@example.com')).toBe(false)
  expect((await erasures()).every(({ state }) => state === 'completed')).toBe(true)
})

it('the customers of a large shop are erased page by page, resumed after a stop, and none twice', {
  timeout: 120_000,
}, async () => {
  const many = 100
  const big = await makeShop(app)
  const connection = await big.connected('storefront')
  await app.pool.query('delete from jobs')
  const { service } = app
  const target = {
    service,
    profile: { id: big.profileId, currency: 'USD' },
    connection: { id: connection.id, provider: 'storefront' },
    now: service.clock.now(),
  } as never
  const records = Array.from({ length: many }, (_, index) => ({
    type: 'contact' as const,
    externalId: `buyer-${index}`,
    updatedAt: '2026-02-01T10:00:00.000Z',
    person: { ...emptyPerson(), contactId: `buyer-${index}`, email: `buyer-${index}@example.com` },
  }))
  await service.db.transaction().execute((tx) => applyRecords(tx, target, records))
  service.processor.wake(big.profileId)
  await service.processor.settled(big.profileId)

  const countErasures = async () =>
    (await app.pool.query('select 1 from erasures where profile_id = $1', [big.profileId])).rowCount
  const request = { type: 'shop_redact' as const, accountId: store, person: null }
  const run = (signal: AbortSignal) =>
    runPrivacyRequest({ ...jobContext(service), signal }, 'storefront', request, 40)
  // The worker stops in the middle of the second page.
  let questions = 0
  const stopped = new AbortController().signal
  stopped.throwIfAborted = () => {
    questions += 1
    if (questions > 60) throw new Error('stopped')
  }
  await expect(run(stopped)).rejects.toThrow('stopped')
  expect(await countErasures()).toBe(60)
  await run(new AbortController().signal)
  expect(await countErasures()).toBe(many)
  await drainJobs(service, jobs)
  const { rows } = await app.pool.query(
    "select count(*)::int as left, (select count(*)::int from erasures where profile_id = $1 and state <> 'completed') as open from identity_traits where profile_id = $1",
    [big.profileId],
  )
  expect(rows).toEqual([{ left: 0, open: 0 }])
})
