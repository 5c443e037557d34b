/** Customer lists and exclusions: members, permissions, and refusals. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop } from '../../../../../test/export-shop.ts'
import { makeApp, makeKey, type PartnerApp, provision, refusalOf } from '../../../../../test/make.ts'
import { triggerSandbox } from '../../../../../test/make-shop.ts'
import { setEntitlement } from '../../../account/profiles/contract.ts'
import { loadAttributionProfile } from '../../../attribution/crediting/settings.ts'
import { eraseCustomer } from '../../../corrections/erasures/contract.ts'
import { runPendingErasures } from '../../../corrections/erasures/erase.ts'
import { mergeCustomers } from '../../../corrections/identity-review/merges.ts'
import { getCustomer } from '../../../insights/customers/contract.ts'
import { saveConversionSyncCatalog } from '../catalog/contract.ts'
import { saveAudienceExclusions, sendCustomerList } from './contract.ts'

let app: TestApp
let shop: ExportShop
let partner: PartnerApp
let partnerKey: string

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  await shop.connected('social_ads')
  partner = await makeApp(app, shop.workspaceId)
  partnerKey = (await provision(app, shop.profileId, partner)).apiKey
  await entitle(true)
})
afterAll(() => app.close())

const entitle = (enabled: boolean) =>
  partner.call(setEntitlement, {
    params: { profileId: shop.profileId, feature: 'attribution' },
    body: { enabled },
  })
const setMode = (mode: 'standard' | 'platform_safe' | 'hipaa', fields: Record<string, unknown> = {}) =>
  shop.decide(saveConversionSyncCatalog, {
    body: { privacy_mode: mode, conversions: [], ...fields },
  })

const exclude = (ids: string[]) =>
  partner.call(saveAudienceExclusions, {
    params: { profileId: shop.profileId },
    body: { customer_ids: ids, reason: 'asked' },
  })
const list = async (members: Record<string, unknown>[], fields: Record<string, unknown> = {}) => {
  const { rows } = await sql<{ id: string }>`
    select id from connections where profile_id = ${shop.profileId} and provider = 'social_ads'`.execute(
    app.service.db,
  )
  return {
    connection_id: rows[0]!.id,
    audience: { name: 'Members' },
    operation: 'add',
    members,
    consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
    dry_run: true,
    ...fields,
  }
}
const dryRun = async (members: Record<string, unknown>[], fields: Record<string, unknown> = {}) =>
  (await app.as(partnerKey)(sendCustomerList, { body: await list(members, fields) })).data

const customerOf = async (key: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select i.customer_id as id from event_keys k
    join conversions c on c.profile_id = k.profile_id and c.event_id = k.event_id
    join identifiers i on i.profile_id = k.profile_id and i.id = c.identifier_id
    join events e on e.profile_id = k.profile_id and e.id = k.event_id
    where k.profile_id = ${shop.profileId} and e.external_id = ${key}`.execute(app.service.db)
  return rows[0]!.id
}
/** `isExcluded` of the customer's page. */
const isExcluded = async (id: string) =>
  (await shop.call(getCustomer, { params: { id } })).data.excluded_from_audiences

it('a customer list returns counts of excluded members and lists invalid ones', async () => {
  await shop.pay('aud-1')
  await shop.pay('aud-2')
  await shop.settle()
  const ids = [await customerOf('aud-1'), await customerOf('aud-2')]
  expect((await exclude([ids[0]!])).data).toEqual({ excluded: 1, added: 1, removed: 0, removals_queued: 0 })
  expect([await isExcluded(ids[0]!), await isExcluded(ids[1]!)]).toEqual([true, false])
  const preview = await dryRun([
    { customer_id: ids[0] },
    { customer_id: ids[1] },
    { email: 'AUD-1@example.com ' },
    { email: 'new@example.com' },
    { email: 'no address' },
    { customer_id: crypto.randomUUID() },
  ])
  expect(preview).toEqual({
    run_id: null,
    audience_id: null,
    received: 6,
    queued: 2,
    excluded: 2,
    invalid: [
      { index: 4, reason: 'no_match_keys' },
      { index: 5, reason: 'customer_not_in_profile' },
    ],
  })
})

it('leaves out people who refused, whatever consent the partner states', async () => {
  const consent = { ad_user_data: 'denied' }
  await shop.pay('aud-refused', { properties: { consent } })
  await shop.settle()
  const sent = [
    { customer_id: await customerOf('aud-refused') },
    { email: 'aud-refused@example.com' },
    { email: 'aud-2@example.com' },
  ]
  expect(await dryRun(sent)).toMatchObject({ received: 3, queued: 1, excluded: 2, invalid: [] })
})

