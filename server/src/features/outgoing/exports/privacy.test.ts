import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { makeApp, type PartnerApp, provision, refusalOf } from '../../../../test/make.ts'
import { triggerSandbox } from '../../../../test/make-shop.ts'
import { setEntitlement } from '../../account/profiles/contract.ts'
import { getComplianceOverview } from '../../account/workspaces/contract.ts'
import { explainConversion } from '../../attribution/crediting/contract.ts'
import { saveConversionSyncCatalog } from './catalog/contract.ts'
import { listConversionDataSources } from './data-sources/contract.ts'
import { createExportDestination } from './destinations/contract.ts'
import { setPlatformSafeTarget } from './platform-safe/contract.ts'

let app: TestApp
let shop: ExportShop
let social: { id: string; pixelId: string }
let partner: PartnerApp

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  social = await shop.socialDestination()
  partner = await makeApp(app, shop.workspaceId)
  await provision(app, shop.profileId, partner)
  await partner.call(setEntitlement, {
    params: { profileId: shop.profileId, feature: 'attribution' },
    body: { enabled: true },
  })
})
afterAll(() => app.close())

const paid = {
  conversion_key: 'payment_received',
  enabled: true,
  send_value: true,
  consent_default: 'granted',
} as const
const setMode = (mode: 'standard' | 'platform_safe' | 'hipaa', fields: Record<string, unknown> = {}) =>
  shop.decide(saveConversionSyncCatalog, {
    body: { privacy_mode: mode, conversions: [paid], ...fields },
  })

describe('a privacy mode', () => {
  it('that is set after queueing applies to queued and later conversions', async () => {
    await shop.pay('standard-1')
    await app.service.processor.settled(shop.profileId)
    const before = (await receivedBy(app, 'social_ads')).length
    await setMode('hipaa')
    await shop.settle()
    expect((await shop.ledger()).map((row) => [row.status, row.reason])).toEqual([
      ['skipped', 'hipaa_baa_unsigned'],
    ])
    await shop.pay('hipaa-1')
    await app.service.processor.settled(shop.profileId)
    expect((await shop.ledger())[0]).toMatchObject({
      status: 'skipped',
      reason: 'hipaa_baa_unsigned',
      attempts: 0,
    })
    expect(await receivedBy(app, 'social_ads')).toHaveLength(before)
  })

  it('hipaa sends only the allow-list, without pages, addresses and external ids', async () => {
    const hipaa_agreement = { signed_by: 'Compliance officer', signed_at: '2026-11-01T00:00:00Z' }
    await setMode('hipaa', { hipaa_agreement })
    await shop.pay('hipaa-2')
    await shop.settle()
    expect((await shop.ledger())[0]).toMatchObject({ reason: 'not_on_healthcare_allowlist' })
    await setMode('hipaa', { hipaa_agreement, healthcare_export_allowlist: ['payment_received'] })
    await shop.pay('hipaa-3', {
      page: { url: 'https://clinic.example/hiv-test/booked?id=7' },
      user_traits: { email: 'pat@example.com', external_id: 'patient-7' },
      properties: { client_ip_address: '192.0.2.7', client_user_agent: 'Firefox', fbp: 'fb.1.2.3' },
    })
    await shop.settle()
    const [row] = await shop.ledger()
    expect(row).toMatchObject({ status: 'sent', event_name: 'Purchase' })
    const sent = JSON.stringify(
      (await receivedBy(app, 'social_ads')).find((event) => event.event_id === row!.event_key),
    )
    expect(sent).toContain('LDU')
    expect(sent).not.toMatch(/hiv-test|192\.0\.2\.7|Firefox|fb\.1\.2\.3|external_id/)
  })

  it('with limited data use sends nothing to a platform without a field for it', async () => {
    const other = await makeExportShop(app)
    const { id } = await other.connected('linkedin_ads')
    await other.decide(createExportDestination, {
      body: { kind: 'linkedin', connection_id: id, linkedin_conversion_id: '104012' },
    })
    const before = await receivedBy(app, 'linkedin_ads')
    await other.pay('restricted-1', {
      properties: { consent: { ad_user_data: 'granted', ad_personalization: 'denied' } },
    })
    await other.settle()
    await other.decide(saveConversionSyncCatalog, {
      body: {
        privacy_mode: 'hipaa',
        conversions: [paid],
        hipaa_agreement: { signed_by: 'Compliance officer', signed_at: '2026-11-01T00:00:00Z' },
        healthcare_export_allowlist: ['payment_received'],
      },
    })
    await other.pay('hipaa-4')
    await other.settle()
    expect((await other.ledger()).map(({ reason }) => reason)).toEqual([
      'limited_data_use',
      'limited_data_use',
    ])
    expect(await receivedBy(app, 'linkedin_ads')).toEqual(before)
  })

  it('platform_safe sends nothing without the clean dataset', async () => {
    await setMode('platform_safe')
    await shop.pay('safe-1')
    await shop.settle()
    expect((await shop.ledger())[0]).toMatchObject({ status: 'skipped', reason: 'clean_dataset_required' })
  })

  it('appears in explain and in the compliance overview, and makes the profile a healthcare profile', async () => {
    const [row] = await shop.ledger()
    const explained = await shop.call(explainConversion, { params: { id: row!.conversion_id } })
    expect(explained.data.privacy_mode).toEqual({ mode: 'platform_safe', withheld: ['conversion'] })
    const params = { workspaceId: shop.workspaceId }
    const { data } = await shop.owner.call(getComplianceOverview, { params })
    expect(data.profiles).toMatchObject([
      { privacy_mode: 'platform_safe', is_healthcare: true, export_destinations: 1 },
    ])
    await setMode('hipaa', {
      hipaa_agreement: { signed_by: 'Officer', signed_at: '2026-11-01T00:00:00Z' },
      healthcare_export_allowlist: ['payment_received'],
    })
    const updated = await shop.call(explainConversion, { params: { id: row!.conversion_id } })
    expect(updated.data.privacy_mode?.withheld).toContain('external_ids')
    const signed = await shop.owner.call(getComplianceOverview, { params })
    expect(signed.data.profiles[0]!.hipaa_agreement_signed_at).not.toBeNull()
  })

  it('may be made less strict only by owners and admins', async () => {
    const other = await makeApp(app, shop.workspaceId)
    const { apiKey } = await provision(app, shop.profileId, other)
    await provision(app, shop.profileId, partner)
    const body = { privacy_mode: 'standard', conversions: [paid] }
    expect(await refusalOf(app.as(apiKey)(saveConversionSyncCatalog, { body }))).toMatchObject({
      status: 403,
      reason: 'owner_decision_required',
    })
    await setMode('standard')
    await shop.pay('standard-2')
    await shop.settle()
    expect((await shop.ledger())[0]).toMatchObject({ status: 'sent' })
    const explained = await shop.call(explainConversion, { params: { id: 'standard-2' } })
    expect(explained.data.privacy_mode).toBeNull()
  })
})

