/** Numbers of all countries: Google's own example numbers, as libphonenumber-js publishes them. */
import { createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { countries, countryOf, phoneCountryOf } from '../../../platform/contract/countries.ts'
import { phoneIdOf } from './identifiers.ts'
import { lineOf, readPhone } from './phone.ts'

const vectors = getCountries().flatMap((country) => {
  const number = getExampleNumber(country, examples)
  return number === undefined ? [] : [{ country, number }]
})

describe('every country', () => {
  it('has example numbers for nearly all of them', () => expect(vectors.length).toBeGreaterThan(235))

  it.each(vectors)('$country: a mobile number is parsed in national and international format', (vector) => {
    const { country, number } = vector
    expect(readPhone(number.formatNational(), country)).toBe(number.number)
    expect(readPhone(number.formatInternational(), null)).toBe(number.number)
    expect(readPhone(number.number.replace('+', '00'), country)).toBe(number.number)
    expect(readPhone(`p:${number.number}`, 'ES')).toBe(number.number)
  })

  it.each(vectors)('$country: without a country, a national number is not parsed', (vector) => {
    expect(readPhone(vector.number.nationalNumber, null)).toBeUndefined()
    expect(readPhone(vector.number.formatNational(), null)).toBeUndefined()
  })

  it('the list of countries equals that of the phone number library', () =>
    expect([...countries].sort()).toEqual([...getCountries()].sort()))
})

it('a national number never becomes one of another country', () => {
  const homes = ['US', 'BR', 'AR', 'MX', 'ES'] as const
  const codes = { US: '+1', BR: '+55', AR: '+54', MX: '+52', ES: '+34' }
  const digits = fc.integer({ min: 10_000_000, max: 99_999_999_999 }).map(String)
  fc.assert(
    fc.property(fc.constantFrom(...homes), digits, (country, typed) => {
      const read = readPhone(typed, country)
      expect(read === undefined || read.startsWith(codes[country])).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['(31) 99688-3193', 'BR', '+5531996883193'],
  ['31 99688 3193', 'ES', undefined],
  ['(202) 555-0101', 'US', '+12025550101'],
  ['2025550101', 'EG', undefined],
  ['011 34 600 111 222', 'US', '+34600111222'],
  ['tel:+34 600-111-222', null, '+34600111222'],
  ['+34 600 111', 'ES', undefined],
  ['ana', 'ES', undefined],
  ['', 'ES', undefined],
])('%s in %s is %s', (typed, country, number) => expect(readPhone(typed, country)).toBe(number))

describe('notations of one number are one identifier', () => {
  const scope = {
    profileId: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111',
    pepper: createSecretKey(Buffer.alloc(32, 7)),
  }
  const idOf = (typed: string, country: string) => phoneIdOf(typed, { ...scope, country })
  it.each([
    [
      'Mexico',
      'MX',
      ['+525512345678', '+5215512345678', '5215512345678', '55 1234 5678', '044 55 1234 5678'],
    ],
    ['Brazil', 'BR', ['+5531996883193', '+553196883193', '553196883193', '(31) 9688-3193', '031 99688-3193']],
    [
      'Argentina',
      'AR',
      [
        '+5491123456789',
        '+541123456789',
        '11 15 2345-6789',
        '11 2345 6789',
        '5491123456789',
        '+54 11 15 2345-6789',
        '+54 9 11 15 2345-6789',
        '549 011 15 2345 6789',
      ],
    ],
  ])('%s', (_name, country, typed) => {
    const ids = typed.map((text) => idOf(text, country))
    expect(ids[0]).toBeDefined()
    expect(new Set(ids).size).toBe(1)
  })

  it('an Argentine number with both 9 and 15 is parsed only if it is known to be Argentine', () => {
    expect(readPhone('549111523456789', 'ES')).toBeUndefined()
    expect(readPhone('+549 0351 15 234-5678', null)).toBe('+5493512345678')
  })

  it('a landline of Brazil is not the mobile with a 9 in front', () =>
    expect(idOf('+553133334444', 'BR')).not.toBe(idOf('+5531933334444', 'BR')))

  it('a number with a single notation is its own key', () =>
    expect(lineOf('+34600111222')).toBe('+34600111222'))

  it('the country that is sent with a number wins over the profile’s', () => {
    const phoneId = phoneIdOf('31 99688 3193', { ...scope, country: 'ES' }, 'br')
    expect(phoneId).toBe(idOf('+5531996883193', 'ES'))
    expect(phoneIdOf('600 111 222', { ...scope, country: 'ES' }, 'Spain')).toBe(idOf('+34600111222', 'ES'))
  })
})

describe('the country of a profile', () => {
  it.each([
    ['Europe/Madrid', 'EUR', 'ES'],
    ['America/Sao_Paulo', 'BRL', 'BR'],
    ['America/Argentina/Buenos_Aires', 'USD', 'AR'],
    ['America/Mexico_City', 'MXN', 'MX'],
    ['America/New_York', 'USD', 'US'],
    ['Asia/Kolkata', 'INR', 'IN'],
    ['UTC', 'GBP', 'GB'],
    ['UTC', 'EUR', null],
    ['UTC', 'USD', null],
    ['Etc/GMT+3', 'XOF', null],
  ])('%s and %s: %s', (timezone, currency, country) =>
    expect(countryOf({ timezone, currency })).toBe(country),
  )

  it('is the configured one, also if that is none', () => {
    const profile = { timezone: 'Europe/Madrid', currency: 'EUR' }
    expect(phoneCountryOf({ ...profile, country: 'PT' })).toBe('PT')
    expect(phoneCountryOf({ ...profile, country: 'ZZ' })).toBeNull()
    expect(phoneCountryOf({ ...profile, country: null })).toBe('ES')
  })
})
