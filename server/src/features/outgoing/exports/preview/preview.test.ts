import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../../test/export-shop.ts'
import { makeKey, refusalOf } from '../../../../../test/make.ts'
import { sha256Hex } from '../../../../connectors/export-results.ts'
import { getConversionSyncCatalog, saveConversionSyncCatalog } from '../catalog/contract.ts'
import { createExportDestination } from '../destinations/contract.ts'
import { previewExportDestination } from './contract.ts'

let app: TestApp
let shop: ExportShop
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
})
afterAll(() => app.close())

it('shows the exact bodies with hashed people, and the reason for withheld conversions', async () => {
  const social = await shop.socialDestination()
  await shop.pay('ana')
  await shop.pay('bo', { properties: { consent: { ad_user_data: false } } })
  await shop.settle()
  const show = async (query = {}) =>
    (await shop.call(previewExportDestination, { params: { id: social.id }, query })).data
  const { bodies, withheld } = await show()
  const received = (await receivedBy(app, 'social_ads')).filter((event) => event.pixel_id === social.pixelId)
  expect(received).toHaveLength(1)
  const { provider: _, received_at: __, pixel_id: ___, ...sent } = received[0]!
  expect(bodies).toEqual([{ data: [sent] }])
  expect(JSON.stringify(bodies)).toContain(sha256Hex('ana@example.com'))
  expect(JSON.stringify(bodies)).not.toContain('@example.com')
  expect(withheld).toMatchObject([{ reason: 'consent_denied' }])
  expect(await show({ conversion_id: withheld[0]!.conversion_id })).toMatchObject({ bodies: [], withheld })

  const { data: catalog } = await shop.call(getConversionSyncCatalog)
  const conversions = catalog.conversions.map((conversion) => ({ ...conversion, send_value: false }))
  await shop.call(saveConversionSyncCatalog, { body: { privacy_mode: 'standard', conversions } })
  expect(JSON.stringify((await show()).bodies)).not.toContain('"value"')
})

it('works for a destination with an access token, and only for callers who may read people', async () => {
  const created = await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CPIXEL0123456789', access_token: 'pasted' },
  })
  await shop.pay('cy')
  await shop.settle()
  const params = { id: created.data.id }
  const { bodies } = (await shop.call(previewExportDestination, { params })).data
  expect(bodies).toMatchObject([{ event_source_id: 'CPIXEL0123456789', data: [{ event: 'Purchase' }] }])
  const blind = app.as(await makeKey(app, shop.profileId, ['exports:read']))
  expect(await refusalOf(blind(previewExportDestination, { params }))).toMatchObject({ status: 403 })
  const other = await makeExportShop(app)
  expect(await refusalOf(other.call(previewExportDestination, { params }))).toMatchObject({ status: 404 })
})
