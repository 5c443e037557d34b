import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, refusalOf } from '../../../../test/make.ts'
import { eventsOf, triggerSandbox } from '../../../../test/make-shop.ts'
import type { Pagination } from '../../../platform/contract/page.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getConversionSyncCatalog, saveConversionSyncCatalog } from './catalog/contract.ts'
import {
  createExportDestination,
  listExportDestinations,
  updateExportDestination,
} from './destinations/contract.ts'
import { type ExportLedgerRow, getExportRun, listExportLedger, listExportRuns } from './ledger/contract.ts'
import { sendTestEvent } from './test-event/contract.ts'

let app: TestApp
let shop: ExportShop
let social: { id: string; pixelId: string }

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  social = await shop.socialDestination()
})
afterAll(() => app.close())

const shortvideo = (fields: Record<string, unknown> = {}) => ({
  kind: 'shortvideo',
  shortvideo_pixel_code: 'CPIXEL0123456789',
  access_token: 'pasted',
  ...fields,
})

async function audits(action: string) {
  const rows = await app.service.db
    .selectFrom('audit_log')
    .select('detail')
    .where('profile_id', '=', shop.profileId)
    .where('action', '=', action)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.detail)
}

describe('a destination', () => {
  it('is created with default event names, listed, changed and audited, and never shows its token', async () => {
    const created = await shop.call(createExportDestination, { body: shortvideo({ enabled: false }) })
    expect(created.data).toMatchObject({
      kind: 'shortvideo',
      connection_id: null,
      shortvideo_pixel_code: 'CPIXEL0123456789',
      social_pixel_id: null,
      status: 'disabled',
      last_run: null,
      waiting: 0,
    })
    expect(created.data.event_map).toContainEqual({
      conversion_key: 'payment_received',
      event_name: 'Purchase',
    })
    const { rows } = await sql<{ text: string }>`select d::text as text from export_destinations d`.execute(
      app.service.db,
    )
    expect(rows.map((row) => row.text).join()).not.toContain('pasted')
    const params = { id: created.data.id }
    const changed = await shop.call(updateExportDestination, {
      params,
      body: { display_name: 'Clips', access_token: 'another', test_event_code: 'T1' },
    })
    expect(changed.data).toMatchObject({ display_name: 'Clips', test_event_code: 'T1', enabled: false })
    const listed = (await shop.call(listExportDestinations)).data
    expect(listed.map((row) => [row.kind, row.status])).toEqual([
      ['social', 'active'],
      ['shortvideo', 'disabled'],
    ])
    const text = JSON.stringify([
      await audits('export_destination.created'),
      await audits('export_destination.changed'),
    ])
    expect(text).toContain('Clips')
    expect(text).toContain('replaced')
    expect(text).not.toMatch(/pasted|another/)
  })

  it('conflicts with a second one for the same target, even while disabled', async () => {
    const [, existing] = (await shop.call(listExportDestinations)).data
    const refusal = await refusalOf(shop.call(createExportDestination, { body: shortvideo() }))
    expect(refusal).toMatchObject({
      status: 409,
      code: 'destination_conflict',
      conflicting_destination_id: existing!.id,
    })
  })

  it('is refused without a usable connection, valid event map and token', async () => {
    const create = (body: Record<string, unknown>) => refusalOf(shop.call(createExportDestination, { body }))
    const other = await makeExportShop(app)
    const stranger = await other.connected('social_ads')
    const unknownId = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'
    const pixel = { kind: 'social', social_pixel_id: '1' }
    expect(await create({ ...pixel, connection_id: stranger.id })).toMatchObject({ status: 404 })
    expect(await create({ ...pixel, connection_id: unknownId })).toMatchObject({ status: 404 })
    const crm = await other.connected('crmsuite')
    expect(
      await refusalOf(other.call(createExportDestination, { body: { ...pixel, connection_id: crm.id } })),
    ).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
    expect(await create({ kind: 'engine', social_pixel_id: '1', connection_id: crm.id })).toMatchObject({
      status: 422,
    })
    const map = [{ conversion_key: 'nothing_such', event_name: 'X' }]
    expect(await create(shortvideo({ shortvideo_pixel_code: 'COTHER', event_map: map }))).toMatchObject({
      status: 422,
    })
    const newShop = await makeExportShop(app)
    expect(await refusalOf(newShop.call(createExportDestination, { body: pixel }))).toMatchObject({
      status: 409,
      code: 'social_connection_required',
    })
    await app.service.db
      .updateTable('connections')
      .set({ status: 'reconnect_required' })
      .where('id', '=', stranger.id)
      .execute()
    const disconnected = { ...pixel, connection_id: stranger.id }
    expect(await refusalOf(other.call(createExportDestination, { body: disconnected }))).toMatchObject({
      status: 409,
      code: 'connection_not_ready',
    })
  })

  it('cannot change its target, and is invisible to other profiles', async () => {
    const change = (body: Record<string, unknown>, id = social.id, call = shop.call) =>
      refusalOf(call(updateExportDestination, { params: { id }, body }))
    expect(await change({ social_pixel_id: '2' })).toMatchObject({ status: 422, code: 'validation_error' })
    expect(await change({ access_token: 'x' })).toMatchObject({ status: 422 })
    const other = await makeExportShop(app)
    expect(await change({ enabled: false }, social.id, other.call)).toMatchObject({ status: 404 })
  })
})

