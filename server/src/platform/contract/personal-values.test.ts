import { expect, it } from 'vitest'
import { isPersonal, withoutPersonalValues } from './personal-values.ts'

it.each([
  'ana@example.com',
  'paid by Ana.Souza+tag@shop.example.co today',
  'ana%40example.com',
  'ana%2540example%252Ecom',
  'ana＠example.com',
  '+5511999998888',
  '%2B5511999998888',
  ' 5511999998888',
  'tel:+1-202-555-0123',
  '(11) 99999-8888',
  '202-555-0123',
  '06 12 34 56 78',
  'call +34 600 987 654 please',
])('%s names a person', (text) => {
  expect(isPersonal(text)).toBe(true)
  expect(isPersonal(withoutPersonalValues(text))).toBe(false)
  expect(withoutPersonalValues(text)).not.toMatch(/example|9999|0123|34 56|987/)
})

it.each([
  'Purchase',
  'order-1042',
  '4500123456',
  '120210000000000001',
  '2026-11-17',
  '2026-11-17T10:00:00.000Z',
  '192.168.100.200',
  '1234567.89',
  '01920000-0000-7000-8000-000000000000',
  'act_1234567890',
  'customers/1234567890/conversionActions/987654321',
  'fb.1.1700000000000.IwAR0-click',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0',
  'https://social.example/@some.one',
  '',
])('%s names no one', (text) => {
  expect(isPersonal(text)).toBe(false)
  expect(withoutPersonalValues(text)).toBe(text)
})

it('removes the value from its sentence, and an encoded one together with its word', () => {
  expect(withoutPersonalValues('no mail to ana@example.com, try +34 600 987 654')).toBe('no mail to …, try …')
  expect(withoutPersonalValues('refused at ana%40example.com again')).toBe('refused at … again')
})
