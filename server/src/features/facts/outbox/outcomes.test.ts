import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type PartnerApp,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { moveClock } from '../../../../test/make-shop.ts'
import { allSent, outcomesOf, provisionDealer } from '../../../../test/outcome-world.ts'
import { type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { ana, type OutcomeFields, recordOutcome } from '../../../../test/record-outcome.ts'
import { until } from '../../../../test/until.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import type { Dispatcher } from '../../../context.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { grantToApp } from '../../account/apps/grants.ts'
import { planGrants } from '../../account/apps/rules.ts'
import { archiveProfiles } from '../../account/profile-lifecycle/archive.ts'
import { eraseCustomer } from '../../corrections/erasures/contract.ts'
import { runPendingErasures } from '../../corrections/erasures/erase.ts'
import {
  createWebhookSubscription,
  listRecordedOutcomes,
  listWebhookDeliveries,
  listWebhookSubscriptions,
} from '../../outgoing/webhooks/contract.ts'
import { createDispatcher } from '../../outgoing/webhooks/delivery/dispatcher.ts'
import { leadReceived } from './event-factories.ts'
import { SentOutcomeData } from './event-types.ts'
import { recordEvent } from './record.ts'

let app: TestApp
let owner: Person
let partner: PartnerApp
let receiver: Receiver
let dispatcher: Dispatcher
let answer = 204
let profileId: string
let key: string

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', SANDBOX: 'on' })
  owner = await makePerson(app)
  partner = await makeApp(app, await makeWorkspace(owner), ['attribution', 'analytics_pii', 'analytics'])
  // A retry is due only once the clock is moved, however slow the machine is.
  receiver = await startReceiver(
    (_request, reply) => void reply.writeHead(answer, { 'retry-after': '300' }).end(),
  )
  dispatcher = createDispatcher(app.service, { pollMs: 20, lookMs: 20, chance: () => 0.5 })
  dispatcher.start()
})
beforeEach(() => provision(['attribution', 'analytics_pii']))
afterEach(() => {
  answer = 204
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await app.close()
})

async function provision(scopes: string[]): Promise<void> {
  ;({ profileId, key } = await provisionDealer(partner, scopes))
}

const record = (externalId: string, fields?: OutcomeFields) =>
  recordOutcome(app, profileId, externalId, fields)

async function subscribe(call: TestClient, path: string, events = ['outcome.recorded']) {
  const body = { url: `${receiver.url}${path}`, events, providers: ['platform'] }
  return (await call(createWebhookSubscription, { body })).data
}

const requestsTo = (path: string) => receiver.requests.filter((request) => request.path === path)
const received = (path: string) => requestsTo(path).map((request) => JSON.parse(request.body))
const reached = (path: string, count = 1) => receiver.until(() => requestsTo(path).length >= count)
const path = () => `/${crypto.randomUUID()}`

type Received = { data: { external_id: string } }
const sorted = <T extends Received>(events: readonly T[]) =>
  events.toSorted((a, b) => (a.data.external_id < b.data.external_id ? -1 : 1))
const replayed = async () => sorted((await app.as(key)(listRecordedOutcomes)).data)

const outcomesRecorded = () => outcomesOf(app, profileId)

async function erase(): Promise<void> {
  await app.as(key)(eraseCustomer, { body: { email: ana.email } })
  await runPendingErasures(app.service, profileId)
}

it('an outcome of HubSpot is reported like one of the first CRM', async () => {
  const webhookPath = path()
  await subscribe(app.as(key), webhookPath)
  await record('8812', { provider: 'hubspot', outcomeType: 'closed_won', value: 4200 })
  await reached(webhookPath)
  expect(received(webhookPath)).toMatchObject([
    { type: 'outcome.recorded', data: { provider: 'hubspot', external_id: '8812', value: 42 } },
  ])
  const { data } = await app.as(key)(listRecordedOutcomes, { query: { provider: 'hubspot' } })
  expect(data).toHaveLength(1)
})

