/** Conversions of a profile to a conversion rule at LinkedIn. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { refusalOf } from '../../../../test/make.ts'
import { createExportDestination, updateExportDestination } from './destinations/contract.ts'

let app: TestApp
let shop: ExportShop
let connectionId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  connectionId = (await shop.connected('linkedin_ads')).id
})
afterAll(() => app.close())

const create = (id: string, fields: Record<string, unknown> = {}) =>
  shop.call(createExportDestination, {
    body: { kind: 'linkedin', connection_id: connectionId, linkedin_conversion_id: id, ...fields },
  })

it('sends a payment with the click id of its touch', async () => {
  const { data } = await create('urn:lla:llaPartnerConversion:104012')
  expect(data).toMatchObject({
    kind: 'linkedin',
    linkedin_conversion_id: '104012',
    event_map: [{ conversion_key: 'payment_received', event_name: 'PURCHASE' }],
  })
  await shop.pay('li-1', {
    click_ids: { li_fat_id: 'fat-1' },
    properties: { consent: { ad_user_data: 'granted', ad_personalization: 'granted' } },
  })
  await shop.settle()
  expect(await shop.ledger()).toMatchObject([{ status: 'sent', value: 100, event_name: 'PURCHASE' }])
  expect(await receivedBy(app, 'linkedin_ads')).toMatchObject([
    {
      conversion: 'urn:lla:llaPartnerConversion:104012',
      conversionValue: { currencyCode: 'EUR', amount: '100.00' },
      user: {
        userIds: [
          { idType: 'SHA256_EMAIL' },
          { idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: 'fat-1' },
        ],
      },
    },
  ])
})

it('accepts the number of a conversion rule or its URN, and each rule once', async () => {
  expect((await refusalOf(create('urn:li:sponsoredAccount:1'))).status).toBe(422)
  expect(await refusalOf(create('104012'))).toMatchObject({ code: 'destination_conflict' })
})

it('refuses a test event code, because the platform would count the event', async () => {
  expect(await refusalOf(create('104013', { test_event_code: 'T1' }))).toMatchObject({
    code: 'validation_error',
  })
  const { data } = await create('104014')
  const later = shop.call(updateExportDestination, {
    params: { id: data.id },
    body: { test_event_code: 'T1' },
  })
  expect(await refusalOf(later)).toMatchObject({ code: 'validation_error', field: 'test_event_code' })
})
