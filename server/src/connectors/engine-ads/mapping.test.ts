import { describe, expect, test } from 'vitest'
import { type ExportConversion, ProviderError } from '../connector.ts'
import { engineRefusal } from '../engine-oauth.ts'
import { toAdjustment, toClickConversion, toResults } from './exports.ts'
import { microsToMinor, minorToMicros, Row, Stream, toAd, toCampaign, toDelivery } from './mapping.ts'
import { parseGaql, runGaql } from './sandbox/gaql.ts'

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

test('minor units go back to millionths exactly', () => {
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

test('what the platform leaves out is null, never zero', () => {
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

test('statuses become one vocabulary and new words pass', () => {
  const status = (word: string) => toCampaign(Row.parse({ campaign: { id: '1', status: word } }), 'USD')
  expect(status('ENABLED')).toMatchObject({ status: 'ACTIVE' })
  expect(status('REMOVED')).toMatchObject({ status: 'DELETED' })
  expect(status('DREAMING')).toMatchObject({ status: 'DREAMING' })
})

const conversion: ExportConversion = {
  eventId: 'e1',
  eventName: 'purchase',
  occurredAt: '2026-03-01T10:00:00.900Z',
  value: { amountMinor: 1005, currency: 'USD' },
  clickIds: { gbraid: 'gb', gclid: 'gc' },
  emailSha256: 'aa',
  phoneSha256: null,
  externalIdSha256: null,
  orderId: null,
  adjustment: 'none',
}

test('a conversion carries one click id, its own id and the platform’s form of time', () => {
  expect(toClickConversion(conversion, 'customers/1/conversionActions/2')).toEqual({
    conversionAction: 'customers/1/conversionActions/2',
    conversionDateTime: '2026-03-01 10:00:00+00:00',
    orderId: 'e1',
    gclid: 'gc',
    userIdentifiers: [{ hashedEmail: 'aa' }],
    conversionValue: 10.05,
    currencyCode: 'USD',
  })
})

test('a refund restates the value under the same id, a full one retracts it', () => {
  expect(toAdjustment({ ...conversion, adjustment: 'restate' }, 'a')).toMatchObject({
    adjustmentType: 'RESTATEMENT',
    orderId: 'e1',
    restatementValue: { adjustedValue: 10.05, currencyCode: 'USD' },
  })
  expect(toAdjustment({ ...conversion, adjustment: 'retract', value: null }, 'a')).toEqual({
    conversionAction: 'a',
    adjustmentType: 'RETRACTION',
    adjustmentDateTime: '2026-03-01 10:00:00+00:00',
    orderId: 'e1',
  })
})

describe('partial failure', () => {
  const batch = ['a', 'b', 'c'].map((eventId) => ({ ...conversion, eventId }))
  const failing = (code: string, index: number | null) => ({
    partialFailureError: {
      message: 'some failed',
      details: [
        {
          errors: [
            {
              errorCode: { conversionUploadError: code },
              message: 'why',
              location: index === null ? null : { fieldPathElements: [{ fieldName: 'conversions', index }] },
            },
          ],
        },
      ],
    },
  })
  const okOf = (reply: Parameters<typeof toResults>[2]) =>
    toResults(batch, 'conversions', reply).map(({ ok }) => ok)

  test('concerns only the operation it names', () => {
    expect(okOf(failing('INVALID_CLICK', 1))).toEqual([true, false, true])
    expect(okOf({})).toEqual([true, true, true])
  })

  test('without a place or a detail concerns them all', () => {
    expect(okOf(failing('INVALID_CLICK', null))).toEqual([false, false, false])
    expect(okOf({ partialFailureError: { message: 'x', details: null } })).toEqual([false, false, false])
  })

  test('because the platform has it already is success', () => {
    expect(okOf(failing('ORDER_ID_ALREADY_IN_USE', 0))).toEqual([true, true, true])
  })

  test('that time heals may be tried again', () => {
    const [first] = toResults(batch, 'conversions', failing('TOO_RECENT_CONVERSION_ACTION', 0))
    expect(first).toMatchObject({ ok: false, retryable: true })
  })
})

test('a spent quota says when it will be full again', () => {
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