describe('a conversion', () => {
  it('is queued with its payment, sent once, and reported', async () => {
    await shop.pay('first', {
      click_ids: { fbclid: 'AbC' },
      page: { url: 'https://shop.example/thanks?x=1' },
    })
    await app.service.processor.settled(shop.profileId)
    expect((await shop.ledger()).map((row) => [row.status, row.attempts])).toEqual([['queued', 0]])
    expect((await shop.call(listExportDestinations)).data[0]).toMatchObject({ waiting: 1 })
    await shop.settle()
    const [row] = await shop.ledger()
    expect(row).toMatchObject({
      destination_id: social.id,
      status: 'sent',
      attempts: 1,
      event_name: 'Purchase',
      value: 100,
      currency: 'EUR',
      adjustment: 'none',
      provider_status: 'success',
      reason: null,
    })
    const received = (await receivedBy(app, 'social_ads')).filter(
      (event) => event.event_id === row!.event_key,
    )
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ pixel_id: social.pixelId, event_name: 'Purchase' })
    const { data: runs } = await shop.call(listExportRuns, { query: { destination_id: social.id } })
    expect(runs).toMatchObject([{ status: 'sent', sent: 1, failed: 0, skipped: 0, requests: 1 }])
    expect((await shop.call(getExportRun, { params: { run_id: runs[0]!.run_id } })).data).toEqual(runs[0])
    expect(await eventsOf(app, shop.profileId)).toContain('export.completed')
    const [destination] = (await shop.call(listExportDestinations)).data
    expect(destination).toMatchObject({
      waiting: 0,
      last_run: { run_id: runs[0]!.run_id, status: 'sent', sent: 1, provider_status: 'success' },
    })
  })

  it('is not sent twice for a repeated event, and its event can no longer be retracted', async () => {
    await shop.pay('first', {
      click_ids: { fbclid: 'AbC' },
      page: { url: 'https://shop.example/thanks?x=1' },
    })
    await shop.settle()
    expect(await shop.ledger()).toHaveLength(1)
    const refusal = await refusalOf(shop.call(retractEvent, { body: { idempotency_key: 'first' } }))
    expect(refusal).toMatchObject({ status: 409, code: 'event_already_exported' })
  })

  it('that changes after sending gets an adjustment, which this platform does not support', async () => {
    await shop.pay('first', {
      click_ids: { fbclid: 'AbC' },
      page: { url: 'https://shop.example/thanks?x=1' },
      properties: { value: '80.00' },
    })
    await shop.settle()
    const [adjusted] = await shop.ledger()
    expect(adjusted).toMatchObject({
      status: 'skipped',
      reason: 'adjustment_unsupported',
      adjustment: 'unsupported',
      adjustment_no: 1,
      value: 80,
    })
    await shop.settle()
    expect(await shop.ledger()).toHaveLength(2)
  })

  it('without match values, without consent or too old is skipped with its reason', async () => {
    const start = (await shop.ledger()).length
    await shop.pay('unidentified', { user_traits: {}, anonymous_id: 'v-1' })
    await shop.pay('refused', { properties: { consent: { ad_user_data: 'denied' } } })
    await shop.pay('old', { timestamp: new Date(Date.now() - 8 * 86_400_000).toISOString() })
    await shop.settle()
    const rows = (await shop.ledger()).slice(0, -start)
    expect(rows.map((row) => [row.status, row.reason]).sort()).toEqual([
      ['skipped', 'consent_denied'],
      ['skipped', 'no_match_keys'],
      ['skipped', 'too_old'],
    ])
  })

  it('from before the destination was created, or of a goal that is not mapped, is not sent', async () => {
    const before = (await shop.ledger()).length
    await shop.call(sendEvent, {
      body: { event_name: 'quote_presented', user_traits: { email: 'q@example.com' } },
    })
    await shop.settle()
    expect(await shop.ledger()).toHaveLength(before)
  })
})

describe('a platform that fails', () => {
  it('is retried later; a conversion that it refuses permanently fails without the others', async () => {
    await triggerSandbox(app, 'social_ads', 'fault', {
      kind: 'rate_limited',
      match: '/',
      times: 1,
      retry_after_seconds: 100,
    })
    await shop.pay('later')
    await shop.settle()
    const [queued] = await shop.ledger()
    expect(queued).toMatchObject({ status: 'queued', attempts: 1 })
    const { db } = app.service
    const destination = await db
      .selectFrom('export_destinations')
      .select(['retry_at', 'retries'])
      .where('id', '=', social.id)
      .executeTakeFirstOrThrow()
    expect(destination.retries).toBe(1)
    expect(destination.retry_at!.getTime()).toBeGreaterThan(Date.now() + 90_000)
    await db.updateTable('export_destinations').set({ retry_at: null }).where('id', '=', social.id).execute()
    await shop.pay('another')
    await shop.settle()
    expect(await shop.ledger({ status: 'queued' })).toEqual([])
    expect((await shop.ledger()).slice(0, 2).map((row) => row.status)).toEqual(['sent', 'sent'])
  })
})

