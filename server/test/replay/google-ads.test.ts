/** Streams in the format of Google's REST API, from published recordings, with our values (README.md). */
import { expect, test } from 'vitest'
import { Row, Stream, toAd, toAdGroup, toDelivery } from '../../src/connectors/engine-ads/mapping.ts'

const campaign = { resourceName: 'customers/1/campaigns/11000000428', id: '11000000428', name: 'Linen' }
const adGroup = { resourceName: 'customers/1/adGroups/130000000681', id: '130000000681', name: 'Vases' }

test('rows of a stream in two batches; integers are text, other numbers are floats', () => {
  const row = (date: string, costMicros: string) => ({
    campaign,
    metrics: {
      clicks: '402',
      costMicros,
      conversions: 3.271845,
      conversionsValue: 151.33847219,
      impressions: '1021',
    },
    segments: { date },
  })
  const stream = [
    { results: [row('2026-01-27', '287650000')], fieldMask: 'campaign.id,metrics.clicks', requestId: 'a' },
    {
      results: [row('2026-01-28', '1044083620')],
      requestId: 'a',
      queryResourceConsumption: '940',
    },
    { fieldMask: 'campaign.id', requestId: 'a' },
  ]
  const rows = Stream.parse(stream).flatMap(({ results }) => results ?? [])
  expect(rows.map(({ item }) => toDelivery(item!, 'campaign', 'USD'))).toMatchObject([
    {
      externalId: '11000000428',
      day: '2026-01-27',
      spendMinor: 28_765,
      clicks: 402,
      platformConversionsMilli: 3272,
      platformConversionValueMinor: 15_134,
    },
    { day: '2026-01-28', spendMinor: 104_408 },
  ])
})

test('a removed ad group is deleted; bids of zero are no budget', () => {
  const row = {
    adGroup: { ...adGroup, status: 'REMOVED', cpcBidMicros: '1200000', targetCpaMicros: '0' },
    campaign,
  }
  expect(toAdGroup(Row.parse(row), 'USD')).toMatchObject({
    level: 'ad_set',
    campaignExternalId: '11000000428',
    status: 'DELETED',
    dailyBudgetMinor: null,
  })
})

test('an ad without a name or headlines is identified by its id; its policy summary is stored in aside', () => {
  const ad = {
    resourceName: 'customers/1/ads/316000000445',
    id: '316000000445',
    finalUrls: ['https://a.example'],
  }
  const policySummary = { policyTopicEntries: [{ type: 'LIMITED', topic: 'TRADEMARKS_IN_AD_TEXT' }] }
  const row = { campaign, adGroup, adGroupAd: { resourceName: 'x', status: 'ENABLED', ad, policySummary } }
  expect(toAd(Row.parse(row), 'USD')).toMatchObject({
    name: '316000000445',
    status: 'ACTIVE',
    creative: { format: null, title: null },
  })
})

test('a row without a selected id is set aside alone', () => {
  const bare = { campaign: { resourceName: campaign.resourceName }, metrics: { costMicros: '1' } }
  const [batch] = Stream.parse([{ results: [bare, { campaign }] }])
  expect(batch!.results!.map(({ setAside }) => setAside?.reason ?? null)).toEqual([
    'Not readable at campaign.id',
    null,
  ])
})
