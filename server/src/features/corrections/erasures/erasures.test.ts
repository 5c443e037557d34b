import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  type PartnerApp,
  type Person,
  provision,
  refusalOf,
} from '../../../../test/make.ts'
import { dropCredits, dumpTables } from '../../../../test/oracle/tables.ts'
import { foundIn, makeTracedPerson, type TracedPerson } from '../../../../test/traced-person.ts'
import { jobs } from '../../../app.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { createProfile } from '../../account/profiles/contract.ts'
import { createWorkspace } from '../../account/workspaces/contract.ts'
import { explainConversion, startRecompute } from '../../attribution/crediting/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { identifierId } from '../../facts/identity/identifiers.ts'
import { listAdPeople } from '../../insights/people-reached/contract.ts'
import { getOverview, getUnattributed, listCampaigns } from '../../insights/reports/contract.ts'
import { listPayments } from '../payments/contract.ts'
import { tablesWith } from '../person-data/rows.ts'
import { eraseCustomer, eraseWorkspaceCustomer, getErasure, getWorkspaceErasure } from './contract.ts'
import { runPendingErasures } from './erase.ts'

let app: TestApp
let owner: Person
let partner: PartnerApp
let workspaceId: string
let profileId: string
let key: string
let call: Client
let maria: TracedPerson
let peopleCount = 0

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app)
  const { data } = await owner.call(createWorkspace, {
    body: { name: 'Agency', timezone: 'Europe/Madrid', plan: 'agency' },
  })
  workspaceId = data.workspace_id
  partner = await makeApp(app, workspaceId, ['attribution', 'analytics_pii'])
})
afterAll(() => app.close())

beforeEach(async () => {
  const created = await owner.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'Shop', timezone: 'Europe/Madrid', currency: 'EUR' },
  })
  profileId = created.data.profile_id
  await provision(app, profileId, partner)
  await app.service.db
    .insertInto('profile_entitlements')
    .values({ profile_id: profileId, feature: 'attribution', enabled: true, updated_at: new Date() })
    .execute()
  key = await makeKey(app, profileId, [
    'events:write',
    'campaigns:read',
    'conversions:read',
    'analytics:read',
    'customers:read',
    'payments:read',
    'payments:write',
    'tracking:write',
    'identity:read',
    'identity:write',
  ])
  call = app.as(key)
  // A different person in each test, because the search covers all tenants.
  maria = await makeTracedPerson(app, { profileId, key, number: ++peopleCount })
})

/** An API key of a partner app on the same profile. */
async function asPartner(): Promise<Client> {
  const token = await makeKey(app, profileId, ['identity:read', 'identity:write'])
  await app.pool.query(
    `update credentials set app_id = $2 where profile_id = $1 and scopes = '{identity:read,identity:write}'`,
    [profileId, partner.id],
  )
  return app.as(token)
}

const range = { date_from: '2026-05-01', date_to: '2026-05-31' }
const settled = () => app.service.processor.settled(profileId)
const send = async (body: Record<string, unknown>) => (await call(sendEvent, { body: body })).data.status
const reports = async () => ({
  campaigns: (await call(listCampaigns, { query: range })).data,
  unattributed: (await call(getUnattributed, { query: range })).data,
  overview: await call(getOverview, { query: range }),
  people: (await call(listAdPeople, { query: range })).data.totals,
})

const erase = async (address = maria.email) => {
  const { data } = await owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, email: address },
  })
  return data
}

it('an erasure removes the person from every table and changes no money and no counts', async () => {
  const before = await reports()
  const personalValues = [...maria.words, ...maria.identifiers]
  const hits = await foundIn(app, personalValues)
  for (const word of personalValues) expect(hits.join().includes(word), word).toBe(true)
  const keys = { identifier: maria.identifiers }
  expect((await tablesWith(app.service.db, profileId, keys)).length).toBeGreaterThan(5)
  const { erasure_id } = await erase()
  await drainJobs(app.service, jobs)
  expect(await tablesWith(app.service.db, profileId, keys)).toEqual([])
  expect(await foundIn(app, personalValues)).toEqual([])
  const receipt = await owner.call(getWorkspaceErasure, { params: { workspaceId, erasure_id } })
  expect(receipt.data).toMatchObject({
    status: 'completed',
    profile_id: profileId,
    counts: { identifiers: 5, events: 6, touches: 1, conversions: 4, payments: 2 },
  })
  const after = await reports()
  expect(after.overview.data.totals).toMatchObject({
    spend: before.overview.data.totals.spend,
    revenue: 167,
    payments: before.overview.data.totals.payments,
  })
  expect(before.overview.data.totals.revenue).toBe(167)
  expect(after.overview.meta.reconciliation).toMatchObject({ total: 167, delta: 0 })
  expect(after.people).toEqual(before.people)
  expect(before.campaigns.map((row) => row.outcome_value)).toEqual([167])
  expect(after.campaigns).toEqual(before.campaigns)
  expect(after.unattributed).toEqual(before.unattributed)
  expect(after.overview.meta.result_hash).toBe(before.overview.meta.result_hash)
})

