import { expect, it } from 'vitest'
import { axisMoney, changeText, count, money, percent, ratio, SIGNED, wholeMoney } from './numbers.ts'

it('formats negative values with a minus sign, and zero without a sign', () => {
  const below = [
    money('-5.00', 'EUR'),
    wholeMoney(-1234.5, 'USD'),
    axisMoney(-1_250_000, 'USD'),
    count(-3),
    ratio(-0.5),
    percent(-12.34),
    count(-2, SIGNED),
    percent(-0.5, 1, 0, SIGNED),
  ]
  expect(below).toEqual(['−€5.00', '−$1,235', '−$1.25M', '−3', '−0.50×', '−12.3%', '−2', '−0.5%'])
  expect([count(2, SIGNED), percent(0.5, 1, 0, SIGNED)]).toEqual(['+2', '+0.5%'])
  expect([count(-0), money(-0.001, 'EUR')]).toEqual(['0', '€0.00'])
  expect([count(0, SIGNED), percent(-0.04, 1, 0, SIGNED)]).toEqual(['0', '0%'])
})

it('a change of more than tenfold is capped', () => {
  expect([12.34, -40, 999, 976_583.1, null].map(changeText)).toEqual([
    '+12.3%',
    '−40%',
    '+999%',
    'over +999%',
    '–',
  ])
})
