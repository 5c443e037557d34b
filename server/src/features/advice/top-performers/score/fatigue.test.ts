import { describe, expect, it } from 'vitest'
import { clickDays, decline, fatigueOnDay44, isTired } from '../../../../../test/planted/ads.ts'
import { alarmsPerAdYear } from '../../../../../test/planted/click-years.ts'
import { findFatigue } from './fatigue.ts'

describe('fatigue', () => {
  const world = (rate: (ad: number, day: number) => number) => fatigueOnDay44('tired', rate)
  const raised = (fatigues: ReturnType<typeof world>) =>
    [...fatigues].flatMap(([id, fatigue]) => (isTired(fatigue) ? [id] : []))
  const usual = raised(world(() => 1))

  it('of one ad is detected within seven days of its onset', () => {
    expect(usual).not.toContain('ad-0')
    const fatigues = world((ad, day) => (ad === 0 ? decline(day) : 1))
    expect(raised(fatigues)).toContain('ad-0')
    const fatigue = fatigues.get('ad-0')!
    if (fatigue.status !== 'served') throw new Error(fatigue.reason)
    expect(fatigue.decline).toBeGreaterThan(0.1)
    expect(fatigue.frequencyShare).toBeGreaterThan(0.3)
  })

  it('is not raised by a decline of the whole peer group', () => {
    expect(raised(world((_, day) => decline(day))).filter((id) => !usual.includes(id))).toEqual([])
  })

  it('is silent for three days after a change of budget or status', () => {
    const tired = clickDays('tired', {
      ads: 12,
      days: 45,
      clicks: 120,
      rate: (ad, day) => (ad === 0 ? decline(day) : 1),
    })
    const changed = tired.map((ad) => (ad.adId === 'ad-0' ? { ...ad, changes: [43] } : ad))
    expect(findFatigue(changed, 44).get('ad-0')).toEqual({ status: 'withheld', reason: 'recent_change' })
  })

  it('is rarely raised without fatigue, even with autocorrelated days', () => {
    // None with this seed; fourteen if autocorrelation were ignored.
    const moods = { deviation: 0.2, memory: 0.7 }
    expect(alarmsPerAdYear('moods', { moods }, { years: 1, step: 7 })).toBeLessThanOrEqual(1 / 12)
  })

  it('is not raised for a decline of less than a twelfth, however certain', () => {
    const slight = (ad: number, day: number) => (ad === 0 && day > 37 ? 0.95 : 1)
    const series = clickDays('slight', { ads: 12, days: 45, clicks: 20_000, rate: slight, noise: 0 })
    expect(findFatigue(series, 44).get('ad-0')).toMatchObject({ status: 'served', tier: 'low' })
  })

  it('is withheld with too little history or too few other ads', () => {
    const series = (options: { ads?: number; days?: number; clicks?: number }) =>
      clickDays('few', { ads: 12, days: 45, clicks: 120, rate: () => 1, ...options })
    const reasonOf = (ads: ReturnType<typeof series>) => findFatigue(ads, 44).get('ad-0')
    expect(reasonOf(series({ days: 41 }))).toEqual({ status: 'withheld', reason: 'insufficient_history' })
    expect(reasonOf(series({ clicks: 1 }))).toEqual({ status: 'withheld', reason: 'insufficient_history' })
    expect(reasonOf(series({ ads: 5 }))).toEqual({ status: 'withheld', reason: 'too_few_to_compare' })
    expect(reasonOf(series({}))).toMatchObject({ status: 'served' })
  })
})