it('an outcome is reported once, also after re-syncs, changes and recomputes', async () => {
  const webhookPath = path()
  await subscribe(app.as(key), webhookPath)
  await record('contact-1', { value: 1250 })
  await record('contact-1', { value: 1250 })
  await record('contact-1', { value: 1300 })
  await record('contact-1', { outcomeType: 'closed_won' })
  await reached(webhookPath, 2)
  const rows = await outcomesRecorded()
  expect(rows.map((row) => row.data.outcome_type)).toEqual(['lead_created', 'closed_won'])
  const [first] = received(webhookPath).filter((event) => event.data.outcome_type === 'lead_created')
  expect(first).toMatchObject({
    id: rows[0].id,
    type: 'outcome.recorded',
    provider: 'platform',
    app_id: partner.id,
    connection_id: null,
    data: {
      profile_id: profileId,
      provider: 'crmsuite',
      external_id: 'contact-1',
      customer_key: 'contact-1',
      value: 12.5,
      contact: { first_name: 'Ana', last_name: 'Paz', email: 'ana@example.com', phone: '+34600000001' },
      contact_withheld: false,
    },
  })
  SentOutcomeData.parse(first.data)
  const conversions = await app.pool.query('select id, event_id from conversions where profile_id = $1', [
    profileId,
  ])
  expect(conversions.rows).toContainEqual({
    id: first.data.conversion_id,
    event_id: first.data.outcome_event_id,
  })
})

it('reports only outcomes of the supported providers on provisioned profiles', async () => {
  await record('s1', { outcomeType: 'opportunity_stage' })
  await record('p1', { provider: 'cardpay' })
  expect(await outcomesRecorded()).toEqual([])
  profileId = await makeProfile(owner, await makeWorkspace(owner))
  await record('c1')
  expect(await outcomesRecorded()).toEqual([])
})

it('the contact is sent only to apps with a grant to read customers', async () => {
  await provision(['attribution'])
  const webhookPath = path()
  await subscribe(app.as(key), webhookPath)
  await record('c1')
  await record('c2', { person: { ...ana, contactId: null } })
  await record('c3', { person: { ...ana, contactId: '+34 600 000 002' } })
  await reached(webhookPath, 3)
  for (const request of requestsTo(webhookPath)) expect(request.body).not.toContain('ana@example.com')
  const byId = new Map(received(webhookPath).map((event) => [event.data.external_id, event.data]))
  for (const id of ['c1', 'c2', 'c3'])
    expect(byId.get(id)).toMatchObject({ contact: null, contact_withheld: true })
  expect(['c1', 'c2', 'c3'].map((id) => byId.get(id).customer_key)).toEqual(['contact-1', null, null])
  expect(await replayed()).toEqual(sorted(received(webhookPath)))
})

it('the replay returns the same data as the webhook, field by field', async () => {
  const webhookPath = path()
  await subscribe(app.as(key), webhookPath)
  await record('c1', { value: 1250 })
  await record('c2', { person: { ...ana, contactId: null } })
  await record('"customer_key": null', { person: { ...emptyPerson(), contactId: 'contact-9' } })
  await reached(webhookPath, 3)
  expect(await replayed()).toEqual(sorted(received(webhookPath)))
  expect(received(webhookPath).map((event) => event.data.customer_key)).toContain('ana@example.com')
})

it('a retry after an erasure contains no person, and the delivery never stored one', async () => {
  answer = 500
  const webhookPath = path()
  await subscribe(app.as(key), webhookPath)
  await record('c1')
  await reached(webhookPath)
  expect(received(webhookPath)[0].data.contact.email).toBe('ana@example.com')
  await erase()
  answer = 204
  await moveClock(app, 310)
  await reached(webhookPath, 2)
  const [first, retry] = received(webhookPath)
  expect(retry.id).toBe(first.id)
  expect(retry.data).toMatchObject({ contact: null, contact_withheld: false, customer_key: null })
  const { rows } = await app.pool.query('select * from webhook_deliveries where profile_id = $1', [profileId])
  const stored = JSON.stringify([rows, await outcomesRecorded()])
  for (const trace of ['ana@example.com', '600000001', 'Paz', 'contact-1'])
    expect(stored).not.toContain(trace)
  expect((await app.as(key)(listRecordedOutcomes)).data).toEqual([])
})