describe('the clean dataset', () => {
  it('is refused outside the mode platform_safe and without a person’s consent', async () => {
    const target = (body: Record<string, unknown>) =>
      refusalOf(shop.decide(setPlatformSafeTarget, { body: { target: 'clean_dataset', ...body } }))
    expect(await target({})).toMatchObject({ status: 409, code: 'platform_safe_required' })
    await setMode('platform_safe')
    const refusal = await target({ move_ad_sets: 'duplicate_and_swap' })
    expect(refusal).toMatchObject({ status: 409, code: 'consent_required' })
    expect(refusal.consent).toMatchObject({ version: expect.any(String), text_hashes: [expect.any(String)] })
    const stale = {
      version: refusal.consent!.version,
      text_hash: (refusal.consent!.text_hashes as string[])[0],
      accepted_by: 'Ana',
      accepted_at: new Date(Date.now() - 25 * 3_600_000).toISOString(),
    }
    expect(await target({ move_ad_sets: 'duplicate_and_swap', consent: stale })).toMatchObject({
      code: 'consent_required',
    })
    const newShop = await makeExportShop(app)
    await newShop.call(saveConversionSyncCatalog, {
      body: { privacy_mode: 'platform_safe', conversions: [] },
    })
    expect(
      await refusalOf(newShop.decide(setPlatformSafeTarget, { body: { target: 'clean_dataset' } })),
    ).toMatchObject({ status: 409, code: 'social_connection_required' })
    await setMode('standard')
  })
})

