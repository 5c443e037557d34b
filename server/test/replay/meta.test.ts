/** Responses in the format of Meta's pages and from recordings, with our values (README.md). */
import { expect, test } from 'vitest'
import { toAd, toAdSet, toCampaign, toDelivery, toLead } from '../../src/connectors/social-ads/mapping.ts'
import { Ad, AdSet, Campaign, Insight, Lead } from '../../src/connectors/social-ads/replies.ts'

const action = (type: string, value: string) => ({
  action_type: type,
  value,
  '1d_click': value,
  '7d_click': value,
  '28d_click': value,
})

test('insights of a campaign as documented: no ads, no actions', () => {
  const row = {
    account_id: '1',
    campaign_id: '120200000000000001',
    date_start: '2026-02-02',
    date_stop: '2026-02-02',
    impressions: '250117',
    spend: '4120.5',
  }
  expect(toDelivery(Insight.parse(row), 'campaign', 'USD')).toMatchObject({
    externalId: '120200000000000001',
    day: '2026-02-02',
    spendMinor: 412_050,
    impressions: 250_117,
    clicks: null,
    platformConversionsMilli: null,
    platformConversionValueMinor: null,
  })
})

test('a purchase listed under eight names, each with its windows, counts once', () => {
  const names = [
    'purchase',
    'omni_purchase',
    'onsite_web_purchase',
    'onsite_web_app_purchase',
    'web_in_store_purchase',
    'web_app_in_store_purchase',
    'offsite_conversion.fb_pixel_purchase',
    'link_click',
  ]
  const row = {
    account_currency: 'USD',
    ad_id: '23850000000000001',
    adset_id: '23850000000000002',
    campaign_id: '23850000000000003',
    clicks: '9',
    date_start: '2026-02-01',
    date_stop: '2026-02-01',
    impressions: '1200',
    spend: '14.35',
    actions: [...names.map((name) => action(name, '3')), action('lead', '2')],
    action_values: names.slice(0, -1).map((name) => action(name, '119.985')),
  }
  expect(toDelivery(Insight.parse(row), 'ad', 'EUR')).toMatchObject({
    currency: 'USD',
    spendMinor: 1435,
    platformConversionsMilli: 5000,
    platformConversionValueMinor: 11_999,
  })
})

test('budgets are numbers or text, and 0 means that there is no budget of this kind', () => {
  const adSet = AdSet.parse({
    id: '1',
    name: 'New',
    campaign_id: '2',
    daily_budget: 600.0,
    lifetime_budget: 0.0,
    effective_status: 'ARCHIVED',
    targeting: { age_max: 65, geo_locations: { countries: ['US'] } },
  })
  expect(toAdSet(adSet, 'USD')).toMatchObject({ dailyBudgetMinor: 600, lifetimeBudgetMinor: null })
  const campaign = Campaign.parse({ id: '2', objective: 'OUTCOME_AWARENESS', status: 'ARCHIVED' })
  expect(toCampaign(campaign, 'USD')).toMatchObject({ objective: 'awareness', dailyBudgetMinor: null })
})

test('an ad whose creative is only an id has no text', () => {
  const ad = { id: '3', adset_id: '1', campaign_id: '2', status: 'ACTIVE', creative: { id: '4' } }
  expect(toAd(Ad.parse(ad), 'USD')).toMatchObject({
    name: '3',
    creative: { title: null, body: null, format: null, videoId: null },
  })
})

test('a lead as documented, with a time offset without a colon', () => {
  const lead = {
    created_time: '2026-02-03T08:49:14+0000',
    id: '900000000000001',
    ad_id: '5',
    form_id: '6',
    field_data: [
      { name: 'full_name', values: ['Joe Example'] },
      { name: 'phone_number', values: ['+14155550100'] },
    ],
  }
  expect(toLead(Lead.parse(lead), '7')).toMatchObject({
    leadgenId: '900000000000001',
    occurredAt: '2026-02-03T08:49:14.000Z',
    fieldData: [{ name: 'full_name' }, { name: 'phone_number', values: ['p:+14155550100'] }],
  })
})
