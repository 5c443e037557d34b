import { describe, expect, it } from 'vitest'
import { PLANTED_NOW, type PlantedWorld, plantCampaigns } from '../../../../test/planted/campaigns.ts'
import { propose, wasAdviceRight } from './rules.ts'

const WORLDS = 60

/** One of eight campaigns has another return: counts how often it and the others are paused or get more budget. */
function countProposals(factor: number) {
  const count = { pausedPlanted: 0, pausedOthers: 0, raisedPlanted: 0, raisedOthers: 0 }
  for (let seed = 0; seed < WORLDS; seed++) {
    const world = { seed, costMinor: 2000, factor: (index: number) => (index === 0 ? factor : 1) }
    for (const { kind, subject } of propose(plantCampaigns(world), PLANTED_NOW)) {
      const group = subject.id === 'c0' ? 'Planted' : 'Others'
      count[kind === 'pause_underperformer' ? (`paused${group}` as const) : (`raised${group}` as const)]++
    }
  }
  return count
}

describe('of eight campaigns', () => {
  it('a bad one is paused, and no other', () => {
    const { pausedPlanted, pausedOthers } = countProposals(0.25)
    expect(pausedPlanted).toBeGreaterThanOrEqual(48)
    expect(pausedOthers).toBeLessThanOrEqual(6)
  })

  it('a bad one does not turn the others into winners', () => {
    expect(countProposals(0.25).raisedOthers).toBeLessThanOrEqual(6)
  })

  it('a good one gets more budget, and no other', () => {
    const { raisedPlanted, raisedOthers } = countProposals(3)
    expect(raisedPlanted).toBeGreaterThanOrEqual(48)
    expect(raisedOthers).toBeLessThanOrEqual(6)
  })
})

it('a campaign without an outcome is paused once enough was spent on it', () => {
  const [any] = plantCampaigns({ seed: 1, count: 1 })
  const toFacts = (id: string, spendMinor: number, outcomes: number) => ({
    ...any!,
    id,
    platformId: id,
    spendMinor,
    exposureMinor: spendMinor,
    outcomes,
    days: Array.from({ length: 28 }, (_, day) => ({
      exposureMinor: spendMinor / 28,
      outcomes: Math.round((outcomes * (day + 1)) / 28) - Math.round((outcomes * day) / 28),
    })),
  })
  const otherCampaigns = [50, 100, 150, 75, 125, 60, 140, 100].map((outcomes, index) =>
    toFacts(`other-${index}`, 100_000, outcomes),
  )
  const isPaused = (spendMinor: number) =>
    propose([...otherCampaigns, toFacts('new', spendMinor, 0)], PLANTED_NOW).some(
      ({ kind, subject }) => kind === 'pause_underperformer' && subject.id === 'new',
    )
  expect([10_000, 40_000].map(isPaused)).toEqual([false, true])
})

describe('if all campaigns are alike', () => {
  const openWorlds = (kind: Partial<PlantedWorld>) => {
    let open = 0
    for (let seed = 0; seed < 60; seed++)
      if (propose(plantCampaigns({ seed: `alike ${seed}`, costMinor: 500, ...kind }), PLANTED_NOW).length > 0)
        open++
    return open
  }
  it('buyers with two outcomes, noisy days and autocorrelated days cause no recommendation', () => {
    expect(openWorlds({ perBuyer: 2 })).toBeLessThanOrEqual(3)
    expect(openWorlds({ dayNoise: 0.3 })).toBeLessThanOrEqual(3)
    expect(openWorlds({ dayNoise: 0.3, rho: 0.6 })).toBeLessThanOrEqual(3)
  })
  it('one with growing spend is not called bad because its outcomes are still to come', () => {
    const growth = (campaign: number) => (campaign === 0 ? 0.05 : 0)
    expect(openWorlds({ delayDays: 6, growth, costMinor: 200 })).toBeLessThanOrEqual(3)
  })
})

it('scores recommendations that were not applied', () => {
  const spent = (outcomes: number, spendMinor = 100) => ({ outcomes, spendMinor })
  const after = { subject: spent(2), others: spent(50, 1000) }
  expect(wasAdviceRight('pause_underperformer', after)).toBe(true)
  expect(wasAdviceRight('scale_winner', after)).toBe(false)
  expect(wasAdviceRight('scale_winner', { ...after, subject: spent(0, 0) })).toBeNull()
})
