/** Ad accounts of the sandbox as Graph nodes, and their reports. */

import {
  firstWorldDay,
  type WorldAccount,
  type WorldAd,
  type WorldAdSet,
  type WorldCampaign,
  type WorldDelivery,
  worldAccounts,
  worldCampaigns,
  worldDelivery,
} from '../ads.ts'
import { type WorldAttention, worldAttention, worldCreative } from '../creatives.ts'
import { listDays, localTime } from '../days.ts'
import { seededDigits } from '../seeded-random.ts'
import { targetingNode, withAttention } from './creative-parts.ts'

export type GraphNode = Record<string, unknown> & { id: string }

/** Changes written to entities, by id and field. */
export type Written = Map<string, Record<string, string>>

export type GraphWorld = {
  accounts: [WorldAccount, ...WorldAccount[]]
  campaigns(account: WorldAccount): WorldCampaign[]
}

export const nodeId = (account: WorldAccount) => `act_${account.id}`

export function graphWorld(seed: string, startedAt: Date): GraphWorld {
  const accounts = worldAccounts(seed, 'social')
  const startedOn = startedAt.toISOString().slice(0, 10)
  const campaigns = new Map(
    accounts.map((account) => [account.id, worldCampaigns(seed, 'social', account, startedOn)]),
  )
  return { accounts, campaigns: (account) => campaigns.get(account.id)! }
}

const objectives = {
  leads: 'OUTCOME_LEADS',
  messaging: 'OUTCOME_ENGAGEMENT',
  sales: 'OUTCOME_SALES',
  traffic: 'OUTCOME_TRAFFIC',
  awareness: 'OUTCOME_AWARENESS',
} as const

/** Budgets of these accounts are in minor units as in ISO 4217: cents, and whole yen. */
const budget = (minor: number | null) => (minor === null ? undefined : String(minor))

export function campaignNode(campaign: WorldCampaign, written: Written): GraphNode {
  return {
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    effective_status: campaign.status,
    objective: objectives[campaign.objective],
    daily_budget: budget(campaign.dailyBudgetMinor),
    lifetime_budget: budget(campaign.lifetimeBudgetMinor),
    buying_type: 'AUCTION',
    ...withEffective(written.get(campaign.id)),
  }
}

const withEffective = (changes: Record<string, string> | undefined) =>
  changes?.status ? { ...changes, effective_status: changes.status } : changes

export function adSetNode(
  account: WorldAccount,
  adSet: WorldAdSet,
  campaign: WorldCampaign,
  written: Written,
): GraphNode {
  const parent = campaignNode(campaign, written)
  const changes = written.get(adSet.id)
  const status = changes?.status ?? 'ACTIVE'
  return {
    id: adSet.id,
    name: adSet.name,
    campaign_id: campaign.id,
    campaign: parent,
    daily_budget: budget(adSet.dailyBudgetMinor),
    targeting: targetingNode(account, adSet),
    ...changes,
    status,
    effective_status: status === 'ACTIVE' && parent.status !== 'ACTIVE' ? 'CAMPAIGN_PAUSED' : status,
  }
}

export function adNode(
  ad: WorldAd,
  campaign: WorldCampaign,
  { baseUrl, written }: { baseUrl: string; written: Written },
): GraphNode {
  const { cards: cardCount, landingUrl, imageHash } = worldCreative(ad, campaign.objective)
  const status = written.get(ad.id)?.status ?? 'ACTIVE'
  const cards = ['Oak', 'Walnut', 'Ash', 'Beech', 'Cherry', 'Elm']
    .slice(0, cardCount ?? 0)
    .map((name) => ({ name, link: landingUrl }))
  const action = { type: ad.ctaType, value: { link: landingUrl } }
  return {
    id: ad.id,
    name: ad.name,
    status,
    effective_status: status,
    campaign_id: ad.campaignId,
    campaign: campaignNode(campaign, written),
    adset_id: ad.adSetId,
    creative: {
      id: seededDigits(15, ad.id, 'creative'),
      thumbnail_url: `${baseUrl}/creative/${ad.id}.png`,
      video_id: ad.videoId ?? undefined,
      object_type: ad.format === 'video' ? 'VIDEO' : 'SHARE',
      title: ad.title,
      body: ad.body,
      call_to_action_type: ad.ctaType,
      // Every tenth ad has no URL parameters.
      url_tags: ad.id.endsWith('7')
        ? undefined
        : 'utm_source=meta&utm_medium=paid_social&campaign_id={{campaign.id}}&adset_id={{adset.id}}&ad_id={{ad.id}}',
      image_hash: ad.format === 'video' ? undefined : imageHash,
      object_story_spec:
        ad.format === 'video'
          ? {
              video_data: { video_id: ad.videoId, title: ad.title, message: ad.body, call_to_action: action },
            }
          : {
              link_data: {
                link: landingUrl,
                name: ad.title,
                message: ad.body,
                call_to_action: action,
                ...(cards.length > 0 ? { child_attachments: cards } : {}),
              },
            },
    },
  }
}