it('healthcare outcomes are sent only to the app that provisioned the profile', async () => {
  await provision(['attribution'])
  const other = await makeApp(app, await makeWorkspace(owner))
  const planned = planGrants(['attribution', 'analytics_pii'], ['attribution', 'analytics_pii'])
  if (!planned.ok) throw new Error('not planned')
  const granted = await inTransaction(app.service.db, (tx) =>
    grantToApp(app.service, tx, {
      app: { id: other.id, name: 'Other' },
      profileId,
      userId: null,
      plan: planned.plan,
      now: app.service.clock.now(),
    }),
  )
  const direct = await makeKey(app, profileId, ['webhooks:write', 'conversions:read', 'customers:read'])
  const [appPath, otherAppPath, directPath] = [path(), path(), path()]
  await subscribe(app.as(key), appPath)
  await subscribe(app.as(granted.apiKey), otherAppPath)
  await subscribe(app.as(direct), directPath)
  await record('before')
  await Promise.all([reached(appPath), reached(otherAppPath), reached(directPath)])
  await app.pool.query(`update profiles set privacy_mode = 'hipaa' where id = $1`, [profileId])
  await record('after')
  await reached(appPath, 2)
  await allSent(app, profileId)
  expect(received(appPath).find((event) => event.data.external_id === 'after').data.contact.first_name).toBe(
    'Ana',
  )
  expect(received(otherAppPath).map((event) => event.data.external_id)).toEqual(['before'])
  expect(received(directPath).map((event) => event.data.external_id)).toEqual(['before'])
  for (const token of [granted.apiKey, direct]) {
    const refusal = await refusalOf(app.as(token)(listRecordedOutcomes))
    expect([refusal.status, refusal.code]).toEqual([403, 'healthcare_scope_forbidden'])
  }
  const replayed = (await app.as(key)(listRecordedOutcomes)).data
  expect(replayed.map((event) => event.data.contact?.email)).toEqual(['ana@example.com', 'ana@example.com'])
})

it('a revoked grant stops delivery', async () => {
  answer = 500
  const webhookPath = path()
  const subscription = await subscribe(app.as(key), webhookPath)
  await record('c1')
  await reached(webhookPath)
  await app.pool.query('update app_authorizations set revoked_at = now() where profile_id = $1', [profileId])
  answer = 204
  await record('c2')
  await moveClock(app, 310)
  const status = async () =>
    (await app.pool.query('select * from webhook_subscriptions where id = $1', [subscription.id])).rows[0]
  await until(async () => (await status()).status === 'paused')
  expect((await status()).status_reason).toBe('grant_revoked')
  const pending = async () =>
    (
      await app.pool.query(`select id from webhook_deliveries where profile_id = $1 and status = 'pending'`, [
        profileId,
      ])
    ).rows
  await until(async () => (await pending()).length === 0)
  expect(requestsTo(webhookPath)).toHaveLength(1)
})

it('the replay returns all outcomes in a stable order, and its cursor continues where it ended', async () => {
  const call = app.as(key)
  const empty = await call(listRecordedOutcomes)
  expect(empty.pagination).toMatchObject({ has_next: false, cursor: expect.any(String) })
  for (let n = 0; n < 5; n++) await record(`c${n}`, n % 2 === 0 ? {} : { outcomeType: 'closed_won' })
  await record('r1', { provider: 'regionalpay', outcomeType: 'payment_received' })
  type Page = { cursor: string; has_next: boolean }
  const ids: string[] = []
  let cursor = (empty.pagination as Page).cursor
  for (let hasNext = true; hasNext; ) {
    const page = await call(listRecordedOutcomes, { query: { cursor, limit: '2' } })
    ids.push(...page.data.map((event) => event.data.external_id))
    cursor = (page.pagination as Page).cursor
    hasNext = (page.pagination as Page).has_next
  }
  expect(ids).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'r1'])
  await record('c5')
  const nextPage = await call(listRecordedOutcomes, { query: { cursor } })
  expect(nextPage.data.map((event) => event.data.external_id)).toEqual(['c5'])
  const won = await call(listRecordedOutcomes, { query: { outcome_type: 'closed_won' } })
  expect(won.data.map((event) => event.data.external_id)).toEqual(['c1', 'c3'])
  const paid = await call(listRecordedOutcomes, { query: { provider: 'regionalpay' } })
  expect(paid.data.map((event) => event.data.external_id)).toEqual(['r1'])

  const foreignCursor = cursor
  await provision(['attribution'])
  for (const bad of [foreignCursor, 'nonsense', btoa('[1]'), `${foreignCursor}x`, '']) {
    const refusal = await refusalOf(app.as(key)(listRecordedOutcomes, { query: { cursor: bad } }))
    expect([bad, refusal.status, refusal.code]).toEqual([bad, 400, 'invalid_parameter'])
  }
})

