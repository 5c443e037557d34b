import currencyCodes from 'currency-codes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  currencies,
  findCurrency,
  findExponent,
  MAX_AMOUNT_MINOR,
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

  it('are found regardless of case, other texts are not', () => {
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
    [4.35, 'USD', 435],
    [1.15, 'EUR', 115],
    ['0', 'USD', 0],
    ['-0', 'USD', 0],
    [-0, 'USD', 0],
    ['+5', 'USD', 500],
    ['007.5', 'USD', 750],
    ['1.50000000000000000000', 'USD', 150],
    [1500, 'JPY', 1500],
    ['1.2345', 'CLF', 12345],
    ['1500.0', 'JPY', 1500],
    ['1.234', 'KWD', 1234],
    ['100000000000', 'USD', MAX_AMOUNT_MINOR],
    [-100_000_000_000, 'USD', -MAX_AMOUNT_MINOR],
    ['10000000000000', 'JPY', MAX_AMOUNT_MINOR],
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
    [1.005, 'too_fine'],
    ['1.005', 'too_fine'],
    ['-0.001', 'too_fine'],
    [1e-7, 'too_fine'],
    [5e-3, 'too_fine'],
    ['100000000000.01', 'too_large'],
    [9999999999999.97, 'too_large'],
    [1e21, 'too_large'],
    [1e300, 'too_large'],
    [`1${'0'.repeat(400)}`, 'too_large'],
  ] as const)('%j is refused as %s', (value, reason) => {
    expect(parseMoney(value, 'USD')).toMatchObject({ ok: false, reason })
    expect(toMinor(value, 'USD')).toBeUndefined()
  })

  it('in an unknown currency is rejected, never 0', () => {
    expect(parseMoney(1, 'ABC')).toMatchObject({ ok: false, reason: 'unknown_currency' })
    expect(parseMoney(0, 'usd')).toMatchObject({ ok: false, reason: 'unknown_currency' })
    expect(() => toDecimalString(1, 'ABC')).toThrow(RangeError)
    expect(() => toDecimalNumber(1.5, 'USD')).toThrow(RangeError)
  })

  it('is formatted with all decimals and parses back to the same value', () => {
    expect(toDecimalString(-5, 'USD')).toBe('-0.05')
    expect(toDecimalString(1234, 'JPY')).toBe('1234')
    expect(toDecimalString(1234, 'BHD')).toBe('1.234')
    expect(toDecimalNumber(110, 'USD')).toBe(1.1)
    fc.assert(
      fc.property(
        fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }),
        fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
        (minor, currency) => {
          expect(toMinor(toDecimalString(minor, currency), currency)).toBe(minor)
          expect(toMinor(toDecimalNumber(minor, currency), currency)).toBe(minor)
          expect(String(toDecimalNumber(minor, currency)).length).toBeLessThanOrEqual(18)
          expect(toDecimalNumber(minor, currency)).toBe(Number(toDecimalString(minor, currency)))
        },
      ),
    )
  })

  it('a sum beyond the safe integers is still formatted, so a report does not fail', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -(2 ** 80), max: 2 ** 80 }), (amount) => {
        const minor = Math.round(amount)
        expect(toDecimalNumber(minor, 'USD')).toBe(Number(toDecimalString(minor, 'USD')))
      }),
    )
    expect(Object.is(toDecimalNumber(-0, 'USD'), 0)).toBe(true)
    expect(toDecimalString(2 ** 60, 'USD')).toBe('11529215046068469.76')
    expect(toDecimalNumber(-(2 ** 70), 'JPY')).toBe(-(2 ** 70))
  })

  it('is parsed exactly or rejected in every currency: never rounded, never above the limit', () => {
    const digits = fc.stringMatching(/^[0-9]{0,20}$/)
    fc.assert(
      fc.property(fc.constantFrom(...currencies), digits, digits, (currency, whole, fraction) => {
        const exponent = findExponent(currency)!
        const text = fraction === '' ? whole || '0' : `${whole || '0'}.${fraction}`
        const scaled = BigInt((whole || '0') + fraction.padEnd(25, '0'))
        const unit = 10n ** BigInt(25 - exponent)
        const isExact = scaled % unit === 0n && scaled / unit <= BigInt(MAX_AMOUNT_MINOR)
        const parsed = parseMoney(text, currency)
        if (parsed.ok) expect([isExact, BigInt(parsed.amountMinor)]).toEqual([true, scaled / unit])
        else expect(isExact && parsed.reason !== 'too_many_digits').toBe(false)
      }),
    )
  })
})
