import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeOwnProfile } from '../../../../test/make.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { getTrackingTemplates } from './contract.ts'
import { arrivalState } from './rules.ts'
import { trackingTemplates } from './templates.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('lists what to paste at each platform, and whether clicks arrive with their ads', async () => {
  const { profileId, call } = await makeOwnProfile(app, ['events:write', 'tracking:read'])
  const { data: before } = await call(getTrackingTemplates)
  expect(before.map(({ platform, state }) => [platform, state])).toEqual([
    ['social', 'waiting'],
    ['engine', 'waiting'],
    ['shortvideo', 'waiting'],
    ['linkedin', 'waiting'],
    ['microsoft', 'waiting'],
  ])
  // With the macros replaced as by a platform, the template is a valid URL that contains all three ids.
  for (const { template } of before) {
    const filled = new URLSearchParams(
      template.replace(/\{\{[^}]+\}\}|\{[^}]+\}|__\w+?__|\b[A-Z_]+_ID\b/g, '42'),
    )
    expect([filled.get('campaign_id'), filled.get('adset_id'), filled.get('ad_id')]).toEqual([
      '42',
      '42',
      '42',
    ])
  }
  const click = (anonymous_id: string, fields: Record<string, unknown>) => ({
    event_name: 'visit',
    anonymous_id,
    ...fields,
  })
  await call(sendEvents, {
    body: {
      events: [
        click('a', { click_ids: { fbclid: 'f1' }, ad: { ad_id: 'A1', campaign_id: 'C1' } }),
        click('b', { click_ids: { fbclid: 'f2' }, utm: { medium: 'paid_social' } }),
        // The link of a post is not a paid click, so it does not count as missing its ad.
        click('d', { click_ids: { fbclid: 'f3' } }),
        click('c', { click_ids: { gclid: 'g1' } }),
        click('e', { click_ids: { li_fat_id: 'l1' }, ad: { ad_id: 'CR1', ad_set_id: 'CA1' } }),
        click('e', { click_ids: { msclkid: 'm1' }, ad: { ad_id: 'A2', campaign_id: 'C2' } }),
      ],
    },
  })
  await app.service.processor.settled(profileId)
  expect((await call(getTrackingTemplates)).data).toMatchObject([
    { platform: 'social', clicks: 2, with_ad_id: 1, state: 'partial' },
    { platform: 'engine', clicks: 1, with_ad_id: 0, state: 'missing' },
    { platform: 'shortvideo', clicks: 0, last_click_on: null, state: 'waiting' },
    { platform: 'linkedin', clicks: 1, with_ad_id: 1, state: 'arriving' },
    { platform: 'microsoft', clicks: 1, with_ad_id: 1, state: 'arriving' },
  ])
})

it('contains the documentation page of each macro', () => {
  const hosts = {
    social: 'developers.facebook.com',
    engine: 'developers.google.com',
    shortvideo: 'ads.tiktok.com',
    linkedin: 'learn.microsoft.com',
    microsoft: 'github.com',
  }
  for (const { platform, source } of trackingTemplates) {
    expect(new URL(source.macros!).host).toBe(hosts[platform])
    expect(source.readOn).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

it('for TikTok, __AID__ is the ad group and __CID__ the ad', () => {
  const { template } = trackingTemplates.find(({ platform }) => platform === 'shortvideo')!
  const query = new URLSearchParams(template)
  expect(['campaign_id', 'adset_id', 'ad_id'].map((name) => query.get(name))).toEqual([
    '__CAMPAIGN_ID__',
    '__AID__',
    '__CID__',
  ])
})

it('counts a platform as arriving from nine clicks of ten', () => {
  expect([arrivalState(10, 9), arrivalState(10, 8), arrivalState(10, 0)]).toEqual([
    'arriving',
    'partial',
    'missing',
  ])
})
