import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '../../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../../test/export-shop.ts'
import { drainJobs } from '../../../../../test/jobs.ts'
import {
  makeApp,
  makePerson,
  makeWorkspace,
  type PartnerApp,
  type Person,
  provision,
  refusalOf,
} from '../../../../../test/make.ts'
import { mailsTo } from '../../../../../test/outbox.ts'
import { accessJobs } from '../../../../platform/access/jobs.ts'
import { listChanges } from '../../../../platform/audit/contract.ts'
import { createUserToken } from '../../../account/api-keys/contract.ts'
import { grantToApp } from '../../../account/apps/grants.ts'
import { planGrants } from '../../../account/apps/rules.ts'
import { setEntitlement } from '../../../account/profiles/contract.ts'
import { updateComplianceOverview } from '../../../account/workspaces/contract.ts'
import { listGoals, updateGoal } from '../../../corrections/goals/contract.ts'
import {
  createTrackingDomain,
  deleteTrackingDomain,
  issueTrackingKey,
  revokeTrackingKey,
  updateTrackingSettings,
  verifyTrackingDomain,
} from '../../../sources/tracking/contract.ts'
import { createDataDestination, deleteDataDestination } from '../../data-exports/contract.ts'
import { saveConversionSyncCatalog } from '../catalog/contract.ts'
import {
  createExportDestination,
  listExportDestinations,
  updateExportDestination,
} from '../destinations/contract.ts'
import { setPlatformSafeTarget } from '../platform-safe/contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const paid = {
  conversion_key: 'payment_received',
  enabled: true,
  send_value: true,
  consent_default: 'unspecified',
} as const
const agreement = { signed_by: 'Compliance officer', signed_at: '2026-11-01T00:00:00Z' }
const hipaa = (fields: Record<string, unknown> = {}) => ({
  body: { privacy_mode: 'hipaa', conversions: [paid], ...fields },
})
const signed = { hipaa_agreement: agreement, healthcare_export_allowlist: ['payment_received'] }
const pixel = (code: string) =>
  ({
    body: { kind: 'shortvideo', shortvideo_pixel_code: `${code}0123456789`, access_token: 'pasted' },
  }) as const
const needsOwner = { status: 403, code: 'forbidden', reason: 'owner_decision_required' }

/** A member of the shop's workspace, acting on its profile. */
async function member(shop: ExportShop, role: 'admin' | 'editor'): Promise<TestClient> {
  const person = await makePerson(app, role)
  await addMember(shop, person, role)
  return onProfile(shop, person.call)
}

const onProfile = (shop: ExportShop, call: TestClient) =>
  ((entry, input = {}) =>
    call(entry, {
      ...input,
      query: { ...(input.query as object), profile_id: shop.profileId },
    })) as TestClient

const addMember = (shop: ExportShop, person: Person, role: string) =>
  app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: shop.workspaceId, user_id: person.id, role, created_at: new Date() })
    .execute()

/** An app of another company with a grant on the profile. */
async function admittedApp(shop: ExportShop): Promise<{ partner: PartnerApp; call: TestClient }> {
  const stranger = await makePerson(app, 'Partner')
  const partner = await makeApp(app, await makeWorkspace(stranger))
  const planned = planGrants(['attribution'], ['attribution'])
  if (!planned.ok) throw new Error('No plan for attribution')
  const keys = await app.service.db.transaction().execute((tx) =>
    grantToApp(app.service, tx, {
      app: { id: partner.id, name: 'Partner' },
      profileId: shop.profileId,
      userId: shop.owner.id,
      plan: planned.plan,
      now: app.service.clock.now(),
    }),
  )
  return { partner, call: app.as(keys.apiKey) }
}

