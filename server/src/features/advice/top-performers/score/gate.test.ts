import { describe, expect, it } from 'vitest'
import { adWeeks, shuffleLabels } from '../../../../../test/planted/ads.ts'
import { seededRandom } from '../../../../platform/seeded-random.ts'
import { learn } from './gate.ts'
import { fitLogistic, predict } from './logistic.ts'

describe('a learned value', () => {
  it('recovers known weights, identically on every run', () => {
    const random = seededRandom('weights')
    const rows = Array.from({ length: 4000 }, () => [random.next() * 4 - 2, random.next() * 10])
    const labels = rows.map(([a]) => Number(random.chance(1 / (1 + Math.exp(-(0.5 + 1.5 * a!))))))
    const model = fitLogistic(rows, labels, 1e-6)
    expect(model.weights[0]! / model.deviations[0]!).toBeCloseTo(1.5, 0)
    expect(Math.abs(model.weights[1]! / model.deviations[1]!)).toBeLessThan(0.05)
    expect(fitLogistic(rows, labels, 1e-6)).toEqual(model)
    expect(predict(model, [2, 5])).toBeGreaterThan(0.9)
  })

  it('is served for a real signal, and withheld for shuffled labels', () => {
    const real = adWeeks('real', 1.2)
    expect(learn(real, 'seed').backtest).toMatchObject({ status: 'served', reason: null })
    const blind = learn(shuffleLabels(real, 'blind'), 'seed')
    expect(blind.backtest.status).toBe('withheld')
    expect(blind.model).toBeNull()
  })

  it('is withheld if it does not beat "as last week", however well calibrated', () => {
    const random = seededRandom('as last week')
    const ads = Array.from({ length: 40 }, () => Number(random.chance(0.3)))
    const examples = Array.from({ length: 24 }, (_, week) =>
      ads.map((before, ad) => {
        const label = Number(random.chance(before === 1 ? 0.75 : 0.12))
        ads[ad] = label
        return { week, features: [before], label, before }
      }),
    ).flat()
    const { backtest } = learn(examples, 'seed')
    expect(backtest).toMatchObject({ status: 'withheld', reason: 'no_skill' })
    expect(backtest.calibration_slope).toBeGreaterThan(0.7)
    expect(backtest.skill_over_base_rate_low).toBeGreaterThan(0)
  })

  it('is withheld if it is overconfident', () => {
    // The signal is strong in the training weeks and weak in the test weeks.
    const weeks = (from: number, strength: number) =>
      adWeeks(`strength ${strength}`, strength, 14, 60).map((adWeek) => ({
        ...adWeek,
        week: adWeek.week + from,
      }))
    const { backtest } = learn([...weeks(0, 4), ...weeks(14, 0.9)], 'seed')
    expect(backtest).toMatchObject({ status: 'withheld', reason: 'miscalibrated' })
    expect(backtest.calibration_slope).toBeLessThan(0.7)
  })

  it('does not train on the tested week or the one before', () => {
    // The meaning of a feature is redrawn for each pair of weeks: only a leak could predict it.
    const random = seededRandom('peeking')
    const signs = Array.from({ length: 12 }, () => (random.chance(0.5) ? 1 : -1))
    const examples = Array.from({ length: 24 }, (_, week) =>
      Array.from({ length: 40 }, () => {
        const value = random.next() * 2 - 1
        const pair = Math.floor(week / 2)
        const features = signs.map((_sign, index) => (index === pair ? value : 0))
        return { week, features, label: Number(value * signs[pair]! > 0), before: null }
      }),
    ).flat()
    expect(learn(examples, 'seed').backtest).toMatchObject({ status: 'withheld', reason: 'no_skill' })
  })

  it('is withheld without enough history', () => {
    expect(learn(adWeeks('short', 1.2, 5, 20), 'seed').backtest).toMatchObject({
      status: 'withheld',
      reason: 'insufficient_history',
    })
  })
})
