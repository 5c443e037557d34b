import { expect, test } from 'vitest'
import { ProviderError } from '../connector.ts'
import { graphRefusal } from './calls.ts'
import {
  budgetToMinor,
  minorToBudget,
  roundedUnits,
  toAd,
  toCampaign,
  toDelivery,
  toLead,
  toPixel,
} from './mapping.ts'
import { Ad, Campaign, GraphPixel, Insight, Lead } from './replies.ts'

const row = {
  date_start: '2026-03-01',
  date_stop: '2026-03-01',
  account_currency: 'USD',
  campaign_id: 'c',
  adset_id: 's',
  ad_id: 'a',
  spend: '12.30',
}

test('fields that the platform omits are null, never zero', () => {
  const delivery = toDelivery(Insight.parse(row), 'ad', 'USD')
  expect(delivery).toMatchObject({
    externalId: 'a',
    spendMinor: 1230,
    impressions: null,
    clicks: null,
    reach: null,
    platformConversionsMilli: null,
    platformConversionValueMinor: null,
    messagingConversationsStarted7d: null,
  })
  expect(toCampaign(Campaign.parse({ id: '1' }), 'USD')).toMatchObject({
    name: '1',
    status: null,
    objective: null,
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: null,
  })
  expect(toAd(Ad.parse({ id: '1' }), 'USD')).toMatchObject({ creative: null, campaignExternalId: null })
})

test('a purchase reported under several action names is counted once', () => {
  const actions = [
    { action_type: 'purchase', value: '3' },
    { action_type: 'omni_purchase', value: '4' },
    { action_type: 'offsite_conversion.fb_pixel_purchase', value: '3' },
    { action_type: 'lead', value: '2' },
    { action_type: 'onsite_conversion.messaging_conversation_started_7d', value: '5' },
  ]
  const action_values = [{ action_type: 'omni_purchase', value: '199.955' }]
  expect(toDelivery(Insight.parse({ ...row, actions, action_values }), 'ad', 'USD')).toMatchObject({
    platformConversionsMilli: 6000,
    platformConversionValueMinor: 19996,
    messagingConversationsStarted7d: 5,
  })
})

test('each level is keyed by its own id, and a row without it is malformed', () => {
  const insight = Insight.parse(row)
  expect(toDelivery(insight, 'campaign', 'USD')).toMatchObject({ externalId: 'c' })
  expect(toDelivery(insight, 'ad_set', 'USD')).toMatchObject({ externalId: 's' })
  expect(() => toDelivery({ ...insight, ad_id: null }, 'ad', 'USD')).toThrow(ProviderError)
})

test('fields that the schema does not name are stored as aside', () => {
  const { aside } = toCampaign(Campaign.parse({ id: '1', new_field: { deep: true } }), 'USD')
  expect(aside).toEqual({ new_field: { deep: true } })
})

test.each([
  ['2500', 'USD', 2500],
  ['2500', 'JPY', 2500],
  ['2500', 'HUF', 250_000],
  ['2500', 'KWD', 25_000],
  ['0', 'USD', null],
  [null, 'USD', null],
])('a budget of %s in %s is %s minor units', (budget, currency, minor) => {
  expect(budgetToMinor(budget, currency)).toBe(minor)
  if (minor !== null) expect(minorToBudget(minor, currency)).toBe(Number(budget))
})

test('estimates are rounded exactly, half up', () => {
  expect(roundedUnits('1.005', 2)).toBe(101)
  expect(roundedUnits('0.0004999', 3)).toBe(0)
  expect(roundedUnits('-2.5', 0)).toBe(-3)
  expect(roundedUnits('7', 3)).toBe(7000)
})

test('a pixel keeps the offsets of its times, and an unknown availability stays null', () => {
  const pixel = GraphPixel.parse({ id: '9', creation_time: '2021-02-03T17:40:00-0800' })
  expect(toPixel(pixel)).toEqual({
    id: '9',
    name: null,
    created_at: '2021-02-03T17:40:00-0800',
    last_fired_at: null,
    is_unavailable: null,
    owner_business: null,
  })
})

test('phone answers are prefixed only once', () => {
  const lead = Lead.parse({
    id: '5',
    created_time: '2026-03-01T10:00:00+0200',
    field_data: [
      { name: 'phone_number', values: ['+12025550101', 'p:+12025550102'] },
      { name: 'email', values: ['a@example.com'] },
    ],
  })
  expect(toLead(lead, 'page')).toMatchObject({
    occurredAt: '2026-03-01T08:00:00.000Z',
    adId: null,
    fieldData: [
      { name: 'phone_number', values: ['p:+12025550101', 'p:+12025550102'] },
      { name: 'email', values: ['a@example.com'] },
    ],
  })
})

test.each([
  [400, 190, 463, 'invalid_grant'],
  [400, 4, undefined, 'rate_limited'],
  [400, 17, 2446079, 'rate_limited'],
  [400, 613, undefined, 'rate_limited'],
  [400, 80004, undefined, 'rate_limited'],
  [403, 200, undefined, 'permission_missing'],
  [403, 10, undefined, 'permission_missing'],
  [500, 2, undefined, 'unavailable'],
  [400, 100, 33, 'not_found'],
  [400, 100, 1885272, 'rejected'],
])('status %d with code %d/%s is reported as %s', (status, code, error_subcode, reason) => {
  const body = { error: { message: 'reported', type: 'X', code, error_subcode, fbtrace_id: 'A' } }
  expect(graphRefusal({ status, body, headers: {} })?.reason).toBe(reason)
})

test('the end of a rate limit is read from the usage header', () => {
  const usage = JSON.stringify({ '123': [{ type: 'ads_insights', estimated_time_to_regain_access: 4 }] })
  const body = { error: { code: 17 } }
  const refusal = graphRefusal({ status: 400, body, headers: { 'x-business-use-case-usage': usage } })
  expect(refusal?.retryAfterSeconds).toBe(240)
  const garbled = graphRefusal({ status: 400, body, headers: { 'x-business-use-case-usage': '{' } })
  expect(garbled?.retryAfterSeconds).toBeNull()
})
