/** Maps the examples of LinkedIn's pages and Postman collection. */
import { describe, expect, test } from 'vitest'
import { decimalToNearestMinor } from '../amounts.ts'
import {
  AnalyticsRow,
  Campaign,
  CampaignGroup,
  Creative,
  dayOf,
  metrics,
  toAdRecord,
  toAdSetRecord,
  toCampaignRecord,
  toDelivery,
} from './mapping.ts'
import { Post, parseCreative, toCreativeDetail } from './posts.ts'
import { dayRecord, idIn, listOf, recordOf } from './restli.ts'

describe('structure', () => {
  test('a campaign group is a campaign, a campaign an ad set, a creative an ad', () => {
    const group = CampaignGroup.parse({
      id: 111222333,
      name: 'Q1 2024 Campaign Group',
      account: 'urn:li:sponsoredAccount:123456',
      status: 'ACTIVE',
      totalBudget: { amount: '1000', currencyCode: 'USD' },
    })
    expect(toCampaignRecord(group, 'USD')).toMatchObject({
      level: 'campaign',
      externalId: '111222333',
      name: 'Q1 2024 Campaign Group',
      status: 'ACTIVE',
      lifetimeBudgetMinor: 100_000,
    })
    const campaign = Campaign.parse({
      id: 444555666,
      name: 'Spring Promotion Campaign',
      account: 'urn:li:sponsoredAccount:123456',
      campaignGroup: 'urn:li:sponsoredCampaignGroup:111222333',
      status: 'ACTIVE',
      type: 'SPONSORED_UPDATES',
      objectiveType: 'WEBSITE_VISITS',
    })
    expect(toAdSetRecord(campaign, 'USD')).toMatchObject({
      level: 'ad_set',
      externalId: '444555666',
      campaignExternalId: '111222333',
      objective: 'WEBSITE_VISITS',
      dailyBudgetMinor: null,
      aside: { type: 'SPONSORED_UPDATES' },
    })
    const creative = Creative.parse({
      id: 'urn:li:sponsoredCreative:777888999',
      campaign: 'urn:li:sponsoredCampaign:444555666',
      content: { reference: 'urn:li:share:7346473724906237952' },
      intendedStatus: 'PENDING_DELETION',
    })
    expect(toAdRecord(creative, null, 'USD')).toMatchObject({
      level: 'ad',
      externalId: '777888999',
      adSetExternalId: '444555666',
      campaignExternalId: null,
      name: '777888999',
      status: 'DELETED',
      creative: null,
    })
  })

  test('an ad gets text, format and landing URL from its post', () => {
    const creative = Creative.parse({
      id: 'urn:li:sponsoredCreative:1',
      campaign: 'urn:li:sponsoredCampaign:2',
      content: { reference: 'urn:li:share:3' },
    })
    const post = Post.parse({
      commentary: 'Nine days, one new kitchen',
      content: { media: { id: 'urn:li:video:C4E05', title: 'The film' } },
      contentLandingPage: 'https://shop.example/book?x=1',
      contentCallToActionLabel: 'LEARN_MORE',
    })
    const published = { posts: new Map([['urn:li:share:3', post]]), images: new Map(), videos: new Map() }
    const parsed = parseCreative(creative, published)!
    expect(toAdRecord(creative, parsed, 'EUR')).toMatchObject({
      name: 'The film',
      creative: {
        format: 'video',
        videoId: 'C4E05',
        body: 'Nine days, one new kitchen',
        ctaType: 'LEARN_MORE',
      },
    })
    expect(toCreativeDetail(creative, parsed, published)).toMatchObject({
      kind: 'creative',
      landingHost: 'shop.example',
      destinationUrl: 'https://shop.example/book?x=1',
    })
  })
})

describe('delivery', () => {
  const row = (fields: Record<string, unknown>) =>
    AnalyticsRow.parse({
      dateRange: { start: { year: 2026, month: 2, day: 9 }, end: { year: 2026, month: 2, day: 9 } },
      pivotValues: ['urn:li:sponsoredCreative:777888999'],
      costInLocalCurrency: '10.5',
      ...fields,
    })

  test('sums with floating-point errors are rounded to the nearest minor unit', () => {
    expect(toDelivery(row({ costInLocalCurrency: '0.7836150000000001' }), 'ad', 'USD')).toMatchObject({
      externalId: '777888999',
      day: '2026-02-09',
      spendMinor: 78,
    })
    expect(decimalToNearestMinor('1.005', 'USD')).toBe(101)
    expect(decimalToNearestMinor('-1.005', 'USD')).toBe(-101)
    expect(decimalToNearestMinor('0E-18', 'USD')).toBe(0)
    expect(decimalToNearestMinor('1.2E+3', 'JPY')).toBe(1200)
    expect(decimalToNearestMinor('12.4', 'JPY')).toBe(12)
    for (const nonsense of ['', '1e999', '9'.repeat(400), 'NaN', '1,5'])
      expect(() => decimalToNearestMinor(nonsense, 'USD')).toThrow()
    expect(() => decimalToNearestMinor('1E+30', 'USD')).toThrow()
  })

  test('website conversions and form leads are added; missing values are null', () => {
    const both = row({ externalWebsiteConversions: 2, oneClickLeads: 3 })
    expect(toDelivery(both, 'ad', 'USD')).toMatchObject({ platformConversionsMilli: 5000 })
    expect(toDelivery(row({}), 'ad', 'USD')).toMatchObject({
      platformConversionsMilli: null,
      platformConversionValueMinor: null,
      impressions: null,
    })
  })

  test('a row of another level or without a day is malformed', () => {
    expect(() => toDelivery(row({}), 'campaign', 'USD')).toThrow('no entity of its level')
    expect(() => dayOf(row({ dateRange: { start: { year: 2026, month: 2, day: 30 }, end: null } }))).toThrow(
      'no day',
    )
  })

  test('at most 20 metrics are requested', () => {
    expect(metrics.length).toBeLessThanOrEqual(20)
  })
})

describe('query text', () => {
  test('structure is not encoded, text is', () => {
    expect(listOf(['urn:li:sponsoredAccount:1', 'a(b),c'])).toBe(
      'List(urn%3Ali%3AsponsoredAccount%3A1,a%28b%29%2Cc)',
    )
    expect(recordOf({ start: dayRecord('2026-02-09') })).toBe('(start:(year:2026,month:2,day:9))')
  })

  test('only a URN of the kind has an id', () => {
    expect(idIn('urn:li:sponsoredCampaign:12', 'sponsoredCampaign')).toBe('12')
    expect(idIn('urn:li:sponsoredCampaignGroup:12', 'sponsoredCampaign')).toBeNull()
    expect(idIn('urn:li:sponsoredCampaign:1/../2', 'sponsoredCampaign')).toBeNull()
  })
})
