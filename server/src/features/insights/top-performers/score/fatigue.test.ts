import { describe, expect, it } from 'vitest'
import { clickDays, decline, isTired, tiredOn44 } from '../../../../../test/planted/ads.ts'
import { findFatigue } from './fatigue.ts'

describe('fatigue', () => {
  const world = (rate: (ad: number, day: number) => number) => tiredOn44('tired', rate)
  const raised = (found: ReturnType<typeof world>) =>
    [...found].flatMap(([id, one]) => (isTired(one) ? [id] : []))
  const usual = raised(world(() => 1))

  it('of one ad is found within seven days of its beginning', () => {
    expect(usual).not.toContain('ad-0')
    const found = world((ad, day) => (ad === 0 ? decline(day) : 1))
    expect(raised(found)).toContain('ad-0')
    const fatigue = found.get('ad-0')!
    if (fatigue.status !== 'served') throw new Error(fatigue.reason)
    expect(fatigue.decline).toBeGreaterThan(0.1)
    expect(fatigue.frequencyShare).toBeGreaterThan(0.3)
  })

  it('is not raised by what happens to the whole cohort', () => {
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

  it('is rarely raised where nothing tires: the alarm is set by the ad’s own shuffled days', () => {
    let [alarms, ads] = [0, 0]
    for (let seed = 0; seed < 30; seed++)
      for (const fatigue of tiredOn44(`healthy ${seed}`, () => 1).values()) {
        ads++
        if (isTired(fatigue)) alarms++
      }
    expect(ads).toBe(360)
    // Three with these seeds; nine where every sum above the least threshold is an alarm.
    expect(alarms).toBeLessThanOrEqual(5)
  })

  it('is withheld where too little is known, or too few run next to', () => {
    const series = (more: { ads?: number; days?: number; clicks?: number }) =>
      clickDays('few', { ads: 12, days: 45, clicks: 120, rate: () => 1, ...more })
    const reasonOf = (ads: ReturnType<typeof series>) => findFatigue(ads, 44).get('ad-0')
    expect(reasonOf(series({ days: 20 }))).toEqual({ status: 'withheld', reason: 'insufficient_history' })
    expect(reasonOf(series({ clicks: 1 }))).toEqual({ status: 'withheld', reason: 'insufficient_history' })
    expect(reasonOf(series({ ads: 3 }))).toEqual({ status: 'withheld', reason: 'too_few_to_compare' })
    expect(reasonOf(series({}))).toMatchObject({ status: 'served' })
  })
})
