import { describe, expect, it } from 'vitest'
import { PLANTED_NOW, plantCampaigns } from '../../../test/planted/campaigns.ts'
import { propose } from './rules.ts'

const WORLDS = 60

/** Of eight campaigns one is planted; how often it and how often others are to be paused or to get more. */
function countProposals(factor: number) {
  const found = { pausedPlanted: 0, pausedOthers: 0, raisedPlanted: 0, raisedOthers: 0 }
  for (let seed = 0; seed < WORLDS; seed++) {
    const world = { seed, costMinor: 2000, factor: (index: number) => (index === 0 ? factor : 1) }
    for (const { kind, subject } of propose(plantCampaigns(world), PLANTED_NOW)) {
      const whose = subject.id === 'c0' ? 'Planted' : 'Others'
      found[kind === 'pause_underperformer' ? (`paused${whose}` as const) : (`raised${whose}` as const)]++
    }
  }
  return found
}

describe('of eight campaigns', () => {
  it('one that is bad is paused, and no other', () => {
    const { pausedPlanted, pausedOthers } = countProposals(0.25)
    expect(pausedPlanted).toBeGreaterThanOrEqual(48)
    expect(pausedOthers).toBeLessThanOrEqual(6)
  })

  it('one that is bad makes no winners of the others', () => {
    expect(countProposals(0.25).raisedOthers).toBeLessThanOrEqual(6)
  })

  it('one that is good gets more, and no other', () => {
    const { raisedPlanted, raisedOthers } = countProposals(3)
    expect(raisedPlanted).toBeGreaterThanOrEqual(48)
    expect(raisedOthers).toBeLessThanOrEqual(6)
  })
})

it('a campaign without an outcome is paused once enough was spent on it to know', () => {
  const [any] = plantCampaigns({ seed: 1, count: 1 })
  const toFacts = (id: string, spendMinor: number, outcomes: number) => ({
    ...any!,
    id,
    platformId: id,
    spendMinor,
    outcomes,
  })
  const others = [50, 100, 150, 75, 125, 60, 140, 100].map((outcomes, index) =>
    toFacts(`other-${index}`, 100_000, outcomes),
  )
  const isPaused = (spendMinor: number) =>
    propose([...others, toFacts('new', spendMinor, 0)], PLANTED_NOW).some(
      ({ kind, subject }) => kind === 'pause_underperformer' && subject.id === 'new',
    )
  expect([10_000, 40_000].map(isPaused)).toEqual([false, true])
})
