import currencyCodes from 'currency-codes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  currencies,
  findCurrency,
  findExponent,
  parseMoney,
  toDecimalNumber,
  toDecimalString,
  toMinor,
} from './money.ts'

describe('currencies', () => {
  it('have the decimals of ISO 4217', () => {
    const withoutMinorUnit = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')
    const official = currencyCodes.data.filter((entry) => !withoutMinorUnit.includes(entry.code))
    expect(official.length).toBeGreaterThan(150)
    for (const { code, digits } of official) expect([code, findExponent(code)]).toEqual([code, digits])
    for (const code of withoutMinorUnit) expect(findExponent(code)).toBeUndefined()
    // The Caribbean guilder is younger than the published list.
    expect(new Set(currencies)).toEqual(new Set([...official.map((entry) => entry.code), 'XCG']))
  })

  it('are found in any case, and nothing else is', () => {
    expect(findCurrency('eur')).toBe('EUR')
    for (const wrong of ['', 'EU', 'EURO', 'XXX', 'toString', '__proto__', 'ＥＵＲ']) {
      expect(findCurrency(wrong)).toBeUndefined()
    }
  })
})

describe('an amount', () => {
  it.each([
    ['12.34', 'USD', 1234],
    [12.34, 'USD', 1234],
    [1.005, 'USD', 101],
    ['1.005', 'USD', 101],
    ['-1.005', 'USD', -101],
    ['1.0049999', 'USD', 100],
    [4.35, 'USD', 435],
    [1.15, 'EUR', 115],
    ['0', 'USD', 0],
    ['-0', 'USD', 0],
    [-0, 'USD', 0],
    ['-0.001', 'USD', 0],
    ['+5', 'USD', 500],
    ['007.5', 'USD', 750],
    ['1.50000000000000000000', 'USD', 150],
    [1500, 'JPY', 1500],
    ['1500.5', 'JPY', 1501],
    ['1.2345', 'KWD', 1235],
    ['1.2345', 'CLF', 12345],
    [1e-7, 'USD', 0],
    [5e-3, 'USD', 1],
    ['1000000000000', 'USD', 100_000_000_000_000],
    [90_071_992_547_409, 'USD', 9_007_199_254_740_900],
  ])('%j %s is %i minor units', (value, currency, minor) => {
    expect(parseMoney(value, currency)).toEqual({ ok: true, amountMinor: minor })
    expect(toMinor(value, currency)).toBe(minor)
  })

  it.each([
    [Number.NaN, 'not_a_number'],
    [Number.POSITIVE_INFINITY, 'not_a_number'],
    [Number.NEGATIVE_INFINITY, 'not_a_number'],
    ['', 'not_a_number'],
    [' 1', 'not_a_number'],
    ['1,50', 'not_a_number'],
    ['1.', 'not_a_number'],
    ['.5', 'not_a_number'],
    ['1e3', 'not_a_number'],
    ['0x10', 'not_a_number'],
    ['infinity', 'not_a_number'],
    ['١٢', 'not_a_number'],
    ['1\n', 'not_a_number'],
    [0.1 + 0.2, 'too_many_digits'],
    [0.1 + 0.7, 'too_many_digits'],
    ['1234567890.123456', 'too_many_digits'],
    [1234567890123456, 'too_many_digits'],
    [100_000_000_000_000, 'too_large'],
    [1e21, 'too_large'],
    [1e300, 'too_large'],
    [`1${'0'.repeat(400)}`, 'too_large'],
  ] as const)('%j is refused as %s', (value, reason) => {
    expect(parseMoney(value, 'USD')).toMatchObject({ ok: false, reason })
    expect(toMinor(value, 'USD')).toBeUndefined()
  })

  it('in an unknown currency is refused, never 0', () => {
    expect(parseMoney(1, 'ABC')).toMatchObject({ ok: false, reason: 'unknown_currency' })
    expect(parseMoney(0, 'usd')).toMatchObject({ ok: false, reason: 'unknown_currency' })
    expect(() => toDecimalString(1, 'ABC')).toThrow(RangeError)
    expect(() => toDecimalNumber(1.5, 'USD')).toThrow(RangeError)
  })

  it('goes out with all its decimals and comes back the same', () => {
    expect(toDecimalString(-5, 'USD')).toBe('-0.05')
    expect(toDecimalString(1234, 'JPY')).toBe('1234')
    expect(toDecimalString(1234, 'BHD')).toBe('1.234')
    expect(toDecimalNumber(110, 'USD')).toBe(1.1)
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
        fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
        (minor, currency) => {
          expect(toMinor(toDecimalString(minor, currency), currency)).toBe(minor)
          expect(toMinor(toDecimalNumber(minor, currency), currency)).toBe(minor)
          expect(String(toDecimalNumber(minor, currency)).length).toBeLessThanOrEqual(18)
        },
      ),
    )
  })

  it('rounds half away from zero, by the digits', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.nat(999_999_999), fc.nat(99_999), (negative, whole, tail) => {
        const text = `${negative ? '-' : ''}${whole}.${String(tail).padStart(5, '0')}`
        const exact = BigInt(whole) * 100_000n + BigInt(tail)
        const expected = Number((exact + 500n) / 1000n)
        expect(toMinor(text, 'USD')).toBe(negative && expected !== 0 ? -expected : expected)
      }),
    )
  })
})
