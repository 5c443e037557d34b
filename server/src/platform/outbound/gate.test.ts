import { expect, it } from 'vitest'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { clearConversion, clearData, clearUrl } from './gate.ts'

it.each([
  ['https://shop.example/thanks?email=ana@example.com', 'https://shop.example/thanks'],
  ['https://shop.example/thanks?ref=7#ana@example.com', 'https://shop.example/thanks'],
  [
    'https://shop.example/a?utm_source=x&gclid=Abc-1&name=Ana',
    'https://shop.example/a?utm_source=x&gclid=Abc-1',
  ],
  ['https://shop.example/a?utm_content=ana%40example.com&utm_id=120', 'https://shop.example/a?utm_id=120'],
  ['https://shop.example/a?utm_term=+5511999998888', 'https://shop.example/a'],
  ['https://ana:secret@shop.example/a', 'https://shop.example/a'],
  ['https://shop.example/u/ana%2540example.com/thanks', 'https://shop.example/u/-/thanks'],
  ['https://shop.example/u;email=ana@example.com/thanks', 'https://shop.example/-/thanks'],
  ['https://shop.example/2026-11-17/thanks', 'https://shop.example/2026-11-17/thanks'],
])('%s leaves as %s', (url, cleared) => {
  expect(clearUrl(url)).toBe(cleared)
})

it.each(['mailto:ana@example.com', 'javascript:alert(1)', 'no address'])('%s is not a web page', (url) => {
  expect(clearUrl(url)).toBeNull()
})

const person = { ...noPerson, emails: ['ana@example.com'], phones: ['+5511999998888'] }

it('redacts all free text of a conversion, and keeps values that are hashed', () => {
  const email = 'ana@example.com'
  const conversion = clearConversion(
    makeConversion({
      eventName: `Purchase of ${email}`,
      sourceUrl: `https://shop.example/${email}`,
      orderId: email,
      dedupId: email,
      clicks: [
        { kind: 'fbclid', id: email, seenAt: '2026-03-01T10:00:00Z' },
        { kind: 'fbc', id: 'fb.1.17.x', seenAt: '2026-03-01T10:00:00Z' },
        { kind: 'ttp', id: '<b>', seenAt: '2026-03-01T10:00:00Z' },
      ],
      person: { ...person, browserId: email, ip: email, userAgent: `Firefox ${email}`, country: email },
    }),
  )
  expect(conversion).toMatchObject({
    eventName: 'Purchase of …',
    sourceUrl: 'https://shop.example/-',
    orderId: null,
    dedupId: 'e1',
    clicks: [],
    person: { ...person, browserId: null, ip: null, userAgent: 'Firefox …', country: null },
  })
})

it('recognises the person’s own number written as plain digits', () => {
  const clicks = [{ kind: 'gclid', id: 'x11999998888', seenAt: '2026-03-01T10:00:00Z' }]
  const sourceUrl = 'https://shop.example/u/119/9999/8888?utm_id=5511999998888'
  const planted = { sourceUrl, orderId: '5511999998888', clicks }
  expect(clearConversion(makeConversion({ ...planted, person }))).toMatchObject({
    sourceUrl: 'https://shop.example/',
    orderId: null,
    clicks: [],
  })
  // For another person the digits are an id.
  const other = { ...person, phones: ['+34600987654'] }
  expect(clearConversion(makeConversion({ ...planted, person: other }))).toMatchObject({
    orderId: '5511999998888',
    clicks,
  })
})

it('leaves a clean conversion unchanged', () => {
  const conversion = makeConversion({
    sourceUrl: 'https://shop.example/thanks?utm_source=mail&fbclid=IwAR0-1',
    orderId: 'order-1042',
    clicks: [{ kind: 'fbc', id: 'fb.1.1700000000000.IwAR0-1', seenAt: '2026-03-01T10:00:00Z' }],
    person: { ...person, browserId: 'fb.1.1596403881668.1116446470', ip: '192.0.2.7', userAgent: 'Firefox' },
  })
  expect(clearConversion(conversion)).toEqual(conversion)
})

it('redacts the texts of a partner event at every depth', () => {
  const data = {
    id: 7,
    at: '2026-11-17T10:00:00.000Z',
    external_id: 'ana@example.com',
    result: { pages: [{ name: 'call +34 600 987 654' }, 'https://shop.example/?email=ana@example.com'] },
  }
  expect(clearData(data)).toEqual({
    ...data,
    external_id: '…',
    result: { pages: [{ name: 'call …' }, 'https://shop.example/'] },
  })
})