it('a cursor of another profile is refused, also if this profile has as many outcomes', async () => {
  const cursorOf = async () =>
    ((await app.as(key)(listRecordedOutcomes)).pagination as { cursor: string }).cursor
  await record('theirs')
  const foreignCursor = await cursorOf()
  await provision(['attribution'])
  for (const externalId of ['c0', 'c1', 'c2']) await record(externalId)
  const query = { cursor: foreignCursor }
  expect(await refusalOf(app.as(key)(listRecordedOutcomes, { query }))).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
  })
  const page = await app.as(key)(listRecordedOutcomes, { query: { cursor: await cursorOf() } })
  expect(page.data).toEqual([])
})

it('an outcome is replayed for 90 days after it was recorded, or after it was delivered late', async () => {
  answer = 500
  const webhookPath = path()
  await subscribe(app.as(key), webhookPath)
  await record('late')
  await reached(webhookPath)
  answer = 204
  await moveClock(app, 86_400)
  await reached(webhookPath, 2)
  const stamped = async () => (await outcomesRecorded())[0].delivered_at
  await until(async () => (await stamped()) !== null)
  await moveClock(app, 89.5 * 86_400)
  const replayed = async () => (await app.as(key)(listRecordedOutcomes)).data.length
  expect(await replayed()).toBe(1)
  await moveClock(app, 86_400)
  expect(await replayed()).toBe(0)
})

it('the answers of a lead are read at delivery', async () => {
  const webhookPath = path()
  const withheld = path()
  await subscribe(app.as(key), webhookPath, ['leadgen.received'])
  await subscribe(app.as(await makeKey(app, profileId, ['webhooks:write'])), withheld, ['leadgen.received'])
  const fieldData = [{ name: 'phone_number', values: ['p:+34600000001'] }]
  const connectionId = crypto.randomUUID()
  await app.pool.query(
    `insert into provider_leads (profile_id, leadgen_id, connection_id, page_id, form_id, field_data, occurred_at, recorded_at)
     values ($1, 'L1', $2, 'P1', 'F1', $3, now(), now())`,
    [profileId, connectionId, JSON.stringify(fieldData)],
  )
  await app.service.db.transaction().execute(async (tx) => {
    const now = app.service.clock.now()
    const data = { page_id: 'P1', leadgen_id: 'L1', form_id: 'F1', ad_id: null, campaign_id: null }
    await recordEvent(tx, leadReceived(profileId, data, { connectionId, occurredAt: now }), now)
  })
  await reached(webhookPath)
  await reached(withheld)
  const lead = { leadgen_id: 'L1', field_data: fieldData, contact_withheld: false }
  expect(received(webhookPath)[0]).toMatchObject({ id: 'L1', data: lead })
  expect(received(withheld)[0]).toMatchObject({ id: 'L1', data: { field_data: [], contact_withheld: true } })
  const deliveries = (await app.as(key)(listWebhookDeliveries)).data
  expect(deliveries).toHaveLength(1)
  const { rows } = await app.pool.query('select payload from webhook_deliveries where profile_id = $1', [
    profileId,
  ])
  expect(JSON.stringify(rows)).not.toContain('600000001')
})

it('a direct key of the profile cannot see the subscriptions of an app', async () => {
  const direct = app.as(await makeKey(app, profileId, ['webhooks:read', 'webhooks:write']))
  const appSubscription = await subscribe(app.as(key), path())
  const directSubscription = await subscribe(direct, path())
  expect(appSubscription.app_id).toBe(partner.id)
  expect((await app.as(key)(listWebhookSubscriptions)).data.map((row) => row.id)).toEqual([
    appSubscription.id,
  ])
  expect((await direct(listWebhookSubscriptions)).data.map((row) => row.id)).toEqual([directSubscription.id])
})

it('archiving pauses the subscriptions of the workspace', async () => {
  const { id } = await subscribe(app.as(key), path())
  const counts = await inTransaction(app.service.db, (tx) =>
    archiveProfiles(tx, [profileId], { now: app.service.clock.now(), service: app.service }),
  )
  expect(counts.webhook_subscriptions_paused).toBe(1)
  const { rows } = await app.pool.query(
    'select status, status_reason from webhook_subscriptions where id = $1',
    [id],
  )
  expect(rows).toEqual([{ status: 'paused', status_reason: 'profile_archived' }])
})
