import { expect, it } from 'vitest'
import { chooseAdvice } from './advice-rules.ts'

const advice = (kind: string, expected_effect: object | null = {}) => ({ kind, expected_effect })
const [pause, scale, refresh] = [
  advice('pause_underperformer'),
  advice('scale_winner'),
  advice('creative_refresh_pre_fatigue', null),
]

it('chooses one of several of its kind, and late the only change of budgets', () => {
  expect(chooseAdvice([scale, pause, pause], false)).toBe(pause)
  expect(chooseAdvice([pause, scale], false)).toBe(undefined)
  expect(chooseAdvice([pause, scale], true)).toBe(scale)
  expect(chooseAdvice([pause], true)).toBe(undefined)
  expect(chooseAdvice([refresh, refresh], true)).toBe(undefined)
})
