import { expect, test } from 'vitest'
import { toAccount, toDelivery, toMinor, toStatus } from './mapping.ts'
import { Advertiser, Campaign, ReportRow, SmartAd } from './replies.ts'

const row = (metrics: Record<string, unknown>, dimensions: Record<string, unknown> = {}) =>
  ReportRow.parse({
    dimensions: { ad_id: '1789012345678901234', stat_time_day: '2026-02-25 00:00:00', ...dimensions },
    metrics: { spend: '12.34', ...metrics },
  })

test('sales of the website, the TikTok Shop and the app are separate figures that add up', () => {
  const [record] = toDelivery(
    row({
      conversion: '5',
      total_complete_payment_rate: '100.10',
      total_onsite_shopping_value: '20.05',
      total_purchase_value: '3.00',
    }),
    'ad',
    'EUR',
  )
  expect(record).toMatchObject({
    day: '2026-02-25',
    spendMinor: 1234,
    currency: 'EUR',
    platformConversionsMilli: 5000,
    platformConversionValueMinor: 12_315,
  })
})

test('what a report leaves out or marks with a hyphen is unknown, not zero', () => {
  const [record, attention] = toDelivery(
    row({ impressions: '-', total_purchase_value: '-', ad_name: '-', currency: '-' }),
    'ad',
    'USD',
  )
  expect(record).toMatchObject({
    currency: 'USD',
    impressions: null,
    clicks: null,
    platformConversionsMilli: null,
    platformConversionValueMinor: null,
    entity: { name: null, campaignExternalId: null, adSetExternalId: null },
  })
  expect(attention).toMatchObject({ kind: 'attention', videoViews: null, thruplays: null })
})

test('money is exact, and what the currency cannot hold is rounded half up', () => {
  expect(toMinor('90071992547.01', 'USD')).toBe(9_007_199_254_701)
  expect(toMinor('0.105', 'USD')).toBe(11)
  expect(toMinor('120.00', 'JPY')).toBe(120)
  expect(() => toMinor('nonsense', 'USD')).toThrow('not a decimal number')
})

test('an account has the zone that people chose, before the offset', () => {
  const account = { advertiser_id: '17', name: 'Shop', currency: 'USD', timezone: 'Etc/GMT+5' }
  expect(toAccount(Advertiser.parse({ ...account, display_timezone: 'America/Bogota' })).timezone).toBe(
    'America/Bogota',
  )
  expect(toAccount(Advertiser.parse(account)).timezone).toBe('Etc/GMT+5')
})

test.each([
  ['ENABLE', 'CAMPAIGN_STATUS_ENABLE', 'ACTIVE'],
  ['DISABLE', 'CAMPAIGN_STATUS_DISABLE', 'PAUSED'],
  ['ENABLE', 'AD_STATUS_DELETE', 'DELETED'],
  ['ENABLE', 'AD_STATUS_ADGROUP_DELETE', 'ACTIVE'],
  ['FROZEN', null, 'FROZEN'],
])('%s with %s is %s', (own, effective, status) => {
  expect(toStatus({ operation_status: own, secondary_status: effective })).toBe(status)
})

test('ids keep their digits, a Smart+ ad needs no modify_time, and its first creative is shown', () => {
  const campaign = Campaign.parse({ campaign_id: '1789012345678901234', campaign_name: '' })
  expect(campaign).toMatchObject({ campaign_id: '1789012345678901234', campaign_name: null })
  const ad = SmartAd.parse({
    smart_plus_ad_id: '1789012345678901235',
    adgroup_id: '2',
    campaign_id: '3',
    ad_text_list: [{ ad_text: 'First' }, { ad_text: 'Second' }],
    creative_list: [{ creative_info: { ad_format: 'SINGLE_VIDEO', video_info: { video_id: 'v1' } } }],
  })
  expect(ad).toMatchObject({
    ad_id: '1789012345678901235',
    ad_text: 'First',
    video_id: 'v1',
    image_ids: [],
    landing_page_url: null,
  })
})