describe('the clean dataset of a profile in platform_safe', () => {
  const set = (body: Record<string, unknown>) => shop.decide(setPlatformSafeTarget, { body })
  const refusalFor = (body: Record<string, unknown>) => refusalOf(set(body))

  it('receives the conversions with neutral names until the target is reset', async () => {
    await setMode('platform_safe')
    const created = (await set({ target: 'clean_dataset' })).data
    expect(created).toMatchObject({ created: true, previous_dataset_id: social.pixelId, swapped: [] })
    expect((await set({ target: 'clean_dataset' })).data).toMatchObject({
      created: false,
      dataset_id: created.dataset_id,
    })
    await shop.pay('clean-1')
    await shop.settle()
    const [row] = await shop.ledger({ destination_id: social.id })
    expect(row).toMatchObject({ status: 'sent' })
    expect(row!.event_name).toMatch(/^milestone_/)
    const received = await receivedBy(app, 'social_ads')
    expect(received.find((event) => event.event_id === row!.event_key)).toMatchObject({
      pixel_id: created.dataset_id,
    })
    const explained = await shop.call(explainConversion, { params: { id: 'clean-1' } })
    expect(explained.data.privacy_mode?.withheld).toContain('event_name')
  })

  it('is not abandoned while ad sets deliver on it, unless that is confirmed', async () => {
    const { consent } = await refusalFor({ target: 'clean_dataset', move_ad_sets: 'duplicate_and_swap' })
    const acceptedConsent = {
      version: consent!.version,
      text_hash: (consent!.text_hashes as string[])[0],
      accepted_by: 'Ana',
      accepted_at: new Date().toISOString(),
    }
    const moved = await set({
      target: 'clean_dataset',
      move_ad_sets: 'duplicate_and_swap',
      consent: acceptedConsent,
    })
    expect(moved.data.swapped.length).toBeGreaterThan(0)
    expect(moved.data.swapped.map((adSet) => adSet.id)).toEqual(
      moved.data.live_ad_sets.map((adSet) => adSet.id),
    )
    const expectedRefusal = { status: 409, code: 'clean_dataset_has_live_ad_sets' }
    expect(await refusalFor({ target: 'existing' })).toMatchObject(expectedRefusal)
    await triggerSandbox(app, 'social_ads', 'act', { action: 'hide_ad_sets', args: {} })
    expect(await refusalFor({ target: 'existing' })).toMatchObject(expectedRefusal)
    const confirmed = await set({ target: 'existing', confirm_live_ad_sets: true })
    expect(confirmed.data).toMatchObject({ target: 'existing', dataset_id: social.pixelId })
    await setMode('standard')
  })

  it('requires the permission to manage ads', async () => {
    const other = await makeExportShop(app)
    await other.socialDestination()
    await other.call(saveConversionSyncCatalog, { body: { privacy_mode: 'platform_safe', conversions: [] } })
    await triggerSandbox(app, 'social_ads', 'act', {
      action: 'decline_permission',
      args: { permission: 'ads_management' },
    })
    expect(
      await refusalOf(other.decide(setPlatformSafeTarget, { body: { target: 'clean_dataset' } })),
    ).toMatchObject({ status: 403, code: 'social_write_permission_missing' })
  })
})

describe('data sources', () => {
  const sourceOf = async (kind: string) =>
    (await shop.call(listConversionDataSources)).data.find((source) => source.kind === kind)
  const create = (source: string) =>
    refusalOf(
      shop.call(createExportDestination, {
        body: { kind: 'social', social_pixel_id: '77', data_source: source },
      }),
    )
  const connect = (provider: string, subtype: string) =>
    app.service.db
      .insertInto('connections')
      .values({
        profile_id: shop.profileId,
        id: crypto.randomUUID(),
        provider,
        external_id: subtype,
        display_name: provider,
        provider_subtype: subtype,
        status: 'connected',
        scopes: [],
        token_version: 1,
        authorized_at: new Date(),
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute()

  it('list why they cannot be used, and a destination with one is refused', async () => {
    expect(await sourceOf('website')).toMatchObject({ dataset_id: social.pixelId, reason_code: null })
    expect(await sourceOf('chatapp')).toMatchObject({
      available: false,
      reason_code: 'chatapp_not_connected',
    })
    expect(await create('chatapp')).toMatchObject({ status: 409, code: 'chatapp_connection_required' })
    expect(await sourceOf('photoapp')).toMatchObject({ reason_code: 'photoapp_not_connected' })
    expect(await create('photoapp')).toMatchObject({ status: 409, code: 'photoapp_connection_required' })
    await connect('photoapp', 'own_login')
    expect(await create('photoapp')).toMatchObject({ status: 409, code: 'photoapp_facebook_login_required' })
    await connect('photoapp', 'facebook_login')
    expect(await sourceOf('photoapp')).toMatchObject({ available: true, reason_code: null })
  })

  it('limit which conversions a destination receives', async () => {
    const created = await shop.call(createExportDestination, {
      body: { kind: 'social', social_pixel_id: '78', data_source: 'crm' },
    })
    await shop.pay('website-1')
    await app.service.processor.settled(shop.profileId)
    expect(await shop.ledger({ destination_id: created.data.id })).toEqual([])
    expect((await shop.ledger({ destination_id: social.id }))[0]).toMatchObject({ status: 'queued' })
  })
})