it('saving exclusions replaces all of them; an unknown customer is refused and nothing is saved', async () => {
  const first = await customerOf('aud-1')
  const second = await customerOf('aud-2')
  expect((await exclude([second])).data).toMatchObject({ excluded: 1, added: 1, removed: 1 })
  expect(await refusalOf(exclude([first, crypto.randomUUID()]))).toMatchObject({
    status: 422,
    code: 'customer_not_in_profile',
  })
  expect((await dryRun([{ customer_id: first }])).queued).toBe(1)
  expect([await isExcluded(first), await isExcluded(second)]).toEqual([false, true])
})

it('exclusions follow a merge, and keep a hash of an erased person', async () => {
  const first = await customerOf('aud-1')
  const second = await customerOf('aud-2')
  const { db } = app.service
  await db.transaction().execute(async (tx) => {
    const profile = await loadAttributionProfile(tx, shop.profileId)
    const merge = { id: crypto.randomUUID(), fromCustomerId: second, intoCustomerId: first }
    await mergeCustomers(tx, profile, { ...merge, by: null, now: new Date() })
  })
  expect((await dryRun([{ customer_id: first }])).excluded).toBe(1)
  expect(await isExcluded(first)).toBe(true)
  expect(await refusalOf(exclude([second]))).toMatchObject({ code: 'customer_not_in_profile' })
  await app.as(partnerKey)(eraseCustomer, { body: { email: 'aud-2@example.com' } })
  await runPendingErasures(app.service, shop.profileId)
  const { rows } = await sql<{ customer_id: string | null; has_hash: boolean }>`
    select customer_id, person_hash is not null as has_hash from audience_exclusions
    where profile_id = ${shop.profileId}`.execute(db)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every((row) => row.customer_id === null && row.has_hash)).toBe(true)
  expect((await dryRun([{ email: 'aud-2@example.com' }])).excluded).toBe(1)
  expect((await dryRun([{ email: 'aud-3@example.com' }])).excluded).toBe(0)
  await shop.pay('back', { user_traits: { email: 'aud-2@example.com' } })
  await shop.pay('aud-3')
  await shop.settle()
  expect([await isExcluded(await customerOf('back')), await isExcluded(await customerOf('aud-3'))]).toEqual([
    true,
    false,
  ])
})

it('customer lists require a partner app’s key, a mode that allows them, and the setting', async () => {
  const body = await list([{ email: 'x@example.com' }])
  expect(await refusalOf(shop.call(sendCustomerList, { body }))).toMatchObject({
    status: 403,
    code: 'api_key_required',
  })
  await setMode('platform_safe')
  expect(await refusalOf(app.as(partnerKey)(sendCustomerList, { body }))).toMatchObject({
    status: 409,
    code: 'platform_safe_audiences_disabled',
  })
  await setMode('platform_safe', { partner_customer_list: true })
  expect((await dryRun([{ email: 'x@example.com' }])).queued).toBe(1)
  await setMode('hipaa', { partner_customer_list: true })
  expect(await refusalOf(app.as(partnerKey)(sendCustomerList, { body }))).toMatchObject({
    code: 'platform_safe_audiences_disabled',
  })
  await setMode('standard')
  const denied = await list([{ email: 'x@example.com' }], {
    consent: { ad_user_data: 'denied', ad_personalization: 'denied' },
  })
  expect(await refusalOf(app.as(partnerKey)(sendCustomerList, { body: denied }))).toMatchObject({
    status: 422,
  })
  await entitle(false)
  expect(await refusalOf(app.as(partnerKey)(sendCustomerList, { body }))).toMatchObject({
    status: 409,
    code: 'entitlement_required',
  })
  await entitle(true)
})

it('exclusions may be saved only by callers who may change the profile', async () => {
  const params = { profileId: shop.profileId }
  const body = { customer_ids: [] }
  expect((await shop.owner.call(saveAudienceExclusions, { params, body })).data.excluded).toBe(0)
  const stranger = await makeApp(app, shop.workspaceId)
  expect(await refusalOf(stranger.call(saveAudienceExclusions, { params, body }))).toMatchObject({
    status: 404,
  })
  const key = app.as(await makeKey(app, shop.profileId, ['exports:write']))
  expect((await refusalOf(key(saveAudienceExclusions, { params, body }))).status).toBeGreaterThanOrEqual(401)
})

it('customer lists require the permission to manage ads', async () => {
  const body = await list([{ email: 'x@example.com' }], { dry_run: false })
  const permission = { action: 'decline_permission', args: { permission: 'ads_management' } }
  await triggerSandbox(app, 'social_ads', 'act', permission)
  expect(await refusalOf(app.as(partnerKey)(sendCustomerList, { body }))).toMatchObject({
    status: 403,
    code: 'social_write_permission_missing',
  })
})
