import { EventInput } from '@whence/server/features/facts/events/contract.ts'
import { expect, it } from 'vitest'
import { parseTable } from './csv-records.ts'
import { guessMapping } from './sale-fields.ts'
import { readAmount, readConsent, readDate } from './sale-values.ts'
import { mappingProblem, readSales, type SaleSettings } from './sales-csv.ts'

const baseSettings: SaleSettings = {
  mapping: {},
  eventName: 'payment_received',
  needsAmount: true,
  currency: 'EUR',
  consent: null,
  timeZone: 'Europe/Madrid',
  dateOrder: 'ymd',
  decimalMark: '.',
}

function read(text: string, settings: Partial<SaleSettings> = {}) {
  const [head, ...rows] = parseTable(text)
  return readSales(rows, { ...baseSettings, mapping: guessMapping(head!.fields), ...settings })
}

it('a row with a negative amount is a refund of its order, also in parts', () => {
  const sales = read('date,amount,order\n2026-05-31,-10.50,R-1\n2026-06-01,(5),R-1\n2026-06-02,-5,')
  expect(sales.map(({ event, problem }) => [event?.event_name, event?.properties, problem])).toEqual([
    ['refund', { value: '10.50', currency: 'EUR', order_id: 'R-1' }, null],
    ['refund', { value: '5', currency: 'EUR', order_id: 'R-1' }, null],
    [undefined, undefined, expect.stringContaining('is missing, so the payment of the refund is unknown')],
  ])
  const [full] = read('date,order\n2026-05-31,R-1', { eventName: 'refund', needsAmount: false })
  expect(full!.event).toMatchObject({ event_name: 'refund', properties: { order_id: 'R-1' } })
})

it('recognises columns by their headings, whatever separates them', () => {
  const mapping = { date: 0, amount: 1, order_id: 2, email: 3 }
  for (const text of [
    'Date,Total,Order number,E-mail',
    'date;total;order_id;email',
    'Date\tAmount\tInvoice\tEmail',
  ])
    expect(guessMapping(parseTable(text)[0]!.fields)).toEqual(mapping)
})

it('builds valid events, without the columns that were not chosen', () => {
  const [sale] = read(
    'date,amount,order,email,phone,notes\n2026-05-31 14:30,"1,129.90",R-1,Ana@example.com,+34600111222,likes tea',
  )
  expect(sale!.event).toMatchObject({
    event_name: 'payment_received',
    timestamp: '2026-05-31T12:30:00.000Z',
    idempotency_key: 'offline:payment_received:R-1',
    properties: { value: '1129.90', currency: 'EUR', order_id: 'R-1' },
    user_traits: { email: 'Ana@example.com', phone: '+34600111222' },
  })
  expect(JSON.stringify(sale!.event)).not.toContain('tea')
})

it('reports the problem of each row', () => {
  const rows = [
    'date,amount,currency,order,email,phone,consent',
    ',1,,1,,,',
    '31/05/2026,1,,2,,,',
    '2026-02-30,1,,3,,,',
    '2026-05-31 25:00,1,,4,,,',
    '2026-05-31,,,5,,,',
    '2026-05-31,many,,6,,,',
    '2026-05-31,-5,,7,,,',
    '2026-05-31,1.005,,8,,,',
    '2026-05-31,1,euro,9,,,',
    '2026-05-31,1,,10,ana,,',
    '2026-05-31,1,,11,,12,',
    '2026-05-31,1,,12,,,perhaps',
    `2026-05-31,1,,${'x'.repeat(201)},,,`,
    '2026-05-31,1,,13,ana@example.com,,',
    '2026-05-31,1,,13,bo@example.com,,',
    '2026-05-31,2,,,ana@example.com,,',
    '2026-05-31,2,,,Ana@example.com,,',
  ]
  expect(read(rows.join('\n')).map(({ line, problem }) => [line, problem])).toEqual([
    [2, 'Date is missing.'],
    [3, 'Date is not a date such as 2026-05-31.'],
    [4, 'Date is not a date such as 2026-05-31.'],
    [5, 'Date is not a time of day such as 14:30.'],
    [6, 'Amount is missing.'],
    [7, 'Amount is not an amount such as 1,234.50.'],
    [8, null],
    [9, 'Amount has more decimals than EUR has (2).'],
    [10, 'Currency is not a code such as EUR.'],
    [11, 'Email is not an address such as ana@example.com.'],
    [12, 'Phone has too few digits.'],
    [13, 'Consent to ads must be yes or no.'],
    [14, 'Order or receipt number is too long.'],
    [15, null],
    [16, 'Order or receipt number is the same as in line 15.'],
    [17, null],
    [18, 'The same as line 17. Two sales that are alike need an order or receipt number.'],
  ])
})

