import { expect, test } from 'vitest'
import { readTraits } from '../src/leads.ts'
import { classifyLink } from '../src/links.ts'

const field = (name: string, value: string, type = 'text', autocomplete = '') => ({
  name,
  value,
  type,
  autocomplete,
})

test('finds contact fields by type, by autocomplete and by name', () => {
  expect(
    readTraits([
      field('a', ' Ada@Example.com ', 'email'),
      field('b', '+1 (415) 555-0100', 'tel'),
      field('c', 'Ada', 'text', 'shipping given-name'),
      field('last-name', 'Lovelace'),
    ]),
  ).toEqual({
    email: 'Ada@Example.com',
    phone: '+1 (415) 555-0100',
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  expect(readTraits([field('your_email', 'a@b.co'), field('full_name', 'Ada King Lovelace')])).toEqual({
    email: 'a@b.co',
    first_name: 'Ada',
    last_name: 'King Lovelace',
  })
})

test('does not read secrets, hidden fields, invalid contacts and unrelated fields', () => {
  expect(
    readTraits([
      field('email', 'a@b.co', 'hidden'),
      field('email', 'secret@b.co', 'password'),
      field('email', 'not an address'),
      field('phone', '12'),
      field('company_name', 'Acme'),
      field('card', '4111111111111111', 'text', 'cc-number'),
      field('username', 'ada'),
    ]),
  ).toEqual({})
})

test('chat links have their app; other links to other sites are outbound', () => {
  const app = (href: string) => {
    const link = classifyLink(href, 'shop.example')
    return link?.type === 'chat_click' ? link.app : link?.kind
  }
  expect(
    [
      'https://wa.me/15550100?text=hi',
      'https://api.whatsapp.com/send?phone=1',
      'whatsapp://send?phone=1',
      'https://m.me/shop?ref=ad1',
      'https://ig.me/m/shop',
      'https://t.me/shop',
      'tg://resolve?domain=shop',
      'https://line.me/R/ti/p/@shop',
      'viber://chat?number=1',
      'tel:+15550100',
      'mailto:a@b.co',
      'https://other.example/x',
    ].map(app),
  ).toEqual([
    'chatapp',
    'chatapp',
    'chatapp',
    'pagechat',
    'photoapp',
    'telegram',
    'telegram',
    'line',
    'viber',
    'tel',
    'mailto',
    'link',
  ])
})

test('links within the site, anchors and scripts are not outbound clicks', () => {
  for (const href of [
    'https://shop.example/a',
    'https://www.shop.example/',
    'javascript:void(0)',
    'blob:https://x/1',
    '#top',
    '',
  ]) {
    expect(classifyLink(href, 'shop.example')).toBeUndefined()
  }
  expect(classifyLink('https://notwa.me/1', 'shop.example')).toMatchObject({ type: 'outbound_click' })
})
