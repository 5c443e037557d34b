import { expect, test } from 'vitest'
import { clickIdPlatforms } from '../../server/src/platform/contract/click-ids.ts'
import { isSameSite, LINK_FIELD, marksOf, readArrival, readLanding, takeToken } from '../src/landing.ts'
import { CLICK_IDS as READ } from '../src/wire.ts'

const CLICK_IDS = {
  gclid: 'g1',
  gbraid: 'g2',
  wbraid: 'g3',
  dclid: 'd1',
  fbclid: 'f1',
  ttclid: 't1',
  msclkid: 'm1',
  li_fat_id: 'l1',
  twclid: 'x1',
  rdt_cid: 'r1',
  ScCid: 's1',
  epik: 'p1',
}

test('the tracker reads the same click ids as the server, in order of precedence', () => {
  expect(READ).toEqual(Object.keys(clickIdPlatforms))
})

test('reads every tag of a landing URL, click ids in any case', () => {
  const query = new URLSearchParams({
    utm_source: 'news',
    utm_medium: 'mail',
    utm_campaign: 'spring sale',
    utm_term: 'shoes',
    utm_content: 'top',
    adset_id: '22',
    ad_id: '11',
    campaign_id: '33',
    ...CLICK_IDS,
  })
  const landing = readLanding(`https://shop.example/?${query}`)
  expect(landing).toEqual({
    utm: { source: 'news', medium: 'mail', campaign: 'spring sale', term: 'shoes', content: 'top' },
    click_ids: CLICK_IDS,
    ad: { ad_id: '11', ad_set_id: '22', campaign_id: '33' },
  })
  expect(readLanding('https://shop.example/?GCLID=a&sccid=b&UTM_Source=c')).toEqual({
    utm: { source: 'c' },
    click_ids: { gclid: 'a', ScCid: 'b' },
    ad: {},
  })
})

test('a URL without tags, with empty tags or an invalid URL gives no tags', () => {
  for (const url of ['https://a.example/x', 'https://a.example/?utm_source=&gclid=%20', 'about:blank', '']) {
    expect(readLanding(url)).toEqual({ utm: {}, click_ids: {}, ad: {} })
  }
})

test('truncates and cleans overlong and broken text', () => {
  const landing = readLanding(
    `https://a.example/?utm_source=${'x'.repeat(600)}&utm_medium=a%00b&gclid=%EF%BF%BD`,
  )
  expect(landing.utm.source).toHaveLength(512)
  expect(landing.utm.medium).toBe('ab')
})

test('subdomains and www belong to the site, look-alikes do not', () => {
  expect(isSameSite('shop.example', 'www.shop.example')).toBe(true)
  expect(isSameSite('pay.shop.example', 'shop.example')).toBe(true)
  expect(isSameSite('myshop.example', 'shop.example')).toBe(false)
})

const page = {
  url: 'https://shop.example/?gclid=1',
  referrer: 'https://search.example/q',
  site: 'shop.example',
}

test('a new load from another site counts every time', () => {
  const first = readArrival({ ...page, fresh: true }, [])
  expect(first).toMatchObject({ referrer: 'https://search.example/q', click_ids: { gclid: '1' } })
  expect(readArrival({ ...page, fresh: true }, marksOf(first))).toEqual(first)
})

test('a reload counts only if its landing was not seen before', () => {
  const first = readArrival({ ...page, fresh: false }, [])
  expect(first).toMatchObject({ referrer: 'https://search.example/q', click_ids: { gclid: '1' } })
  expect(readArrival({ ...page, fresh: false }, marksOf(first))).toEqual({
    referrer: '',
    utm: {},
    click_ids: {},
    ad: {},
  })
})

test('internal links are not referrers, and their seen tags do not count again', () => {
  const seen = marksOf(readArrival({ ...page, fresh: true }, []))
  const internal = { ...page, referrer: 'https://www.shop.example/a', fresh: true }
  expect(readArrival(internal, seen)).toMatchObject({ referrer: '', click_ids: {} })
  expect(readArrival({ ...internal, url: 'https://shop.example/?gclid=2' }, seen)).toMatchObject({
    referrer: '',
    click_ids: { gclid: '2' },
  })
})

test('an untagged direct page view has no marks', () => {
  expect(
    marksOf(readArrival({ ...page, url: 'https://shop.example/', referrer: '', fresh: true }, [])),
  ).toEqual([])
})

test.each([
  ['https://a.test/?whence_link=T', 'https://a.test/'],
  ['https://a.test/?whence_link=T&b=%20x#top', 'https://a.test/?b=%20x#top'],
  ['https://a.test/p?a=1&whence_link=T', 'https://a.test/p?a=1'],
  ['https://a.test/p?a=1&whence_link=T&b=2', 'https://a.test/p?a=1&b=2'],
])('removes the token of %s and keeps the rest', (url, remainder) => {
  expect(takeToken(url, LINK_FIELD)).toEqual({ token: 'T', url: remainder })
})

test('a URL without a token is unchanged', () => {
  const url = 'https://a.test/?other_whence_link=T#?x'
  expect(takeToken(url, LINK_FIELD)).toEqual({ token: '', url })
})