it('an app with a grant, an editor, a key and a token without workspaces:write may not sign the agreement or extend the allow-list', async () => {
  const shop = await makeExportShop(app)
  const { data: token } = await shop.owner.call(createUserToken, {
    body: { name: 'Assistant', scopes: ['mcp:read', 'mcp:write'] },
  })
  const callers = {
    app: (await admittedApp(shop)).call,
    editor: await member(shop, 'editor'),
    key: shop.call,
    token: onProfile(shop, app.as(token.token)),
  }
  // Refused even before the profile is in the mode, so that nothing can be prepared.
  for (const mode of ['standard', 'hipaa'] as const) {
    const save = (call: TestClient, fields: Record<string, unknown>) =>
      call(saveConversionSyncCatalog, hipaa({ privacy_mode: mode, ...fields }))
    for (const [who, call] of Object.entries(callers)) {
      expect(await refusalOf(save(call, { hipaa_agreement: agreement })), who).toMatchObject(needsOwner)
      const allowlist = { healthcare_export_allowlist: ['payment_received'] }
      expect(await refusalOf(save(call, allowlist)), who).toMatchObject(needsOwner)
    }
    await save(shop.call, {})
  }
  const admin = await member(shop, 'admin')
  expect((await admin(saveConversionSyncCatalog, hipaa(signed))).data).toMatchObject({
    hipaa_agreement: { signed_by: agreement.signed_by },
  })
  // Others may save the same values again, and anyone may restrict them.
  expect((await callers.editor(saveConversionSyncCatalog, hipaa(signed))).data.hipaa_agreement).not.toBeNull()
  expect((await callers.app(saveConversionSyncCatalog, hipaa())).data.hipaa_agreement).toBeNull()
  for (const call of Object.values(callers))
    expect(
      await refusalOf(call(saveConversionSyncCatalog, hipaa({ privacy_mode: 'standard' }))),
    ).toMatchObject(needsOwner)
})

it('a destination of a healthcare workspace requires an owner or admin, also in the mode standard', async () => {
  const shop = await makeExportShop(app)
  const { call } = await admittedApp(shop)
  await call(createExportDestination, pixel('CBEFORE'))
  await shop.owner.call(updateComplianceOverview, {
    params: { workspaceId: shop.workspaceId },
    body: { healthcare: true },
  })
  const editor = await member(shop, 'editor')
  for (const other of [call, editor, shop.call])
    expect(await refusalOf(other(createExportDestination, pixel('CNEW')))).toMatchObject(needsOwner)
  const created = (await shop.decide(createExportDestination, pixel('COWNER'))).data
  expect(created).toMatchObject({ status: 'active' })
  const params = { id: created.id }
  for (const body of [
    { access_token: 'other' },
    { event_map: [] },
    { enabled: true },
    { test_event_code: 'T' },
  ])
    expect(await refusalOf(editor(updateExportDestination, { params, body }))).toMatchObject(needsOwner)
  expect((await editor(updateExportDestination, { params, body: { enabled: false } })).data.enabled).toBe(
    false,
  )
  expect(await refusalOf(call(setPlatformSafeTarget, { body: { target: 'existing' } }))).toMatchObject(
    needsOwner,
  )
})

it('a destination that an app created before the profile became healthcare receives nothing until an owner decides', async () => {
  const shop = await makeExportShop(app)
  const { call } = await admittedApp(shop)
  const created = (await call(createExportDestination, pixel('CEARLY'))).data
  expect(created.status).toBe('active')
  await shop.decide(saveConversionSyncCatalog, hipaa(signed))
  const [destination] = (await shop.call(listExportDestinations)).data
  expect(destination).toMatchObject({ status: 'needs_action', status_reason: 'owner_decision_required' })
  await shop.pay('patient-1')
  await shop.settle()
  expect((await shop.ledger())[0]).toMatchObject({ status: 'skipped', reason: 'owner_decision_required' })
  expect(await receivedBy(app, 'shortvideo')).toEqual([])
  const params = { id: created.id }
  const released = await shop.decide(updateExportDestination, { params, body: { enabled: true } })
  expect(released.data).toMatchObject({ status: 'active', status_reason: null })
  await shop.pay('patient-2')
  await shop.settle()
  expect((await shop.ledger())[0]).toMatchObject({ status: 'sent' })
})

