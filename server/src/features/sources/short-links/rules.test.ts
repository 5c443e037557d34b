import fc from 'fast-check'
import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { depth } from '../../../../test/length.ts'
import { readQr } from '../../../../test/read-qr.ts'
import {
  findChatCode,
  readChatCode,
  toChatCode,
  withChatCode,
} from '../../../platform/contract/chat-codes.ts'
import { chatAddress, effectiveUtm, pageAddress, refuseChat, refuseTargetUrl, toSvg } from './rules.ts'

const domains = ['shop.example']
const to = (url: string) => ({ url, chat: null, utm: {}, ad: null })

it.each([
  'http://shop.example/',
  'https://evil.example/',
  'https://shop.example.evil.example/',
  'https://evilshop.example/',
  'https://shop.example@evil.example/',
  'https://user:secret@shop.example/',
  'https://shop.example\\@evil.example/',
  'https:\\\\shop.example/',
  'https://evil.example\\.shop.example/',
  'https:///evil.example/',
  'https:shop.example',
  '//shop.example/',
  '/\\shop.example',
  'https://shop%2eexample%2fevil.example/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://localhost/',
  'https://shop.example:8443/',
  'https://shop.example/ a',
  'https://shop.example/\nSet-Cookie: a=b',
  ' https://shop.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'whatsapp://send?text=x',
  'https://',
  '',
])('a link to %j is refused', (url) => {
  expect(refuseTargetUrl(url, domains)).toMatchObject({ code: 'validation_error' })
})

it.each([
  'https://shop.example',
  'https://www.shop.example/a?b=c#d',
  'https://shop.example/café?q=ñ',
  'https://wa.me/34600111222?text=Hola',
  'https://m.me/harbor.and.pine',
])('a link to %j is allowed', (url) => {
  expect(refuseTargetUrl(url, domains)).toBeNull()
})

it('a redirect stays on the host of its target, whatever the visitor adds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), fc.webPath(), (query, path) => {
      const target = to(`https://shop.example${path}`)
      if (refuseTargetUrl(target.url, domains) !== null) return
      const reached = new URL(pageAddress('flyer', target, query))
      expect(reached.origin).toBe('https://shop.example')
      expect(reached.searchParams.get('utm_campaign')).toBe('flyer')
      expect(reached.href.length).toBeLessThan(2200)
    }),
  )
})

it('fills in the parameters that the address does not have, and lets a visitor set none of ours', () => {
  const target = {
    ...to('https://shop.example/?utm_source=radio&size=7#top'),
    utm: { source: 'podcast', content: 'ep 4' },
    ad: { campaign_id: 'C1', ad_id: 'A1' },
  }
  const query = { gclid: 'g', size: '9', utm_medium: 'forged', ad_id: 'forged', whence_link: 'forged' }
  expect(pageAddress('ep-4', target, query)).toBe(
    'https://shop.example/?utm_source=radio&size=7&utm_campaign=ep-4&utm_content=ep+4&campaign_id=C1&ad_id=A1&gclid=g#top',
  )
  expect(effectiveUtm('ep-4', target)).toEqual({ source: 'radio', campaign: 'ep-4', content: 'ep 4' })
  expect(effectiveUtm('x', to('https://shop.example/'))).toEqual({
    source: 'short_link',
    medium: 'link',
    campaign: 'x',
  })
})

it('opens each chat with its code, which the message still shows', () => {
  const chat = { app: 'chatapp', account: '5215512345678', text: '¡Hola! Quiero una cotización 🛠️' } as const
  const code = toChatCode(Buffer.from([1, 2, 3, 4, 5, 6]))
  const opened = new URL(chatAddress(chat, code))
  expect([opened.host, opened.pathname]).toEqual(['wa.me', '/5215512345678'])
  expect(opened.searchParams.get('text')).toBe(`¡Hola! Quiero una cotización 🛠️ (ref ${code})`)
  expect(findChatCode(opened.searchParams.get('text')!)).toBe(code)
  expect(chatAddress({ app: 'photoapp', account: 'harbor', text: null }, code)).toBe(
    `https://ig.me/m/harbor?ref=${code}`,
  )
  for (const account of ['', '+34600', '0600111222', '3460011', '34600111222/../evil', 'evil.example'])
    expect(
      refuseChat({ app: 'chatapp', account: account === '3460011' ? '346' : account, text: null }),
    ).not.toBeNull()
  expect(refuseChat({ app: 'pagechat', account: 'a/b?c', text: null })).not.toBeNull()
})

it('an independent reader decodes the QR code of random links at every level', async () => {
  const rounds = depth(12, 1000)
  const slugs = fc.sample(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,38}[a-z0-9]$/), {
    numRuns: rounds,
    seed: 7,
  })
  for (const [index, slug] of slugs.entries())
    for (const ecc of index % 10 === 0 ? (['L', 'M', 'Q', 'H'] as const) : (['M'] as const)) {
      const url = `https://go.harbor-and-pine.example/l/${slug}`
      const { data } = encode(url, { ecc, border: 4, boostEcc: false })
      expect(await readQr(toSvg(data, 256))).toBe(url)
    }
}, 300_000)

it('a code is found in a message as it was prefilled, and in no other text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), fc.string(), (random, text) => {
      const code = toChatCode(random)
      expect(findChatCode(withChatCode(text.slice(0, 900).replace(/ref/gi, ''), code))).toBe(code)
      expect(readChatCode(` ${code.toLowerCase()} `)).toBe(code)
      for (let at = 1; at < 8; at++) {
        const digit = code[at] === '4' ? '5' : '4'
        expect(findChatCode(`(ref ${code.slice(0, at)}${digit}${code.slice(at + 1)})`)).toBeNull()
      }
    }),
  )
  for (const text of [
    'ref 1234567',
    'Invoice ref: W1234',
    'ref W0000001',
    'Factura ref WILLIAMS',
    'W7K3QX2M',
    'prefW0000000',
    '',
  ])
    expect(findChatCode(text)).toBeNull()
})

it('with 100,000 live codes, fewer than 1 of 10,000 texts with the form of a code hits one', () => {
  // 2^30 codes; a text of this form also has to have a valid checksum to be looked up at all.
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  let seed = 1
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  let valid = 0
  const texts = 20_000
  for (let n = 0; n < texts; n++) {
    const code = `W${Array.from({ length: 7 }, () => alphabet[Math.floor(next() * 32)]).join('')}`
    if (findChatCode(`ref ${code}`) !== null) valid++
  }
  expect(valid / texts).toBeLessThan(1 / 20)
  expect((valid / texts) * (100_000 / 2 ** 30)).toBeLessThan(1 / 10_000)
})
