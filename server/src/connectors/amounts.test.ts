import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalMoney, decimalToMinor, minorToDecimal, rescaleMinor } from './amounts.ts'

describe('amounts', () => {
  test.each([
    ['250', 'ARS', 25000],
    ['0.1', 'BRL', 10],
    [19.99, 'USD', 1999],
    [1.1, 'BRL', 110],
    ['1500', 'CLP', 1500],
    ['1500.00', 'CLP', 1500],
    ['1.234', 'KWD', 1234],
    ['-3.50', 'EUR', -350],
  ])('%s %s is %i minor units', (amount, currency, minor) => {
    expect(decimalToMinor(amount, currency)).toBe(minor)
  })

  test.each([
    ['1e3', 'USD'],
    ['', 'USD'],
    ['12', 'XQQ'],
    ['99999999999999999', 'USD'],
  ])('%s %s is refused, never guessed', (amount, currency) => {
    expect(() => decimalToMinor(amount, currency)).toThrow()
  })

  test.each([
    ['333.33333', 'USD', 33333],
    ['10.1234', 'EUR', 1012],
    ['1.005', 'USD', 100],
    ['1.015', 'USD', 102],
    ['1.0150001', 'USD', 102],
    ['-1.005', 'USD', -100],
    ['2.5', 'JPY', 2],
    ['3.5', 'JPY', 4],
  ])('%s %s is rounded half to even, and keeps the amount as reported', (amount, currency, amountMinor) => {
    expect(decimalMoney(amount, currency)).toEqual({ amountMinor, currency, reported: amount })
  })

  test('an exact amount has no note', () => {
    expect(decimalMoney('10.1200', 'eur')).toEqual({ amountMinor: 1012, currency: 'EUR' })
  })

  test('minor units survive conversion to a decimal and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
        fc.constantFrom('USD', 'JPY', 'KWD', 'BRL', 'CLP'),
        (amountMinor, currency) => {
          expect(decimalToMinor(minorToDecimal({ amountMinor, currency }), currency)).toBe(amountMinor)
        },
      ),
    )
  })

  test('an amount with another exponent is rescaled, rounded half to even', () => {
    expect(rescaleMinor(50, 0, 'MGA')).toBe(5000)
    expect(rescaleMinor(50000, 2, 'ISK')).toBe(500)
    expect(rescaleMinor(50050, 2, 'ISK')).toBe(500)
    expect(rescaleMinor(50051, 2, 'ISK')).toBe(501)
  })
})
