import { describe, expect, it } from 'vitest'
import { decideBudget, decideStatus } from './rules.ts'

describe('a campaign', () => {
  it.each([
    ['ACTIVE', 'PAUSED', { outcome: 'change' }],
    ['PAUSED', 'PAUSED', { outcome: 'no_change' }],
    ['ARCHIVED', 'PAUSED', { outcome: 'refused', code: 'campaign_not_pausable' }],
    ['DELETED', 'PAUSED', { outcome: 'refused', code: 'campaign_not_pausable' }],
    ['PAUSED', 'ACTIVE', { outcome: 'change' }],
    ['ACTIVE', 'ACTIVE', { outcome: 'no_change' }],
    ['ARCHIVED', 'ACTIVE', { outcome: 'refused', code: 'campaign_not_resumable' }],
    ['ENABLED', 'PAUSED', { outcome: 'change' }],
    ['ENABLED', 'ACTIVE', { outcome: 'no_change' }],
  ] as const)('that is %s and should be %s', (current, requested, decision) => {
    expect(decideStatus('campaign', current, requested)).toEqual(decision)
  })

  it('and an ad set or ad that is archived can be neither paused nor resumed', () => {
    for (const requested of ['ACTIVE', 'PAUSED'] as const) {
      const refusal = (code: string) => ({ outcome: 'refused', code })
      expect(decideStatus('ad_set', 'ARCHIVED', requested)).toEqual(refusal('adset_not_editable'))
      expect(decideStatus('ad', 'DELETED', requested)).toEqual(refusal('invalid_state'))
    }
  })
})

describe('a budget moves by at most half, and not below 100 minor units', () => {
  const decide = (currentMinor: number | null, wantedMinor: number) =>
    decideBudget({ level: 'campaign', status: 'ACTIVE', campaignStatus: null, currentMinor, wantedMinor })
  const out = { outcome: 'refused', code: 'budget_change_out_of_bounds' }
  it.each([
    [1000, 1500, { outcome: 'change' }],
    [1000, 1501, out],
    [1000, 500, { outcome: 'change' }],
    [1000, 499, out],
    [150, 100, { outcome: 'change' }],
    [150, 99, out],
    [1000, 1000, { outcome: 'no_change' }],
    [null, 1000, out],
    [1001, 1501, { outcome: 'change' }],
    [1001, 1502, out],
  ])('from %s to %s', (current, requested, decision) => {
    expect(decide(current, requested)).toEqual(decision)
  })

  it('stays where the entity or its campaign is gone', () => {
    const args = { currentMinor: 1000, wantedMinor: 1100 }
    const campaign = { level: 'campaign', status: 'ARCHIVED', campaignStatus: null, ...args } as const
    expect(decideBudget(campaign)).toEqual({ outcome: 'refused', code: 'campaign_not_editable' })
    const adSet = { level: 'ad_set', status: 'ACTIVE', campaignStatus: 'DELETED', ...args } as const
    expect(decideBudget(adSet)).toEqual({ outcome: 'refused', code: 'adset_not_editable' })
  })
})