it('the key of a row without an order number is stable, differs per customer and contains no email', () => {
  const text = 'date,amount,email\n2026-05-31,10,ana@example.com\n2026-05-31,10,bo@example.com'
  const keys = read(text).map(({ event }) => event!.idempotency_key!)
  expect(keys).toEqual([
    expect.stringMatching(/^offline:payment_received:[0-9a-z]{22}$/),
    expect.stringMatching(/^offline:payment_received:[0-9a-z]{22}$/),
  ])
  expect(keys[0]).not.toBe(keys[1])
  expect(read(text).map(({ event }) => event!.idempotency_key)).toEqual(keys)
})

it('a row’s own consent overrides the file’s', () => {
  const text = 'date,amount,order,consent\n2026-05-31,1,1,yes\n2026-05-31,1,2,no\n2026-05-31,1,3,'
  const consents = (settings: Partial<SaleSettings>) =>
    read(text, settings).map(({ event }) => event!.properties.consent)
  const [granted, denied] = (['granted', 'denied'] as const).map((state) => ({
    ad_user_data: state,
    ad_personalization: state,
  }))
  expect(consents({})).toEqual([granted, denied, undefined])
  expect(consents({ consent: 'denied' })).toEqual([granted, denied, denied])
})

it('warns if no ad can be credited, and requires date and amount columns', () => {
  expect(read('date,amount,order\n2026-05-31,1,1')[0]!.warning).toMatch('no ad can be credited')
  expect(mappingProblem({ ...baseSettings, mapping: { amount: 0 } })).toBe('Choose the column with the date.')
  expect(mappingProblem({ ...baseSettings, mapping: { date: 0 } })).toBe('Choose the column with the amount.')
  expect(mappingProblem({ ...baseSettings, mapping: { date: 0 }, needsAmount: false })).toBeNull()
  expect(read('date,order\n2026-05-31,1', { needsAmount: false })[0]!.event!.properties).toEqual({
    order_id: '1',
  })
})

it.each([
  ['2026-05-31', 'ymd', '2026-05-31T21:59:59.000Z'],
  ['31.5.2026', 'dmy', '2026-05-31T21:59:59.000Z'],
  ['5/31/2026 2:30 PM', 'mdy', '2026-05-31T12:30:00.000Z'],
  ['5/31/2026 12:05 am', 'mdy', '2026-05-30T22:05:00.000Z'],
  ['2026-05-31T14:30:00+00:00', 'dmy', '2026-05-31T14:30:00.000Z'],
  // Clocks go forward at 2:00 on 29 March and back at 3:00 on 25 October.
  ['2026-03-29 12:00', 'ymd', '2026-03-29T10:00:00.000Z'],
  ['2026-10-25 12:00:30', 'ymd', '2026-10-25T11:00:30.000Z'],
  ['2026-10-25', 'ymd', '2026-10-25T22:59:59.000Z'],
] as const)('reads the date %s written as %s', (text, order, instant) => {
  expect(readDate(text, order, 'Europe/Madrid')).toEqual({ value: instant })
})

it.each([
  ['1,234.50', '.', '1234.50'],
  ['€ 12', '.', '12'],
  ['1.234,50 EUR', ',', '1234.50'],
  ['1 234,5', ',', '1234.5'],
] as const)('reads the amount %s', (text, mark, value) => {
  expect(readAmount(text, mark, 'EUR')).toEqual({ value })
})

it('does not guess whether a comma is a decimal mark', () => {
  expect(readAmount('12,50', '.', 'EUR')).toEqual({ problem: 'is not an amount such as 1,234.50' })
  expect(readAmount('12.50', ',', 'EUR')).toEqual({ problem: 'is not an amount such as 1.234,50' })
  expect(readConsent('')).toEqual({ value: null })
})

it('length limits equal the server’s', () => {
  const traits = ['phone', 'external_id', 'first_name', 'last_name'] as const
  for (const field of traits) {
    const longest = Math.max(
      ...[64, 200, 320].filter(
        (length) => EventInput.safeParse({ user_traits: { [field]: '1'.repeat(length) } }).success,
      ),
    )
    const problems = [longest, longest + 1].map((length) => {
      const [sale] = readSales([{ number: 2, fields: ['2026-05-31', '1', '1'.repeat(length)] }], {
        ...baseSettings,
        mapping: { date: 0, amount: 1, [field]: 2 },
      })
      if (sale!.event) expect(EventInput.safeParse(sale!.event).success).toBe(true)
      return sale!.problem
    })
    expect([field, ...problems]).toEqual([field, null, expect.stringMatching(/ is too long\.$/)])
  }
  const orders = [200, 201].map((length) => read(`date,amount,order\n2026-05-31,1,${'1'.repeat(length)}`)[0]!)
  expect(EventInput.safeParse(orders[0]!.event).success).toBe(true)
  expect(orders.map(({ problem }) => problem)).toEqual([null, 'Order or receipt number is too long.'])
  const eventName = 'e'.repeat(100)
  const [key] = read(`date,amount,order\n2026-05-31,1,${'1'.repeat(147)}`, { eventName })
  expect(key!.problem).toBe('Order or receipt number is too long.')
})