it('credit rows are byte-identical before an erasure, after it, and after a full recompute', async () => {
  const sums = (tables: Awaited<ReturnType<typeof dumpTables>>) =>
    Object.fromEntries(
      Object.entries(tables).filter(([name]) =>
        /^(credit|conversion_daily|unassigned|platform|paid)/.test(name),
      ),
    )
  const before = await dumpTables(app.service.db, profileId)
  expect(Object.keys(sums(before)).length).toBeGreaterThan(4)
  await erase()
  await drainJobs(app.service, jobs)
  expect(sums(await dumpTables(app.service.db, profileId))).toEqual(sums(before))
  const id = eventIdOf(profileId, maria.orderKey)
  const { data } = await call(explainConversion, { params: { id }, query: { model: 'all' } })
  expect(data.erased).toBe(true)
  expect(data.models).toHaveLength(5)
  for (const model of data.models)
    expect(model.touches).toMatchObject([{ status: 'credited', weight: 1, ad: { platform_id: 'A1' } }])
  const incremental = await dumpTables(app.service.db, profileId)
  await dropCredits(app.service.db, profileId)
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, jobs)
  expect(await dumpTables(app.service.db, profileId)).toEqual(incremental)
  const { data: payments } = await call(listPayments, {
    query: { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' },
  })
  const rows = payments.map(({ value, customer_id, is_first_payment }) => [
    value,
    customer_id,
    is_first_payment,
  ])
  const bob = identifierId('email', 'bob@example.com', profileId, app.service.identityPepper)
  expect(rows).toEqual([
    [50, bob, true],
    [7, null, false],
    [20, null, true],
    [100, null, true],
  ])
})

it('events sent after an erasure create a new customer, and a resent event does not restore the erased one', async () => {
  await erase()
  await drainJobs(app.service, jobs)
  const resentPayment = {
    event_name: 'payment_received',
    idempotency_key: maria.orderKey,
    anonymous_id: maria.visitor,
    timestamp: '2026-05-04T10:00:00Z',
    properties: { value: 100, currency: 'EUR', subject_ref: maria.subject },
    user_traits: { email: maria.email },
  }
  expect(await send(resentPayment)).toBe('unchanged')
  expect(await send({ ...resentPayment, properties: { value: 90, currency: 'EUR' } })).toBe('updated')
  expect(await send({ ...resentPayment, properties: { value: 90, currency: 'EUR' } })).toBe('unchanged')
  await maria.bringLead()
  await settled()
  expect(await foundIn(app, [...maria.words, ...maria.identifiers])).toEqual([])
  expect((await reports()).overview.data.totals.revenue).toBe(157)
  await send({
    event_name: 'payment_received',
    idempotency_key: 'new-life',
    timestamp: '2026-05-20T10:00:00Z',
    properties: { value: 5, currency: 'EUR' },
    user_traits: { email: maria.email },
  })
  await settled()
  const { data } = await call(listPayments, {
    query: { from: '2026-05-20T00:00:00Z', to: '2026-05-21T00:00:00Z' },
  })
  expect(data).toMatchObject([
    {
      customer_id: maria.identifiers[0],
      is_first_payment: true,
      payer: { contact: { email: maria.email, first_name: null } },
    },
  ])
  const { erasure_id } = await erase()
  await drainJobs(app.service, jobs)
  const second = await owner.call(getWorkspaceErasure, { params: { workspaceId, erasure_id } })
  expect(second.data).toMatchObject({ status: 'completed', counts: { identifiers: 1, payments: 1 } })
})

