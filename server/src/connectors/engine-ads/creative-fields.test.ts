import { expect, test } from 'vitest'
import { toAttentionDetail, toObjective } from './creative-fields.ts'
import { Row } from './mapping.ts'

test('the objective is the goal closest to revenue, unless the strategy buys clicks or views', () => {
  expect(toObjective(['PAGE_VIEW', 'SUBMIT_LEAD_FORM', 'PURCHASE'], 'MAXIMIZE_CONVERSIONS')).toBe('sales')
  expect(toObjective(['PAGE_VIEW', 'CONTACT'], 'TARGET_CPA')).toBe('leads')
  expect(toObjective(['PURCHASE'], 'TARGET_SPEND')).toBe('traffic')
  expect(toObjective(['PURCHASE'], 'TARGET_CPM')).toBe('awareness')
  expect(toObjective([], null)).toBeNull()
  expect(toObjective(['A_NEW_GOAL'], null)).toBeNull()
})

test('quartiles are shares of the impressions, only for ads with views', () => {
  const row = (metrics: Record<string, unknown>) =>
    Row.parse({
      campaign: { id: '1' },
      adGroup: { id: '2' },
      adGroupAd: { ad: { id: '3' } },
      segments: { date: '2026-03-01' },
      metrics: { costMicros: '1', impressions: '1000', clicks: '12', ...metrics },
    })
  expect(
    toAttentionDetail(
      row({ videoTrueviewViews: '400', videoQuartileP25Rate: 0.38, videoQuartileP100Rate: 0.1 }),
    ),
  ).toMatchObject([{ videoViews: 400, videoP25: 380, videoP50: null, thruplays: 100, linkClicks: 12 }])
  expect(toAttentionDetail(row({ videoTrueviewViews: '0', videoQuartileP25Rate: 0 }))).toMatchObject([
    { videoViews: null, videoP25: null, linkClicks: 12 },
  ])
})
