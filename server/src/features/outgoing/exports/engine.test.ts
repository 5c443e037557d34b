/** Exports to engine_ads, which accepts restatements, reports diagnostics later and has customer lists. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { runSchedule } from '../../../../test/jobs.ts'
import { makeApp, type PartnerApp, provision, refusalOf } from '../../../../test/make.ts'
import { eventsOf, moveClock, triggerSandbox } from '../../../../test/make-shop.ts'
import { promoteDue } from '../../../platform/jobs/claim.ts'
import { setEntitlement } from '../../account/profiles/contract.ts'
import { deleteRefund, recordRefund } from '../../corrections/payments/contract.ts'
import { saveAudienceExclusions, sendCustomerList } from './audiences/contract.ts'
import { saveConversionSyncCatalog } from './catalog/contract.ts'
import { createExportDestination, listExportDestinations } from './destinations/contract.ts'
import { exportJobs } from './jobs.ts'
import { listExportRuns } from './ledger/contract.ts'
import { sendTestEvent } from './test-event/contract.ts'

let app: TestApp
let shop: ExportShop
let connectionId: string
let destinationId: string
let partner: PartnerApp
let partnerKey: string

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  connectionId = (await shop.connected('engine_ads')).id
  const created = await shop.call(createExportDestination, {
    body: { kind: 'engine', connection_id: connectionId, engine_conversion_action: '987654321' },
  })
  destinationId = created.data.id
  partner = await makeApp(app, shop.workspaceId)
  partnerKey = (await provision(app, shop.profileId, partner)).apiKey
  await partner.call(setEntitlement, {
    params: { profileId: shop.profileId, feature: 'attribution' },
    body: { enabled: true },
  })
})
afterAll(() => app.close())

const granted = { consent: { ad_user_data: 'granted', ad_personalization: 'granted' } }
const pay = (key: string, fields: Record<string, unknown> = {}) =>
  shop.pay(key, { click_ids: { gclid: `click-${key}` }, properties: granted, ...fields })
const receivedOf = async (eventKey: string) =>
  JSON.stringify(
    (await receivedBy(app, 'engine_ads')).filter((event) => JSON.stringify(event).includes(eventKey)),
  )
const paymentOf = async (key: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from payments where profile_id = ${shop.profileId} and external_id = ${key}`.execute(
    app.service.db,
  )
  return rows[0]!.id
}

describe('a refund', () => {
  it('restates a sent conversion; undoing the refund restates it again', async () => {
    await pay('r-1')
    await shop.settle()
    const [sent] = await shop.ledger()
    expect(sent).toMatchObject({
      status: 'sent',
      value: 100,
      provider_status: 'processing',
      event_name: 'purchase',
    })
    expect(sent!.provider_request_id).not.toBeNull()
    const params = { payment_id: await paymentOf('r-1') }
    await shop.call(recordRefund, { params, body: { amount: 30 } })
    await shop.settle()
    const [restated] = await shop.ledger()
    expect(restated).toMatchObject({ adjustment: 'restate', adjustment_no: 1, status: 'sent', value: 70 })
    expect(restated!.event_key).toBe(sent!.event_key)
    expect(await receivedOf(sent!.event_key)).toMatch(/70/)
    await shop.call(deleteRefund, { params })
    await shop.settle()
    expect((await shop.ledger())[0]).toMatchObject({ adjustment: 'restate', adjustment_no: 2, value: 100 })
  })

  it('before the conversion is sent creates no second ledger row', async () => {
    await pay('r-2')
    await app.service.processor.settled(shop.profileId)
    const params = { payment_id: await paymentOf('r-2') }
    await shop.call(recordRefund, { params, body: { amount: 40 } })
    await shop.settle()
    const rows = (await shop.ledger()).filter((row) => row.value === 60)
    expect(rows.map((row) => [row.adjustment, row.status])).toEqual([['none', 'sent']])
  })
})

it('conversions that are too old for the platform are skipped, not queued', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await pay('year-old', { timestamp: daysAgo(300) })
  await pay('month-old', { timestamp: daysAgo(30) })
  await app.service.processor.settled(shop.profileId)
  const rows = (await shop.ledger()).slice(0, 2)
  expect(rows.map((row) => [row.status, row.reason, row.attempts]).toSorted()).toEqual([
    ['queued', null, 0],
    ['skipped', 'too_old', 0],
  ])
  await shop.settle()
})

it('later diagnostics of the platform are reported per run', async () => {
  await triggerSandbox(app, 'engine_ads', 'act', { action: 'fail_processing', args: { count: 1 } })
  await pay('d-1')
  await pay('d-2')
  await shop.settle()
  const [run] = (await shop.call(listExportRuns)).data
  expect(run).toMatchObject({ sent: 2, provider_status: 'processing', diagnostics: [] })
  await moveClock(app, 31 * 60)
  await promoteDue(app.service.db)
  await shop.settle()
  const [latest] = (await shop.call(listExportRuns)).data
  expect(latest).toMatchObject({ run_id: run!.run_id, provider_status: 'partial_success' })
  expect(latest!.diagnostics).toMatchObject([{ count: 1 }])
  // The platform does not report which of the two failed.
  expect((await shop.ledger())[0]).toMatchObject({ provider_status: 'partial_success', reason: null })
})

it('a conversion shows the reason if the platform refused its whole request for one reason', async () => {
  const args = { reason: 'PROCESSING_ERROR_REASON_INVALID_GCLID', count: 2 }
  await triggerSandbox(app, 'engine_ads', 'act', { action: 'fail_processing', args })
  await pay('whole-1')
  await pay('whole-2')
  await shop.settle()
  await moveClock(app, 31 * 60)
  await promoteDue(app.service.db)
  await shop.settle()
  const latest = (await shop.ledger()).slice(0, 2).map((row) => [row.status, row.provider_status, row.reason])
  expect(latest).toEqual([
    ['sent', 'failed', 'invalid_gclid'],
    ['sent', 'failed', 'invalid_gclid'],
  ])
})

it('a test event needs its code', async () => {
  await pay('p-1')
  await shop.settle()
  expect(
    await refusalOf(shop.call(sendTestEvent, { params: { id: destinationId }, body: {} })),
  ).toMatchObject({ status: 409, reason: 'test_event_code_missing' })
})

describe('a customer list', () => {
  const send = async (members: Record<string, unknown>[], fields: Record<string, unknown> = {}) =>
    app.as(partnerKey)(sendCustomerList, {
      body: {
        connection_id: connectionId,
        audience: { name: 'Members' },
        operation: 'add',
        members,
        consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
        ...fields,
      },
    })
  const listed = async (id: string) => {
    const { lists } = await triggerSandbox(app, 'engine_ads', 'act', { action: 'customer_lists', args: {} })
    return (lists as { id: string; name: string; members: unknown[] }[]).find((list) => id.includes(list.id))!
  }

  it('is created once, filled and replaced, and excluded people are removed from it', async () => {
    await shop.settle()
    const first = (await send([{ email: 'r-1@example.com' }, { email: 'r-2@example.com' }])).data
    expect(first).toMatchObject({ received: 2, queued: 2, excluded: 0, invalid: [] })
    expect((await listed(first.audience_id!)).members).toHaveLength(2)
    const second = (await send([{ email: 'd-1@example.com' }])).data
    expect(second.audience_id).toBe(first.audience_id)
    expect((await listed(first.audience_id!)).members).toHaveLength(3)
    await send([{ email: 'r-1@example.com' }, { email: 'd-1@example.com' }], { operation: 'replace' })
    expect((await listed(first.audience_id!)).members).toHaveLength(2)
    const { rows } = await sql<{ id: string }>`
      select i.customer_id as id from identity_traits t
      join identifiers i on i.profile_id = t.profile_id and i.id = t.identifier_id
      where t.profile_id = ${shop.profileId} and t.value = 'r-1@example.com'`.execute(app.service.db)
    const excluded = await partner.call(saveAudienceExclusions, {
      params: { profileId: shop.profileId },
      body: { customer_ids: [rows[0]!.id] },
    })
    expect(excluded.data).toMatchObject({ added: 1, removals_queued: 1 })
    await shop.settle()
    expect((await listed(first.audience_id!)).members).toHaveLength(1)
    await send([{ email: 'd-1@example.com' }], { operation: 'remove' })
    expect((await listed(first.audience_id!)).members).toHaveLength(0)
  })

  it('requires the platform’s terms, and has a neutral name in platform_safe', async () => {
    await triggerSandbox(app, 'engine_ads', 'act', { action: 'refuse_terms', args: {} })
    expect(await refusalOf(send([{ email: 'x@example.com' }]))).toMatchObject({
      status: 428,
      code: 'audience_tos_required',
    })
    await triggerSandbox(app, 'engine_ads', 'act', { action: 'refuse_terms', args: { on: false } })
    await shop.decide(saveConversionSyncCatalog, {
      body: { privacy_mode: 'platform_safe', conversions: [], partner_customer_list: true },
    })
    const created = (await send([{ email: 'x@example.com' }], { audience: { name: 'Diabetes patients' } }))
      .data
    expect((await listed(created.audience_id!)).name).not.toMatch(/diabetes/i)
    await shop.decide(saveConversionSyncCatalog, {
      body: {
        privacy_mode: 'standard',
        conversions: [
          { conversion_key: 'payment_received', enabled: true, send_value: true, consent_default: 'granted' },
        ],
      },
    })
  })
})

it('a lost authorization is reported once, keeps the queue, and sending continues after a new consent', async () => {
  const { db } = app.service
  const setStatus = (status: string) =>
    db.updateTable('connections').set({ status }).where('id', '=', connectionId).execute()
  await setStatus('reconnect_required')
  await pay('lost-1')
  await shop.settle()
  const needing = (await shop.call(listExportDestinations)).data[0]
  expect(needing).toMatchObject({ status: 'needs_action', status_reason: 'authorization_lost', waiting: 1 })
  expect(needing!.last_run).toMatchObject({ status: 'failed', sent: 0 })
  await pay('lost-2')
  await shop.settle()
  expect((await eventsOf(app, shop.profileId)).filter((type) => type === 'export.failed')).toHaveLength(1)
  await setStatus('connected')
  await runSchedule(app.service, exportJobs, 'exports.resume')
  await shop.settle()
  expect((await shop.call(listExportDestinations)).data[0]).toMatchObject({ status: 'active', waiting: 0 })
  expect((await shop.ledger()).slice(0, 2).map((row) => row.status)).toEqual(['sent', 'sent'])
})

it('no export table and no job contains personal data', async () => {
  const tables = [
    'conversion_exports',
    'export_runs',
    'export_requests',
    'export_destinations',
    'audience_members',
  ]
  const tableTexts = await Promise.all(
    [...tables, 'audience_runs', 'audience_lists', 'jobs', 'audit_log', 'outbox_events'].map(
      async (table) => {
        const { rows } = await sql<{
          text: string
        }>`select t::text as text from ${sql.table(table)} t`.execute(app.service.db)
        return rows.map((row) => row.text).join('\n')
      },
    ),
  )
  const text = tableTexts.join('\n')
  expect(text.length).toBeGreaterThan(1000)
  expect(text).not.toMatch(/(r|d|p|lost)-\d@example\.com|click-/)
})
