/** Pauses an ad, its ad set and its campaign of a connected platform through the API, and changes a daily budget. */
import { expect } from 'vitest'
import {
  pauseAd,
  pauseAdSet,
  pauseCampaign,
  setAdSetBudget,
  setCampaignBudget,
} from '../src/features/sources/campaigns/contract.ts'
import type { TestApp } from './app.ts'
import type { Shop } from './make-shop.ts'

export async function expectPauses(app: TestApp, { profileId, call }: Shop): Promise<void> {
  const query = async (text: string, ...values: unknown[]) =>
    (await app.pool.query<Record<string, string>>(text, [profileId, ...values])).rows
  const [chain] = await query(
    `select ad.external_id as ad, ad_set.external_id as ad_set, campaign.external_id as campaign from ad_entities ad
     join ad_entities ad_set on ad_set.profile_id = $1 and ad_set.id = ad.ad_set_id
     join ad_entities campaign on campaign.profile_id = $1 and campaign.id = ad_set.campaign_id
     where ad.profile_id = $1 and ad.level = 'ad' and ad.status = 'ACTIVE' and campaign.status = 'ACTIVE'
     order by ad.external_id limit 1`,
  )
  for (const [pause, id, action] of [
    [pauseAd, chain!.ad!, 'ad.pause'],
    [pauseAdSet, chain!.ad_set!, 'ad_set.pause'],
    [pauseCampaign, chain!.campaign!, 'campaign.pause'],
  ] as const) {
    const changed = { platform_id: id, outcome: 'changed', previous_status: 'ACTIVE', status: 'PAUSED' }
    expect((await call(pause, { params: { id } })).data).toEqual(changed)
    expect((await call(pause, { params: { id } })).data.outcome).toBe('no_change')
    const entries = await query(
      `select detail ->> 'outcome' as outcome from audit_log where profile_id = $1 and subject = $2 and action = $3
       order by occurred_at, id`,
      id,
      action,
    )
    expect(entries.map(({ outcome }) => outcome)).toEqual(['changed', 'no_change'])
  }
  const [budgeted] = await query(
    `select external_id as id, level, daily_budget_minor as minor from ad_entities
     where profile_id = $1 and daily_budget_minor is not null order by level, external_id limit 1`,
  )
  const { id, level, minor } = budgeted!
  const entry = level === 'campaign' ? setCampaignBudget : setAdSetBudget
  const newBudget = (Number(minor) + 200) / 100
  const { data } = await call(entry, { params: { id: id! }, body: { daily_budget: newBudget } })
  expect(data).toMatchObject({ outcome: 'changed', budget_type: 'daily', budget: newBudget })
}
