/** Responses in the format of recordings of TikTok's Business API, with our values (README.md). */
import { expect, test } from 'vitest'
import {
  toAccount,
  toAdGroupRecords,
  toCampaign,
  toDelivery,
} from '../../src/connectors/tiktok-ads/mapping.ts'
import { AdGroup, Advertiser, Campaign, ReportRow } from '../../src/connectors/tiktok-ads/replies.ts'

test('a row of a report mixes text, numbers and nulls; one name of a metric may be both', () => {
  const row = {
    dimensions: { stat_time_day: '2026-02-01 00:00:00', ad_id: '1700000000000019' },
    metrics: {
      spend: '31.50',
      impressions: '6120',
      clicks: '71',
      reach: '5011',
      conversion: '0',
      video_views_p25: 498,
      video_views_p50: 207,
      campaign_id: 1_700_000_000_000_017,
      adgroup_id: '1700000000000018',
      ad_name: 'Spring film',
      total_onsite_shopping_value: '0.00',
      total_complete_payment_rate: '12.345',
      cost_per_secondary_goal_result: null,
      secondary_goal_result: '-',
      real_time_app_install: 0,
    },
  }
  expect(toDelivery(ReportRow.parse(row), 'ad', 'USD')).toMatchObject([
    {
      type: 'delivery',
      externalId: '1700000000000019',
      day: '2026-02-01',
      spendMinor: 3150,
      impressions: 6120,
      platformConversionsMilli: 0,
      platformConversionValueMinor: 1235,
      entity: {
        name: 'Spring film',
        campaignExternalId: '1700000000000017',
        adSetExternalId: '1700000000000018',
      },
    },
    { kind: 'attention', videoP25: 498, videoP50: 207, videoP75: null },
  ])
})

test('a campaign of the sandbox account: a total budget, an objective under two names', () => {
  const campaign = {
    campaign_id: '1800000000000011',
    advertiser_id: '7600000000000000001',
    campaign_name: 'Landing',
    campaign_type: 'REGULAR_CAMPAIGN',
    budget: 100,
    budget_mode: 'BUDGET_MODE_TOTAL',
    objective: 'LANDING_PAGE',
    objective_type: 'TRAFFIC',
    operation_status: 'ENABLE',
    create_time: '2026-04-02 09:00:00',
  }
  expect(toCampaign(Campaign.parse(campaign), 'USD')).toMatchObject({
    status: 'ACTIVE',
    objective: 'traffic',
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: 10_000,
  })
  const app = { ...campaign, budget_mode: 'BUDGET_MODE_DAY', objective_type: 'APP_INSTALL' }
  expect(toCampaign(Campaign.parse(app), 'JPY')).toMatchObject({
    objective: 'app_install',
    dailyBudgetMinor: 100,
  })
})

test('an ad group has empty lists and nulls for unset options', () => {
  const adGroup = {
    adgroup_id: '1800000000000021',
    adgroup_name: 'Broad',
    campaign_id: '1800000000000012',
    budget: 100,
    budget_mode: 'BUDGET_MODE_DAY',
    operation_status: 'DISABLE',
    secondary_status: 'ADGROUP_STATUS_CAMPAIGN_DISABLE',
    placement_type: 'PLACEMENT_TYPE_NORMAL',
    placements: ['PLACEMENT_TIKTOK'],
    location_ids: ['6252001'],
    audience_ids: [],
    age_groups: null,
    frequency: null,
    bid_price: 0.01,
  }
  expect(toAdGroupRecords(AdGroup.parse(adGroup), 'USD')).toMatchObject([
    { level: 'ad_set', campaignExternalId: '1800000000000012', status: 'PAUSED', dailyBudgetMinor: 10_000 },
    { kind: 'targeting', audienceWarmth: 'cold', geo: '6252001', placement: 'tiktok' },
  ])
})

test('an advertiser without a currency or a time zone is an account without them', () => {
  const advertiser = Advertiser.parse({ advertiser_id: '812345678901', name: 'Harbor', address: 'Pier 4' })
  expect(toAccount(advertiser)).toMatchObject({ id: '812345678901', currency: null, timezone: null })
})
