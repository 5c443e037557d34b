/** Campaigns whose true outcomes per spend are known. */
import type { CampaignFacts } from '../../src/features/recommendations/rules.ts'
import { seededRandom } from '../../src/seeded-random.ts'
import { drawNormal, drawPoisson } from './chance.ts'

export const PLANTED_NOW = new Date('2026-11-16T09:00:00Z')

export function plantCampaigns(world: {
  seed: number
  count?: number
  /** What an outcome costs. */
  costMinor?: number
  /** The true rate of a campaign, as a factor on the cohort's. */
  factor?: (campaign: number) => number
}): CampaignFacts[] {
  const { seed, count = 8, costMinor = 6000, factor = () => 1 } = world
  const random = seededRandom('campaigns', seed)
  return Array.from({ length: count }, (_, index) => {
    const spendMinor = Math.round(250_000 * Math.exp(0.6 * drawNormal(random)))
    return {
      id: `c${index}`,
      platformId: String(1000 + index),
      name: `Campaign ${index}`,
      provider: 'social_ads',
      objective: 'SALES',
      isRunning: true,
      dailyBudgetMinor: Math.round(spendMinor / 28),
      spendMinor,
      outcomes: drawPoisson(random, (spendMinor / costMinor) * factor(index)),
      unchangedSince: new Date('2026-10-01T00:00:00Z'),
    }
  })
}
