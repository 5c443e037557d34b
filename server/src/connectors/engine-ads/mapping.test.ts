import { parseGaql, runGaql } from '@whence/sandbox/engine-ads/gaql.ts'
import { expect, test } from 'vitest'
import { ProviderError } from '../connector.ts'
import { engineRefusal } from '../engine-oauth.ts'
import { microsToMinor, minorToMicros, Row, Stream, toAd, toCampaign, toDelivery } from './mapping.ts'

test.each([
  ['12340000', 'USD', 1234],
  ['12345000', 'USD', 1235],
  ['12344999', 'USD', 1234],
  ['-12345000', 'USD', -1235],
  ['1500000', 'JPY', 2],
  ['1234567', 'KWD', 1235],
  ['0', 'USD', 0],
  ['9007199254740990000', 'USD', 900719925474099],
])('%s millionths in %s are %d minor units', (micros, currency, minor) => {
  expect(microsToMinor(micros, currency)).toBe(minor)
})

test('minor units are converted back to millionths exactly', () => {
  expect(minorToMicros(900719925474099, 'USD')).toBe('9007199254740990000')
  expect(minorToMicros(5, 'JPY')).toBe('5000000')
})

const row = Row.parse({
  campaign: { id: '1', name: 'Brand' },
  adGroup: { id: '2', name: 'Exact' },
  adGroupAd: { ad: { id: '3' } },
  segments: { date: '2026-03-01' },
  metrics: { costMicros: '1000000' },
})

test('fields that the platform omits are null, never zero', () => {
  expect(toDelivery(row, 'ad', 'USD')).toMatchObject({
    externalId: '3',
    spendMinor: 100,
    impressions: null,
    clicks: null,
    reach: null,
    platformConversionsMilli: null,
    platformConversionValueMinor: null,
  })
  expect(toCampaign(row, 'USD')).toMatchObject({
    status: null,
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: null,
  })
  expect(toAd(row, 'USD')).toMatchObject({
    name: '3',
    creative: { format: null, title: null, thumbnailUrl: null },
  })
})

test('fractions of conversions keep their thousandths', () => {
  const metrics = { ...row.metrics!, conversions: 1.3335, conversionsValue: 1.005 }
  expect(toDelivery({ ...row, metrics }, 'campaign', 'USD')).toMatchObject({
    platformConversionsMilli: 1334,
    platformConversionValueMinor: 101,
  })
})

test('a row without its cost, its date or its campaign is malformed', () => {
  expect(Row.safeParse({ metrics: {} }).success).toBe(false)
  for (const gap of ['campaign', 'segments', 'metrics', 'adGroupAd']) {
    expect(() => toDelivery({ ...row, [gap]: null }, 'ad', 'USD')).toThrow(ProviderError)
  }
})

test('a stream without rows is empty', () => {
  expect(Stream.parse([{ fieldMask: 'x', requestId: 'y' }])).toHaveLength(1)
  expect(Stream.safeParse({ error: {} }).success).toBe(false)
})

test('statuses are mapped to shared values and unknown ones pass', () => {
  const status = (word: string) => toCampaign(Row.parse({ campaign: { id: '1', status: word } }), 'USD')
  expect(status('ENABLED')).toMatchObject({ status: 'ACTIVE' })
  expect(status('REMOVED')).toMatchObject({ status: 'DELETED' })
  expect(status('DREAMING')).toMatchObject({ status: 'DREAMING' })
})

test('an exhausted quota contains its retry delay', () => {
  const errors = [
    {
      errorCode: { quotaError: 'RESOURCE_EXHAUSTED' },
      message: 'Too many requests.',
      details: { quotaErrorDetails: { retryDelay: '30s' } },
    },
  ]
  const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ errors }] } }
  expect(engineRefusal({ status: 429, body, headers: {} })).toMatchObject({
    reason: 'rate_limited',
    retryAfterSeconds: 30,
    providerCode: 'RESOURCE_EXHAUSTED',
  })
})

test('the query language selects, orders and limits', () => {
  const rows = [
    { 'campaign.id': '9', 'segments.date': '2026-03-01', 'ad_group_ad.ad.id': '1' },
    { 'campaign.id': '10', 'segments.date': '2026-03-02', 'ad_group_ad.ad.id': '2' },
    { 'campaign.id': '11', 'segments.date': '2026-03-03', 'ad_group_ad.ad.id': '3' },
  ]
  const run = (text: string) => runGaql(parseGaql(text)!, [...rows])
  expect(
    run('SELECT campaign.id FROM campaign WHERE campaign.id > 9 ORDER BY campaign.id DESC LIMIT 1'),
  ).toEqual([{ campaign: { id: '11' } }])
  expect(
    run(
      "SELECT ad_group_ad.ad.id FROM ad_group_ad WHERE segments.date BETWEEN '2026-03-01' AND '2026-03-02' AND campaign.id != 9",
    ),
  ).toEqual([{ adGroupAd: { ad: { id: '2' } } }])
  expect(parseGaql('DELETE FROM campaign')).toBeNull()
  expect(parseGaql('SELECT a FROM b WHERE a LIKE x')).toBeNull()
})
