/** Accounts with realistic daily spend: constant, random walk, drift, off at weekends, newly started. */

import type { MonthSoFar } from '../../src/features/advice/pacing/rules.ts'
import { weekdayOf } from '../../src/features/advice/pacing/spend-model.ts'
import { addDays, listDays } from '../../src/platform/contract/dates.ts'
import { seededRandom } from '../../src/platform/seeded-random.ts'
import { drawNormal, drawSeries } from './chance.ts'

export const spendKinds = [
  'stationary',
  'wandering',
  'drift',
  'decline',
  'autocorrelated',
  'weekends off',
  'Sundays newly on',
  'level shift',
] as const
export type SpendKind = (typeof spendKinds)[number]

const FIRST = '2026-07-06'
const LAST = '2026-11-30'
const weekly = [0.8, 1.1, 1.05, 1, 1, 1.1, 0.95]

export function plantSpend(kind: SpendKind, seed: number | string) {
  const random = seededRandom('spend', kind, seed)
  const days = listDays(FIRST, LAST)
  const noise = drawSeries(random, days.length, 0.12, kind === 'autocorrelated' ? 0.6 : 0)
  const shift = { at: random.int(60, 120), by: Math.exp(0.5 * drawNormal(random)) }
  const onSince = addDays('2026-10-04', -7 * random.int(0, 2))
  let level = Math.log(100_000)
  const all = days.map((day, index) => {
    if (kind === 'wandering') level += 0.04 * drawNormal(random)
    if (kind === 'drift') level += Math.log(1.01)
    if (kind === 'decline') level += Math.log(0.99)
    const weekday = weekdayOf(day)
    const isOff =
      (kind === 'weekends off' && weekday % 6 === 0) ||
      (kind === 'Sundays newly on' && weekday === 0 && day < onSince)
    const factor = kind === 'level shift' && index >= shift.at ? shift.by : 1
    return { day, minor: isOff ? 0 : Math.round(Math.exp(level + noise[index]!) * factor * weekly[weekday]!) }
  })
  return {
    asOf(today: string): MonthSoFar {
      const seen = all
        .filter(({ day }) => day <= today)
        .map(({ day, minor }) => ({ day, minor: day > addDays(today, -3) ? Math.round(minor * 0.9) : minor }))
      const reported = seen.map((row) =>
        row.day === today ? { ...row, minor: Math.round(row.minor * 0.4) } : row,
      )
      return { month: today.slice(0, 7), today, all: reported, running: reported, caps: null }
    },
    truth: (month: string) =>
      all.filter(({ day }) => day.startsWith(month)).reduce((sum, { minor }) => sum + minor, 0),
    all,
  }
}
