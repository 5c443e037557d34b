import { expect, test } from 'vitest'
import { toLeads } from './lead-file.ts'
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

test('missing metrics and hyphens in a report are null, not zero', () => {
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

test('amounts are exact; digits beyond the currency are rounded half up', () => {
  expect(toMinor('90071992547.01', 'USD')).toBe(9_007_199_254_701)
  expect(toMinor('0.105', 'USD')).toBe(11)
  expect(toMinor('120.00', 'JPY')).toBe(120)
  expect(() => toMinor('nonsense', 'USD')).toThrow('not a decimal number')
})

test('the chosen time zone of an account takes precedence over the offset', () => {
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
])('%s with %s is %s', (operation, effective, status) => {
  expect(toStatus({ operation_status: operation, secondary_status: effective })).toBe(status)
})

test('ids keep their digits, a Smart+ ad needs no modify_time, and its first creative is used', () => {
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

const file = (...lines: string[]) => new TextEncoder().encode(lines.join('\r\n'))
const since = '2026-06-01T00:00:00.000Z'

test('the columns of a lead file are read in all recorded spellings', () => {
  const { records } = toLeads(
    file(
      '\ufeffLead ID,Create Time,Ad ID,Ad Group ID,Campaign ID,First name,Last name,Phone Number',
      `'7412345678901234567,1780995600,="1809876543210987",1,2,Ana,Marsh,15088888888`,
    ),
    '75',
    since,
  )
  expect(records).toEqual([
    {
      type: 'lead',
      pageId: '75',
      formId: '75',
      leadgenId: '7412345678901234567',
      adId: '1809876543210987',
      campaignId: '2',
      occurredAt: '2026-06-09T09:00:00.000Z',
      fieldData: [
        { name: 'first_name', values: ['Ana'] },
        { name: 'last_name', values: ['Marsh'] },
        { name: 'phone_number', values: ['p:15088888888'] },
      ],
    },
  ])
})

test('a lead without id or time is set aside individually; an invalid file is reported', () => {
  const read = (...lines: string[]) => toLeads(file(...lines), '75', since)
  const some = read('lead_id,created_time', ',2026-06-02 10:00:00', '9,soon', '7,2026-06-02 10:00:00')
  expect(some.records).toHaveLength(1)
  expect(some.setAside.map(({ externalId }) => externalId)).toEqual(['75', '9'])
  expect(read('name,email', 'Ana,a@example.com').setAside).toHaveLength(1)
  expect(read('lead_id,created_time', '7,"2026').setAside).toHaveLength(1)
  expect(read('PK\u0003\u0004').setAside[0]!.reason).toContain('compressed')
  expect(read()).toEqual({ records: [], setAside: [] })
})

test('a compressed lead file is read; a broken one is reported', () => {
  // Created by Python's zipfile.
  const archive = Buffer.from(
    'UEsDBBQAAAAIAAAAwlwTQhmMKQAAACsAAAAJAAAAbGVhZHMuY3N2y0lNTInPTNFJLkpNLElNiS/JzE3l5TLXMTIwMtM1ACIjBUMDKwMQAgBQSwECFAMUAAAACAAAAMJcE0IZjCkAAAArAAAACQAAAAAAAAAAAAAAgAEAAAAAbGVhZHMuY3N2UEsFBgAAAAABAAEANwAAAFAAAAAAAA==',
    'base64',
  )
  expect(toLeads(archive, '75', since)).toMatchObject({ records: [{ leadgenId: '7' }], setAside: [] })
  expect(toLeads(archive.subarray(0, -1), '75', since)).toMatchObject({
    records: [],
    setAside: [{ kind: 'lead_file', reason: expect.stringContaining('broken') }],
  })
})

test('names of inherited object members are ordinary values as a question and as a status', () => {
  const file = Buffer.from('lead_id,created_time,constructor\n1789012345678901234,2026-02-25 10:00:00,blue\n')
  const [lead] = toLeads(file, '17', '2026-01-01T00:00:00.000Z').records
  expect(lead).toMatchObject({ fieldData: [{ name: 'constructor', values: ['blue'] }] })
  expect(toStatus({ operation_status: 'constructor', secondary_status: null })).toBe('constructor')
})
