/** Where all campaigns are alike nothing may be recommended; where one is bad it must be. */
import { expect, it } from 'vitest'
import { PLANTED_NOW, plantCampaigns } from '../../../test/planted/campaigns.ts'
import { propose } from './rules.ts'

const WORLDS = 500

it('at most 5 % of worlds without a difference hold a recommendation', () => {
  const open = { worlds: 0, campaigns: 0, all: 0 }
  for (const count of [3, 5, 8, 15])
    for (let seed = 0; seed < WORLDS; seed++) {
      const found = propose(plantCampaigns({ seed, count }), PLANTED_NOW)
      if (found.length > 0) open.worlds++
      open.campaigns += new Set(found.map(({ subject }) => subject.id)).size
      open.all += count
    }
  console.log(
    'null worlds with a recommendation',
    open.worlds / (4 * WORLDS),
    'campaigns',
    open.campaigns / open.all,
  )
  expect(open.worlds / (4 * WORLDS)).toBeLessThanOrEqual(0.05)
})

it('a campaign that brings a quarter of the others is to be paused in at least 80 % of worlds, and hardly another', () => {
  let [found, wrong, raised] = [0, 0, 0]
  for (let seed = 0; seed < WORLDS; seed++) {
    const proposals = propose(
      plantCampaigns({ seed, costMinor: 2000, factor: (index) => (index === 0 ? 0.25 : 1) }),
      PLANTED_NOW,
    )
    raised += proposals.filter(({ kind }) => kind !== 'pause_underperformer').length
    const paused = proposals
      .filter(({ kind }) => kind === 'pause_underperformer')
      .map(({ subject }) => subject.id)
    if (paused.includes('c0')) found++
    wrong += paused.filter((id) => id !== 'c0').length
  }
  console.log(
    'planted loser: paused',
    found / WORLDS,
    'others per world',
    wrong / WORLDS,
    'raised',
    raised / WORLDS,
  )
  expect(found / WORLDS).toBeGreaterThanOrEqual(0.8)
  expect(wrong / WORLDS).toBeLessThanOrEqual(0.1)
  // All others are alike: that one is bad makes none of them a winner.
  expect(raised / WORLDS).toBeLessThanOrEqual(0.1)
})
