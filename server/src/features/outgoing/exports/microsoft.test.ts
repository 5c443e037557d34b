/** Conversions to a UET tag of Microsoft Advertising, which has no test events. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { refusalOf } from '../../../../test/make.ts'
import { triggerSandbox } from '../../../../test/make-shop.ts'
import { createExportDestination, updateExportDestination } from './destinations/contract.ts'
import { previewExportDestination } from './preview/contract.ts'

let app: TestApp
let shop: ExportShop
let connectionId: string
let tagId: string
let destinationId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  connectionId = (await shop.connected('microsoft_ads')).id
  tagId = String((await triggerSandbox(app, 'microsoft_ads', 'act', { action: 'uet_tag', args: {} })).id)
  const created = await shop.call(createExportDestination, {
    body: { kind: 'microsoft', connection_id: connectionId, microsoft_uet_tag_id: tagId },
  })
  destinationId = created.data.id
  expect(created.data).toMatchObject({ kind: 'microsoft', microsoft_uet_tag_id: tagId, status: 'active' })
})
afterAll(() => app.close())

it('sends a payment with its click to the tag, once', async () => {
  await shop.pay('ms-1', {
    click_ids: { msclkid: '5b2e4f0ac9d01a3e2c1b2d4e6f7a8b9c' },
    properties: { consent: { ad_user_data: 'granted', ad_personalization: 'granted' } },
  })
  await shop.settle()
  const [sent] = await shop.ledger()
  expect(sent).toMatchObject({ status: 'sent', event_name: 'purchase', value: 100 })
  expect(await receivedBy(app, 'microsoft_ads')).toMatchObject([
    {
      tagId,
      eventName: 'purchase',
      eventId: sent!.event_key,
      adStorageConsent: 'G',
      userData: { msclkid: '5b2e4f0a-c9d0-1a3e-2c1b-2d4e6f7a8b9c' },
    },
  ])
  const { data } = await shop.call(previewExportDestination, { params: { id: destinationId }, query: {} })
  expect(data.bodies).toHaveLength(1)
})

it('refuses a test event code, because the platform would count the event', async () => {
  const refusal = await refusalOf(
    shop.call(updateExportDestination, { params: { id: destinationId }, body: { test_event_code: 'T1' } }),
  )
  expect(refusal).toMatchObject({ code: 'validation_error', field: 'test_event_code' })
})

it('requires a Microsoft Ads connection', async () => {
  const engine = await shop.connected('engine_ads')
  const refusal = await refusalOf(
    shop.call(createExportDestination, {
      body: { kind: 'microsoft', connection_id: engine.id, microsoft_uet_tag_id: '1' },
    }),
  )
  expect(refusal).toMatchObject({ code: 'validation_error', field: 'connection_id' })
})
