import { expect, test } from 'vitest'
import { ProviderError } from '../connector.ts'
import { deliveryReports } from './delivery.ts'
import { Ad, AdGroup, Campaign, toAdRecords, toCampaign, toDelivery, toMinor } from './mapping.ts'
import { readRows } from './reports.ts'

const row = (overrides: Record<string, string> = {}) => ({
  TimePeriod: '2026-03-01',
  CampaignId: '390000001',
  AdGroupId: '1234567890123456',
  AdId: '81234567890123',
  CurrencyCode: 'USD',
  Spend: '12.34',
  Impressions: '1,204',
  Clicks: '17',
  ConversionsQualified: '2.50',
  Revenue: '1,299.90',
  ...overrides,
})
const read = (overrides: Record<string, string> = {}) =>
  toDelivery(row(overrides), deliveryReports.AdPerformance, 'EUR')[0]!

test('a report row is parsed exactly, with and without thousands separators', () => {
  expect(read()).toEqual({
    type: 'delivery',
    level: 'ad',
    externalId: '81234567890123',
    day: '2026-03-01',
    spendMinor: 1234,
    currency: 'USD',
    impressions: 1204,
    clicks: 17,
    reach: null,
    platformConversionsMilli: 2500,
    platformConversionValueMinor: 129990,
    messagingConversationsStarted7d: null,
    entity: { name: null, campaignExternalId: '390000001', adSetExternalId: '1234567890123456' },
  })
  expect(read({ CurrencyCode: '' }).currency).toBe('EUR')
})

test('missing values are null; a row without spend or a day is set aside', () => {
  expect(read({ ConversionsQualified: '', Revenue: '--' })).toMatchObject({
    platformConversionsMilli: null,
    platformConversionValueMinor: null,
  })
  const unreadable: Record<string, string>[] = [
    { Spend: '' },
    { Spend: '1e9' },
    { TimePeriod: '3/1/2026' },
    { AdId: 'x' },
    { Clicks: '9'.repeat(30) },
  ]
  for (const bad of unreadable) expect(() => read(bad), JSON.stringify(bad)).toThrow(ProviderError)
  // A campaign without ads has rows without them.
  expect(toDelivery(row({ AdId: '' }), deliveryReports.AdPerformance, 'EUR')).toEqual([])
})

test.each([
  ['0.005', 'USD', 1],
  ['0.0049', 'USD', 0],
  ['-1.995', 'USD', -200],
  ['1234.50', 'JPY', 1235],
  ['1.2345', 'KWD', 1235],
  ['90071992547409.91', 'USD', 9007199254740991],
])('%s %s is %i minor units', (amount, currency, minor) => {
  expect(toMinor(amount, currency)).toBe(minor)
})

test('a report is parsed by its column names', () => {
  const csv = '\uFEFF"CampaignId","Keyword","Clicks"\r\n"1","red ""shoes"", cheap","35"\r\n"2","",""\r\n'
  expect(readRows(csv)).toEqual([
    { CampaignId: '1', Keyword: 'red "shoes", cheap', Clicks: '35' },
    { CampaignId: '2', Keyword: '', Clicks: '' },
  ])
  expect(() => readRows('')).toThrow(ProviderError)
})

test('an ad has every headline and description; the suffix of the lowest level wins', () => {
  const campaign = Campaign.parse({ Id: '1', Name: 'C', FinalUrlSuffix: 'of=campaign' })
  const adGroup = AdGroup.parse({ Id: 2, TrackingUrlTemplate: '{lpurl}?of=group' })
  const account = { FinalUrlSuffix: 'of=account', TrackingUrlTemplate: null }
  const link = (Text: string) => ({ Asset: { Type: 'TextAsset', Text } })
  const ad = Ad.parse({
    Id: '9007199254740993',
    Type: 'ResponsiveSearch',
    Status: 'Paused',
    FinalUrls: ['https://shop.example/x?y=1'],
    Headlines: [link('One'), null, link('Two'), { Asset: null }],
    Descriptions: [link('First.'), link('Second.')],
  })
  const [entity, detail] = toAdRecords(ad, { account, campaign, adGroup }, 'USD')
  expect(entity).toMatchObject({
    name: 'One',
    status: 'PAUSED',
    campaignExternalId: '1',
    adSetExternalId: '2',
  })
  expect(detail).toMatchObject({
    title: 'One | Two',
    body: 'First. Second.',
    landingHost: 'shop.example',
    destinationUrl: 'https://shop.example/x?y=1',
    urlTags: 'of=campaign',
  })
  const bare = { ...campaign, FinalUrlSuffix: null }
  const noSuffix = { FinalUrlSuffix: null, TrackingUrlTemplate: null }
  expect(toAdRecords(ad, { account: noSuffix, campaign: bare, adGroup }, 'USD')[1]).toMatchObject({
    urlTags: 'of=group',
  })
})

test('a budget is in minor units, and an unknown status passes', () => {
  const campaign = (fields: Record<string, unknown>) =>
    toCampaign(Campaign.parse({ Id: '1', ...fields }), 'USD')
  expect(campaign({ DailyBudget: 60.55, Status: 'BudgetPaused' })).toMatchObject({
    dailyBudgetMinor: 6055,
    status: 'PAUSED',
  })
  expect(campaign({ DailyBudget: 0, Status: 'Suspended' })).toMatchObject({
    dailyBudgetMinor: null,
    status: 'Suspended',
  })
})