it('what decides which data comes in or leaves a healthcare profile is an owner’s decision, and is audited', async () => {
  const shop = await makeExportShop(app)
  const { call } = await admittedApp(shop)
  await shop.decide(saveConversionSyncCatalog, hipaa(signed))
  await shop.decide(createExportDestination, pixel('CGOALS'))
  await shop.decide(updateTrackingSettings, { body: { consent_mode: 'denied' } })
  const { data: domain } = await shop.decide(createTrackingDomain, { body: { domain: 't.clinic.example' } })
  const { data: key } = await shop.decide(issueTrackingKey)
  const bucket = { endpoint: 'https://s3.example.com', region: 'eu', bucket: 'clinic' }
  const { data: warehouse } = await shop.decide(createDataDestination, {
    body: {
      kind: 's3',
      name: 'Warehouse',
      target: { ...bucket, access_key_id: 'a', secret_access_key: 's' },
    },
  })
  const goals = (await shop.decide(listGoals)).data
  const paidGoal = goals.find(({ conversion_key }) => conversion_key === 'payment_received')!
  const editor = await member(shop, 'editor')
  const params = { id: domain.id }
  for (const [who, as] of Object.entries({ app: call, editor, key: shop.call })) {
    const attempts = [
      () => as(updateTrackingSettings, { body: { consent_mode: 'granted' } }),
      () => as(updateTrackingSettings, { body: { forms: 'off' } }),
      () => as(updateTrackingSettings, { body: { allowed_domains: ['evil.example'] } }),
      () => as(createTrackingDomain, { body: { domain: 'evil.example' } }),
      () => as(verifyTrackingDomain, { params }),
      () => as(deleteTrackingDomain, { params }),
      () => as(revokeTrackingKey, { params: { id: key.id } }),
      () => as(deleteDataDestination, { params: { id: warehouse.id } }),
      () =>
        as(updateGoal, {
          params: { id: paidGoal.id },
          body: { source_event_names: [...paidGoal.source_event_names, 'diagnosis_stored'] },
        }),
    ]
    for (const [index, attempt] of attempts.entries())
      expect([who, index, await refusalOf(attempt())]).toMatchObject([who, index, needsOwner])
    // Settings that decide nothing of the kind stay open.
    await as(updateTrackingSettings, { body: { session_minutes: who.length + 20 } })
  }
  await shop.decide(deleteTrackingDomain, { params })
  await shop.decide(revokeTrackingKey, { params: { id: key.id } })
  await shop.decide(deleteDataDestination, { params: { id: warehouse.id } })
  const { data } = await shop.owner.call(listChanges, { params: { workspaceId: shop.workspaceId } })
  for (const action of [
    'tracking_settings.changed',
    'tracking_domain.registered',
    'tracking_domain.removed',
    'tracking_key.issued',
    'tracking_key.revoked',
    'data_destination.removed',
  ])
    expect(
      data.filter((row) => row.action === action && row.actor.id === shop.owner.id),
      action,
    ).not.toEqual([])
})

it('every owner is mailed each decision, and the audit log records who made it', async () => {
  const shop = await makeExportShop(app)
  const second = await makePerson(app, 'Second owner')
  await addMember(shop, second, 'owner')
  await shop.decide(saveConversionSyncCatalog, hipaa(signed))
  await shop.decide(createExportDestination, pixel('CMAILED'))
  await app.service.db.deleteFrom('jobs').where('name', 'not like', 'access.%').execute()
  await drainJobs(app.service, accessJobs)
  for (const { email } of [shop.owner, second]) {
    const mails = await mailsTo(app, email)
    const text = mails.map((mail) => `${mail.subject}\n${mail.text}`).join('\n')
    expect(text).toMatch(/signed by Compliance officer/)
    expect(text).toMatch(/Goals that may be sent in the mode hipaa: payment_received/)
    expect(text).toMatch(/shortvideo CMAILED/)
    expect(text).toContain(`Decided by ${shop.owner.email}`)
    // Built from the job id and the address, so a repeated job sends the same id.
    expect(mails.at(-1)!.messageId).toMatch(/^<[0-9a-f-]{36}\.[0-9a-f]{16}@/)
  }
  const { data } = await shop.owner.call(listChanges, { params: { workspaceId: shop.workspaceId } })
  for (const action of ['conversion_sync.catalog_saved', 'export_destination.created'])
    expect(data.find((row) => row.action === action)).toMatchObject({ actor: { id: shop.owner.id } })
})

it('the provisioning app may decide in its own workspace only', async () => {
  const shop = await makeExportShop(app)
  const partner = await makeApp(app, shop.workspaceId)
  const { apiKey } = await provision(app, shop.profileId, partner)
  await partner.call(setEntitlement, {
    params: { profileId: shop.profileId, feature: 'attribution' },
    body: { enabled: true },
  })
  expect((await app.as(apiKey)(saveConversionSyncCatalog, hipaa(signed))).data.hipaa_agreement).not.toBeNull()
  // The app is moved to another workspace, so it only has a grant on a profile of someone else.
  const otherWorkspaceId = await makeWorkspace(await makePerson(app, 'Stranger'))
  await app.service.db
    .updateTable('apps')
    .set({ workspace_id: otherWorkspaceId })
    .where('id', '=', partner.id)
    .execute()
  expect(await refusalOf(app.as(apiKey)(createExportDestination, pixel('CFOREIGN')))).toMatchObject(
    needsOwner,
  )
})
