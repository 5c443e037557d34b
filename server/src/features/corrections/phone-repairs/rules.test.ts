import { expect, it } from 'vitest'
import { earlierReading, misreadPhone, withPhone } from './rules.ts'

it.each([
  [
    '(201) 555-0123',
    'US',
    { readAs: '+2015550123', readAsCountry: 'EG', number: '+12015550123', country: 'US' },
  ],
  [
    '(31) 99688-3193',
    'BR',
    { readAs: '+31996883193', readAsCountry: 'NL', number: '+5531996883193', country: 'BR' },
  ],
  ['(31) 99688-3193', 'es', { readAs: '+31996883193', readAsCountry: 'NL', number: null, country: 'ES' }],
])('%s of %s was read as a number of another country', (typed, country, misread) => {
  expect(misreadPhone(typed, country)).toEqual(misread)
})

it.each([
  ['+31 99688 3193', 'BR'],
  ['0031996883193', 'BR'],
  ['12015550123', 'US'],
  ['5531996883193', 'BR'],
  ['34600111222', 'ES'],
  ['(31) 99688-3193', null],
  ['12', 'US'],
  ['call me', 'US'],
])('%s of %s was not', (typed, country) => {
  expect(misreadPhone(typed, country)).toBeUndefined()
})

it('a number with a country code has no earlier reading', () => {
  expect(['+1 201 555 0123', '0012015550123'].map(earlierReading)).toEqual([undefined, undefined])
  expect(earlierReading('p:(201) 555-0123')).toBe('+2015550123')
})

it('withPhone keeps the identifiers in order of strength', () => {
  const identifiers = [
    { kind: 'email' as const, id: 'e' },
    { kind: 'phone' as const, id: 'x' },
    { kind: 'anonymous_id' as const, id: 'a' },
  ]
  expect(withPhone({ identifiers }, 'y').identifiers.map(({ id }) => id)).toEqual(['e', 'y', 'a'])
  expect(withPhone({ identifiers }, null).identifiers.map(({ id }) => id)).toEqual(['e', 'a'])
})
