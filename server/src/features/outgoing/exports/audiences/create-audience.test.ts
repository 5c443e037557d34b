/** Audiences from a filter: members, exclusions and permissions. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop } from '../../../../../test/export-shop.ts'
import { drainJobs } from '../../../../../test/jobs.ts'
import { makeApp, makeOwnProfile, provision, refusalOf } from '../../../../../test/make.ts'
import { triggerSandbox } from '../../../../../test/make-shop.ts'
import { mailsTo } from '../../../../../test/outbox.ts'
import { accessJobs } from '../../../../platform/access/jobs.ts'
import { setEntitlement } from '../../../account/profiles/contract.ts'
import { updateComplianceOverview } from '../../../account/workspaces/contract.ts'
import { recordRefund } from '../../../corrections/payments/contract.ts'
import { saveConversionSyncCatalog } from '../catalog/contract.ts'
import { createAudience, saveAudienceExclusions } from './contract.ts'

let app: TestApp
let shop: ExportShop
let connectionId: string

const at = (day: string) => ({ timestamp: `${day}T10:00:00Z` })
const worth = (value: string, consent?: 'granted' | 'denied') => ({
  value,
  ...(consent ? { consent: { ad_user_data: consent, ad_personalization: consent } } : {}),
})

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  connectionId = (await shop.connected('social_ads')).id
  await shop.pay('ana', { ...at('2026-03-01'), properties: worth('300.00') })
  await shop.pay('bo', { ...at('2026-03-10'), properties: worth('60.00') })
  await shop.pay('bo-2', {
    ...at('2026-03-31'),
    properties: worth('60.00'),
    user_traits: { email: 'bo@example.com' },
  })
  await shop.pay('cy', { ...at('2026-03-05'), properties: worth('500.00', 'denied') })
  await shop.pay('di', { ...at('2026-03-05'), properties: worth('20.00', 'denied') })
  // The newest stated consent applies.
  await shop.pay('di-2', {
    ...at('2026-04-05'),
    properties: worth('20.00', 'granted'),
    user_traits: { email: 'di@example.com' },
  })
  await shop.pay('eve', { ...at('2026-04-01'), properties: worth('900.00') })
  await shop.pay('fay', {
    ...at('2026-03-05'),
    event_name: 'lead_created',
    properties: {},
  })
  await shop.settle()
})
afterAll(() => app.close())

const bodyOf = (filter: object = {}, fields: object = {}) => ({
  connection_id: connectionId,
  name: 'Spring buyers',
  filter: { date_from: '2026-03-01', date_to: '2026-03-31', ...filter },
  consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
  dry_run: true,
  ...fields,
})
const count = async (filter: object = {}) => (await shop.call(createAudience, { body: bodyOf(filter) })).data

it.each([
  ['every customer of the days', {}, { matched: 5, consent_refused: 1, queued: 4 }],
  ['an outcome', { outcome_type: 'payment_received' }, { matched: 4, consent_refused: 1, queued: 3 }],
  ['another outcome', { outcome_type: 'lead_created' }, { matched: 1, consent_refused: 0, queued: 1 }],
  [
    'a minimum of the revenue of the days',
    { revenue_min: '120.00' },
    { matched: 3, consent_refused: 1, queued: 2 },
  ],
  ['one cent more than the sum', { revenue_min: '120.01' }, { matched: 2, consent_refused: 1, queued: 1 }],
  [
    'a range of revenue',
    { revenue_min: '20', revenue_max: '120' },
    { matched: 2, consent_refused: 0, queued: 2 },
  ],
  ['who did not come back', { none_since: true }, { matched: 4, consent_refused: 1, queued: 3 }],
])('a filter by %s', async (_, filter, expected) => {
  expect(await count(filter)).toEqual({
    audience_id: null,
    excluded: 0,
    no_match_keys: 0,
    ...expected,
  })
})

it('subtracts refunds from the revenue', async () => {
  const { rows } = await sql<{ id: string }>`
    select p.id from payments p join events e on e.profile_id = p.profile_id and e.id = p.event_id
    where p.profile_id = ${shop.profileId} and e.external_id = 'ana'`.execute(app.service.db)
  expect(await count({ revenue_min: '300' })).toMatchObject({ matched: 2 })
  await shop.call(recordRefund, {
    params: { payment_id: rows[0]!.id },
    body: { amount: '0.01', refunded_at: '2026-03-02T10:00:00Z' },
  })
  await shop.settle()
  expect(await count({ revenue_min: '300' })).toMatchObject({ matched: 1 })
})

it('creates one list per name, and removes customers who no longer match', async () => {
  const name = 'Kept under its name'
  const send = async (filter: object) =>
    (await shop.call(createAudience, { body: bodyOf(filter, { name, dry_run: false }) })).data
  const first = await send({ outcome_type: 'payment_received' })
  expect(first).toMatchObject({ matched: 4, consent_refused: 1, queued: 3 })
  const narrowed = await send({ outcome_type: 'payment_received', revenue_min: '100' })
  expect(narrowed).toMatchObject({ audience_id: first.audience_id, queued: 2 })
  const members = await sql<{ count: number }>`
    select count(*)::int as count from audience_members m
    join audience_lists l on l.profile_id = m.profile_id and l.id = m.list_id
    where m.profile_id = ${shop.profileId} and l.name = ${name}`.execute(app.service.db)
  expect(members.rows[0]!.count).toBe(2)
  expect(await refusalOf(send({ revenue_min: '10000' }))).toMatchObject({ status: 422, field: 'filter' })
})

it('leaves out excluded customers', async () => {
  const params = { profileId: shop.profileId }
  const { rows } = await sql<{ id: string }>`
    select i.customer_id as id from conversions c
    join events e on e.profile_id = c.profile_id and e.id = c.event_id
    join identifiers i on i.profile_id = c.profile_id and i.id = c.identifier_id
    where c.profile_id = ${shop.profileId} and e.external_id = 'bo'`.execute(app.service.db)
  const exclude = (ids: string[]) =>
    shop.owner.call(saveAudienceExclusions, { params, body: { customer_ids: ids } })
  await exclude([rows[0]!.id])
  expect(await count()).toMatchObject({ matched: 5, excluded: 1, queued: 3 })
  await exclude([])
})

it('refuses invalid days and amounts and unknown connections', async () => {
  const refusalFor = (filter: object, fields: object = {}) =>
    refusalOf(shop.call(createAudience, { body: bodyOf(filter, fields) }))
  expect(await refusalFor({ date_to: '2025-01-01' })).toMatchObject({
    status: 400,
    code: 'invalid_date_range',
    field: 'filter.date_from',
  })
  expect(await refusalFor({ revenue_min: '1.005' })).toMatchObject({ field: 'filter.revenue_min' })
  const other = await makeOwnProfile(app, ['exports:write'])
  expect(await refusalOf(other.call(createAudience, { body: bodyOf() }))).toMatchObject({ status: 404 })
})

it('is refused for partner apps, and on a healthcare profile requires an owner and mails the owners', async () => {
  const clinic = await makeExportShop(app)
  const connectionField = { connection_id: (await clinic.connected('social_ads')).id }
  await clinic.pay('gil', { ...at('2026-03-01'), properties: worth('300.00') })
  await clinic.settle()
  const partner = await makeApp(app, clinic.workspaceId)
  const { apiKey } = await provision(app, clinic.profileId, partner)
  await partner.call(setEntitlement, {
    params: { profileId: clinic.profileId, feature: 'attribution' },
    body: { enabled: true },
  })
  expect(
    await refusalOf(app.as(apiKey)(createAudience, { body: bodyOf({}, connectionField) })),
  ).toMatchObject({
    status: 403,
    code: 'forbidden',
  })
  const params = { workspaceId: clinic.workspaceId }
  await clinic.owner.call(updateComplianceOverview, { params, body: { healthcare: true } })
  expect(await refusalOf(clinic.call(createAudience, { body: bodyOf({}, connectionField) }))).toMatchObject({
    status: 403,
    reason: 'owner_decision_required',
  })
  const decide = (fields: object = {}, headers: Record<string, string> = {}) =>
    clinic.decide(createAudience, { body: bodyOf({}, { ...connectionField, ...fields }), headers })
  expect(await refusalOf(decide())).toMatchObject({ code: 'platform_safe_audiences_disabled' })
  const setMode = (mode: string) =>
    clinic.decide(saveConversionSyncCatalog, {
      body: { privacy_mode: mode, conversions: [], partner_customer_list: true },
    })
  await setMode('platform_safe')
  const mails = async () => {
    await app.service.db.deleteFrom('jobs').where('name', 'not like', 'access.%').execute()
    await drainJobs(app.service, accessJobs)
    const received = await mailsTo(app, clinic.owner.email)
    return received.filter(({ subject }) => /are sent to an ad platform/.test(subject)).length
  }
  await decide()
  expect(await mails()).toBe(0)
  await decide({ dry_run: false })
  expect(await mails()).toBe(1)
  // Members may have been sent although the request failed, so the owners are mailed.
  await triggerSandbox(app, 'social_ads', 'fault', { kind: 'truncated_json', match: '/v', times: 1 })
  const lost = decide({ dry_run: false }, { 'idempotency-key': 'lost-1' })
  expect(await refusalOf(lost)).toMatchObject({ status: 502, code: 'provider_error' })
  expect(await mails()).toBe(2)
  await setMode('hipaa')
  expect(await refusalOf(decide())).toMatchObject({ code: 'platform_safe_audiences_disabled' })
})