it('ledger and runs are listed page by page, newest first, with filters', async () => {
  const ledger = await shop.ledger()
  expect(ledger.length).toBeGreaterThan(3)
  const rows: string[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = cursor === null ? { limit: '2' } : { limit: '2', cursor }
    const page = await shop.call(listExportLedger, { query })
    rows.push(...page.data.map((row) => row.id))
    cursor = (page.pagination as Pagination).cursor
  } while (cursor !== null)
  expect(rows).toEqual(ledger.map((row) => row.id))
  expect(rows).toEqual(rows.toSorted().toReversed())
  const [{ conversion_id }] = ledger as [ExportLedgerRow]
  const conversionRows = await shop.ledger({ conversion_id })
  expect(conversionRows.map((row) => row.id)).toEqual(
    ledger.filter((row) => row.conversion_id === conversion_id).map((row) => row.id),
  )
  const skipped = await shop.ledger({ status: 'skipped' })
  expect(skipped).toEqual(ledger.filter((row) => row.status === 'skipped'))
  const first = await shop.call(listExportRuns, { query: { limit: '1' } })
  const after = (first.pagination as Pagination).cursor!
  const next = await shop.call(listExportRuns, { query: { limit: '1', cursor: after } })
  const all = (await shop.call(listExportRuns)).data.map((run) => run.run_id)
  expect([first.data[0]!.run_id, next.data[0]!.run_id]).toEqual(all.slice(0, 2))
})

it('a test event reaches the platform with its code', async () => {
  await shop.call(updateExportDestination, { params: { id: social.id }, body: { test_event_code: 'TEST1' } })
  const { data } = await shop.call(sendTestEvent, { params: { id: social.id }, body: {} })
  expect(data).toMatchObject({ accepted: true, code: null, event_name: 'Purchase' })
  await shop.call(updateExportDestination, { params: { id: social.id }, body: { test_event_code: null } })
})

describe('the catalogue', () => {
  it('has every goal enabled until it is saved, and saving replaces it entirely', async () => {
    const before = (await shop.call(getConversionSyncCatalog)).data
    expect(before).toMatchObject({ privacy_mode: 'standard', updated_at: null })
    expect(before.conversions.every((entry) => entry.enabled && entry.send_value)).toBe(true)
    const saved = await shop.call(saveConversionSyncCatalog, {
      body: {
        privacy_mode: 'standard',
        conversions: [
          {
            conversion_key: 'payment_received',
            enabled: true,
            send_value: false,
            consent_default: 'granted',
          },
        ],
      },
    })
    expect(saved.data.updated_at).not.toBeNull()
    expect(
      saved.data.conversions.filter((entry) => entry.enabled).map((entry) => entry.conversion_key),
    ).toEqual(['payment_received'])
    await shop.pay('worth')
    await shop.settle()
    expect((await shop.ledger())[0]).toMatchObject({ status: 'sent', value: null })
    expect(await audits('conversion_sync.catalog_saved')).toHaveLength(1)
  })

  it('refuses unknown goals and callers without permission', async () => {
    const save = (body: Record<string, unknown>, call = shop.call) =>
      refusalOf(
        call(saveConversionSyncCatalog, {
          body: { privacy_mode: 'standard', conversions: [], ...body },
        }),
      )
    const unknown = { conversion_key: 'no_such', enabled: true, send_value: true, consent_default: 'granted' }
    expect(await save({ conversions: [unknown] })).toMatchObject({ status: 422, code: 'validation_error' })
    expect(await save({ healthcare_export_allowlist: ['no_such'] })).toMatchObject({ status: 422 })
    const reader = app.as(await makeKey(app, shop.profileId, ['exports:read']))
    expect(await save({}, reader)).toMatchObject({ status: 403, code: 'insufficient_scope' })
    const owner = await makePerson(app, 'Stranger')
    const stranger = await makeProfile(owner, await makeWorkspace(owner))
    const outside = app.as(await makeKey(app, stranger, ['exports:read']))
    expect((await outside(listExportRuns)).data).toEqual([])
  })
})

it.each(['x', 'WyJ4Il0', 'W10'])(
  'a broken cursor (%s) is refused, not read as the first page',
  async (cursor) => {
    const query = { cursor }
    const pages = [() => shop.call(listExportLedger, { query }), () => shop.call(listExportRuns, { query })]
    for (const read of pages)
      expect(await refusalOf(read())).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      })
  },
)