it('events sent during an erasure create a new customer', async () => {
  const { erasure_id } = await erase()
  await send({
    event_name: 'payment_received',
    idempotency_key: 'meanwhile',
    anonymous_id: maria.visitor,
    timestamp: '2026-05-20T10:00:00Z',
    properties: { value: 5, currency: 'EUR' },
    user_traits: { email: maria.email },
  })
  await settled()
  await drainJobs(app.service, jobs)
  const receipt = await owner.call(getWorkspaceErasure, { params: { workspaceId, erasure_id } })
  expect(receipt.data).toMatchObject({ status: 'completed', counts: { events: 6, payments: 2 } })
  const { data } = await call(listPayments, {
    query: { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' },
  })
  expect(data.map((row) => [row.value, row.customer_id, row.payer?.contact?.first_name])).toEqual([
    [5, maria.identifiers[0], null],
    [50, identifierId('email', 'bob@example.com', profileId, app.service.identityPepper), null],
    [7, null, undefined],
    [20, null, undefined],
    [100, null, undefined],
  ])
  const hits = await foundIn(app, [`visitor-${maria.words[0]}`])
  expect(hits.filter((line) => !line.includes('meanwhile'))).toEqual([])
})

it('a repeated erasure request returns the first receipt, by any identifier, pending or completed', async () => {
  const first = await erase()
  expect(first.status).toBe('pending')
  const byPhone = {
    params: { workspaceId },
    body: { profile_id: profileId, phone: `00${maria.phone.slice(1)}` },
  }
  expect((await owner.call(eraseWorkspaceCustomer, byPhone)).data).toEqual(first)
  const { data: payments } = await call(listPayments, {
    query: { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' },
  })
  expect(payments.map((payment) => payment.payer?.contact?.email ?? null)).toEqual([
    'bob@example.com',
    null,
    null,
    null,
  ])
  await drainJobs(app.service, jobs)
  const done = await erase()
  expect(done).toMatchObject({ erasure_id: first.erasure_id, status: 'completed' })
  const { data: changes } = await owner.call(listChanges, {
    params: { workspaceId },
    query: { profile_id: profileId },
  })
  expect(changes.filter((row) => row.subject === first.erasure_id).map((row) => row.action)).toEqual([
    'customer.erased',
    'customer.erasure_requested',
  ])
})

it('an erasure that crashes between two steps is completed by the next run', async () => {
  await erase()
  const stopped = new AbortController()
  stopped.abort()
  await runPendingErasures(app.service, profileId, stopped.signal)
  const halfway = await foundIn(app, maria.words)
  expect(halfway.map((line) => line.split(':')[0])).toEqual(['events'])
  expect((await erase()).status).toBe('pending')
  await drainJobs(app.service, jobs)
  expect(await foundIn(app, maria.words)).toEqual([])
  expect((await erase()).status).toBe('completed')
})

it("only a partner app's key may use the profile's erasure route", async () => {
  const app1 = await asPartner()
  const { data } = await app1(eraseCustomer, { body: { external_id: maria.externalId } })
  const params = { erasure_id: data.erasure_id }
  expect((await app1(getErasure, { params })).data).toEqual(data)
  await drainJobs(app.service, jobs)
  expect((await app1(getErasure, { params })).data.status).toBe('completed')
  expect(await foundIn(app, maria.words)).toEqual([])
  const refusals = [
    await refusalOf(call(eraseCustomer, { body: { email: 'bob@example.com' } })),
    await refusalOf(
      owner.call(eraseCustomer, {
        body: { email: 'bob@example.com' },
        query: { profile_id: profileId },
      }),
    ),
    await refusalOf(call(getErasure, { params })),
    await refusalOf(app1(eraseCustomer, { body: { email: 'no-one@example.com' } })),
    await refusalOf(app1(eraseCustomer, { body: { phone: 'none' } })),
    await refusalOf(app1(getErasure, { params: { erasure_id: crypto.randomUUID() } })),
    await refusalOf(erase('no-one@example.com')),
  ]
  expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual([
    '403 api_key_required',
    '403 api_key_required',
    '403 api_key_required',
    '404 customer_not_found',
    '404 customer_not_found',
    '404 erasure_not_found',
    '404 customer_not_found',
  ])
})

it('customers and receipts of another profile are refused like unknown ones, and an editor may not erase', async () => {
  const { erasure_id } = await erase()
  const stranger = await makePerson(app)
  const otherWorkspace = await stranger.call(createWorkspace, {
    body: { name: 'Other', timezone: 'UTC', plan: 'growth' },
  })
  const there = { workspaceId: otherWorkspace.data.workspace_id }
  const body = { profile_id: profileId, email: 'bob@example.com' }
  const refusals = [
    await refusalOf(stranger.call(eraseWorkspaceCustomer, { params: there, body })),
    await refusalOf(stranger.call(getWorkspaceErasure, { params: { ...there, erasure_id } })),
    await refusalOf(stranger.call(eraseWorkspaceCustomer, { params: { workspaceId }, body })),
  ]
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: stranger.id, role: 'editor', created_at: new Date() })
    .execute()
  refusals.push(await refusalOf(stranger.call(eraseWorkspaceCustomer, { params: { workspaceId }, body })))
  expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual([
    '404 not_found',
    '404 erasure_not_found',
    '404 not_found',
    '403 forbidden',
  ])
})
