import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toTouch } from './touch.ts'

const words = fc.constantFrom('', 'x', 'cpc', 'email', 'direct', 'organic', 'referral', 'google')
const tags = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), words)

it('a touch is direct exactly where its channel is', () => {
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
    fc.property(arrival, (given) => {
      const touch = toTouch(given)
      if (touch !== null) expect(touch.is_direct).toBe(touch.channel === 'direct')
    }),
    { numRuns: 2000 },
  )
})

it('an empty tag is none', () => {
  const nothing = { utm: { source: '' }, clickIds: { gclid: '' }, ad: {}, referrer: null, url: null }
  expect(toTouch({ ...nothing, sessionStart: false })).toBeNull()
  expect(toTouch({ ...nothing, sessionStart: true })).toMatchObject({ channel: 'direct', is_direct: true })
})
