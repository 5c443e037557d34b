import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toTouch } from './touch.ts'

const tagValues = fc.constantFrom('', 'x', 'cpc', 'email', 'direct', 'organic', 'referral', 'google')
const tags = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), tagValues)

it('is_direct is true exactly if the channel is direct', () => {
  const arrival = fc.record({
    utm: tags(['source', 'medium', 'campaign', 'term', 'content']),
    clickIds: tags(['gclid', 'fbclid', 'fbp', 'irclickid']),
    ad: tags(['ad_id', 'campaign_id']),
    referrer: fc.constantFrom(
      null,
      '',
      'https://shop.example/a',
      'https://www.google.com/',
      'android-app://x',
    ),
    url: fc.constantFrom(null, 'https://shop.example/b', 'not a url'),
    sessionStart: fc.boolean(),
  })
  fc.assert(
    fc.property(arrival, (fields) => {
      const touch = toTouch(fields)
      if (touch !== null) expect(touch.is_direct).toBe(touch.channel === 'direct')
    }),
    { numRuns: 2000 },
  )
})

it('ignores empty parameters', () => {
  const empty = { utm: { source: '' }, clickIds: { gclid: '' }, ad: {}, referrer: null, url: null }
  expect(toTouch({ ...empty, sessionStart: false })).toBeNull()
  expect(toTouch({ ...empty, sessionStart: true })).toMatchObject({ channel: 'direct', is_direct: true })
})

it('a click that is paid only by its UTM parameters gets a platform, but no ad', () => {
  const platformOf = (utm: Record<string, string>, clickIds: Record<string, string> = {}) =>
    toTouch({ utm, clickIds, ad: {}, referrer: null, url: null, sessionStart: false })
  for (const [source, platform] of [
    ['google', 'engine'],
    ['Facebook', 'social'],
    ['ig', 'social'],
    ['tiktok', 'shortvideo'],
    ['bing', 'microsoft'],
    ['newsletter', 'other'],
  ] as const)
    expect(platformOf({ medium: 'cpc', source })).toMatchObject({ platform, ad_id: null, campaign_id: null })
  expect(platformOf({ medium: 'CPC' })?.platform).toBe('other')
  expect(platformOf({ medium: 'email', source: 'facebook' })?.platform).toBeNull()
  expect(platformOf({ medium: 'cpc', source: 'google' }, { fbclid: 'x' })?.platform).toBe('social')
})

it('a click id that is also on organic posts is a paid click only with an ad or a paid medium', () => {
  const fbclid = (arrival: Partial<Parameters<typeof toTouch>[0]>) => {
    const touch = toTouch({
      utm: {},
      clickIds: { fbclid: 'x' },
      ad: {},
      referrer: 'https://l.facebook.com/',
      url: 'https://shop.example/',
      sessionStart: true,
      ...arrival,
    })
    return [touch?.channel, touch?.platform, touch?.click_id]
  }
  expect(fbclid({})).toEqual(['organic_social', null, 'x'])
  expect(fbclid({ utm: { source: 'facebook', medium: 'social' } })).toEqual(['organic_social', null, 'x'])
  expect(fbclid({ utm: { medium: 'paid_social' } })).toEqual(['paid_social', 'social', 'x'])
  expect(fbclid({ ad: { ad_id: 'A1' } })).toEqual(['paid_social', 'social', 'x'])
  expect(fbclid({ ad: { campaign_id: 'C1' } })).toEqual(['paid_social', 'social', 'x'])
  // The other ids are only on ads.
  expect(fbclid({ clickIds: { ttclid: 'x' } })).toEqual(['paid_social', 'shortvideo', 'x'])
})

it('an unreplaced macro is no ad id, and the click is still paid', () => {
  const adOf = (ad: Record<string, string>) => {
    const touch = toTouch({
      utm: { source: 'tiktok', medium: 'paid_social' },
      clickIds: { ttclid: 'E.C.P.x' },
      ad,
      referrer: null,
      url: 'https://shop.example/',
      sessionStart: true,
    })
    expect(touch).toMatchObject({ channel: 'paid_social', platform: 'shortvideo', click_id: 'E.C.P.x' })
    return [touch!.campaign_id, touch!.ad_set_id, touch!.ad_id]
  }
  const ids = { campaign_id: '1789', ad_set_id: '1790', ad_id: '1791' }
  expect(adOf(ids)).toEqual(['1789', '1790', '1791'])
  expect(adOf({ campaign_id: '__CAMPAIGN_ID__', ad_set_id: '__AID__', ad_id: '__CID__' })).toEqual([
    null,
    null,
    null,
  ])
  expect(adOf({ ...ids, ad_id: '_CID_' })).toEqual(['1789', '1790', null])
  expect(adOf({ ...ids, ad_id: '{{ad.id}}' })).toEqual(['1789', '1790', null])
  expect(adOf({ ...ids, ad_id: '_summer_' })).toEqual(['1789', '1790', '_summer_'])
})
