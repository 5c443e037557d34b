/** If all campaigns are alike, nothing may be recommended; a bad campaign must be detected. */
import { expect, it } from 'vitest'
import { PLANTED_NOW, type PlantedWorld, plantCampaigns } from '../../../../test/planted/campaigns.ts'
import { propose } from './rules.ts'

const WORLDS = 300
const NULL_WORLDS = 100

const kinds: Record<string, Partial<PlantedWorld>> = {
  'Poisson counts': {},
  'two outcomes per buyer': { perBuyer: 2 },
  'day noise of 15 %': { dayNoise: 0.15 },
  'day noise of 30 %': { dayNoise: 0.3 },
  'autocorrelated day noise of 15 %': { dayNoise: 0.15, rho: 0.6 },
  'autocorrelated day noise of 30 %': { dayNoise: 0.3, rho: 0.6 },
  'weekends off': { weekendsOff: true, dayNoise: 0.15 },
  'late outcomes and growing spend': { delayDays: 4, growth: (index) => (index === 0 ? 0.03 : 0) },
}

it.each(Object.keys(kinds))(
  '%s: at most one in twenty worlds without a difference gets a recommendation',
  (kind) => {
    for (const costMinor of [500, 6000]) {
      let open = 0
      for (const count of [3, 5, 8, 15])
        for (let seed = 0; seed < NULL_WORLDS; seed++)
          if (
            propose(plantCampaigns({ seed: `null ${seed}`, count, costMinor, ...kinds[kind] }), PLANTED_NOW)
              .length > 0
          )
            open++
      console.log(
        kind,
        'outcome costs',
        costMinor,
        'null worlds with a recommendation',
        open / (4 * NULL_WORLDS),
      )
      expect(open / (4 * NULL_WORLDS)).toBeLessThanOrEqual(0.05)
    }
  },
)

it('a campaign with a quarter of the others’ return is paused in at least 80 % of worlds, others hardly ever', () => {
  let [detected, wrong, raised] = [0, 0, 0]
  for (let seed = 0; seed < WORLDS; seed++) {
    const proposals = propose(
      plantCampaigns({ seed, costMinor: 2000, factor: (index) => (index === 0 ? 0.25 : 1) }),
      PLANTED_NOW,
    )
    raised += proposals.filter(({ kind }) => kind !== 'pause_underperformer').length
    const paused = proposals
      .filter(({ kind }) => kind === 'pause_underperformer')
      .map(({ subject }) => subject.id)
    if (paused.includes('c0')) detected++
    wrong += paused.filter((id) => id !== 'c0').length
  }
  console.log(
    'planted loser: paused',
    detected / WORLDS,
    'others per world',
    wrong / WORLDS,
    'raised',
    raised / WORLDS,
  )
  expect(detected / WORLDS).toBeGreaterThanOrEqual(0.8)
  expect(wrong / WORLDS).toBeLessThanOrEqual(0.1)
  // All others are alike, so one bad campaign must not turn any of them into a winner.
  expect(raised / WORLDS).toBeLessThanOrEqual(0.1)
})