export type InsightsQuery = {
  level: 'campaign' | 'adset' | 'ad'
  since: string
  until: string
  /** Restated spend in percent of the original, by day. */
  restated: Map<string, number>
  now: Date
  seed: string
}

/** Rows by day, then entity, as on the platform; no rows without delivery. */
export function insightRows(world: GraphWorld, account: WorldAccount, query: InsightsQuery): GraphNode[] {
  const today = localTime(query.now, account.timezone)
  const first = firstWorldDay(today)
  const since = query.since > first ? query.since : first
  const until = query.until < today.day ? query.until : today.day
  return listDays(since, until).flatMap((day) =>
    world.campaigns(account).flatMap((campaign) => {
      const rows: { ids: Record<string, string>; delivery: WorldDelivery; attention: WorldAttention }[] = []
      for (const adSet of campaign.adSets) {
        for (const ad of adSet.ads) {
          const delivery = worldDelivery(query.seed, account, campaign, ad, day, today)
          if (delivery)
            rows.push({
              ids: idsOf(query.level, campaign, adSet, ad),
              delivery,
              attention: worldAttention(ad, day, delivery),
            })
        }
      }
      const groups = Object.values(Object.groupBy(rows, ({ ids }) => Object.values(ids).join(' ')))
      return groups.map((group) => {
        const total = group!.map(({ delivery }) => delivery).reduce(add)
        const spendMinor = Math.round((total.spendMinor * (query.restated.get(day) ?? 100)) / 100)
        const row = insightRow(account, campaign, day, group![0]!.ids, { ...total, spendMinor })
        return query.level === 'ad' ? withAttention(row, group![0]!.attention) : row
      })
    }),
  )
}

function idsOf(level: InsightsQuery['level'], campaign: WorldCampaign, adSet: WorldAdSet, ad: WorldAd) {
  const ids: Record<string, string> = { campaign_id: campaign.id, campaign_name: campaign.name }
  if (level !== 'campaign') Object.assign(ids, { adset_id: adSet.id, adset_name: adSet.name })
  if (level === 'ad') Object.assign(ids, { ad_id: ad.id, ad_name: ad.name })
  return ids
}

const add = (a: WorldDelivery, b: WorldDelivery): WorldDelivery => ({
  spendMinor: a.spendMinor + b.spendMinor,
  impressions: a.impressions + b.impressions,
  clicks: a.clicks + b.clicks,
  // Some people saw both ads.
  reach: Math.round((a.reach + b.reach) * 0.93),
  conversionsMilli: a.conversionsMilli + b.conversionsMilli,
  conversionValueMinor: a.conversionValueMinor + b.conversionValueMinor,
  messagingStarted: a.messagingStarted + b.messagingStarted,
})

function insightRow(
  account: WorldAccount,
  campaign: WorldCampaign,
  day: string,
  ids: Record<string, string>,
  delivery: WorldDelivery,
): GraphNode {
  const decimal = (minor: number) =>
    account.minorPerUnit === 1 ? String(minor) : (minor / account.minorPerUnit).toFixed(2)
  const conversions = Math.round(delivery.conversionsMilli / 1000)
  const action = (action_type: string, count: number) =>
    count > 0 ? [{ action_type, value: String(count) }] : []
  const actions = [
    ...action('link_click', delivery.clicks),
    ...(campaign.objective === 'sales'
      ? [...action('omni_purchase', conversions), ...action('purchase', conversions)]
      : campaign.objective === 'leads'
        ? [...action('lead', conversions), ...action('onsite_conversion.lead_grouped', conversions)]
        : []),
    ...action('onsite_conversion.messaging_conversation_started_7d', delivery.messagingStarted),
  ]
  const value =
    conversions > 0 && delivery.conversionValueMinor > 0 ? decimal(delivery.conversionValueMinor) : null
  return {
    id: Object.values(ids).join(' '),
    ...ids,
    account_currency: account.currency,
    date_start: day,
    date_stop: day,
    spend: decimal(delivery.spendMinor),
    impressions: String(delivery.impressions),
    clicks: String(delivery.clicks),
    reach: String(delivery.reach),
    actions: actions.length === 0 ? undefined : actions,
    action_values: value === null ? undefined : [{ action_type: 'omni_purchase', value }],
  }
}
