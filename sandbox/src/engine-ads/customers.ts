/** The customers of the sandbox and their queryable rows. */

import {
  firstWorldDay,
  type WorldAccount,
  type WorldAd,
  type WorldAdSet,
  type WorldCampaign,
  worldAccounts,
  worldCampaigns,
  worldDelivery,
} from '../ads.ts'
import { worldCreative } from '../creatives.ts'
import { listDays, localTime } from '../days.ts'
import type { SandboxOptions } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { sandboxPeople } from '../world.ts'
import { experimentRows } from './experiments.ts'
import type { FlatRow, GaqlQuery } from './gaql.ts'

/** Changes written to a campaign, budget, ad group or ad, by resource name. */
export type Written = Map<string, Record<string, string>>

const statuses = { ACTIVE: 'ENABLED', PAUSED: 'PAUSED', ARCHIVED: 'REMOVED' } as const
const microsPerMinor = (account: WorldAccount) => 1_000_000 / account.minorPerUnit

export type Customers = {
  accounts: [WorldAccount, ...WorldAccount[]]
  /** A manager account without ads; it gives access to the last of the accounts. */
  managerId: string
  managedId: string
  restated: Map<string, number>
  written: Written
  /** The campaign that the resource is or belongs to. */
  findCampaign(resourceName: string): WorldCampaign | null
  findAd(id: string): WorldAd | null
  /** Today in the customer's time zone. */
  today(customerId: string): string
  rows(customerId: string, query: GaqlQuery, baseUrl: string): FlatRow[]
}

/** Names of a campaign, its budget, its ad groups and their ads. */
const resourceNames = (accountId: string, { id, adSets }: WorldCampaign): string[] =>
  [
    `campaigns/${id}`,
    `campaignBudgets/${id}`,
    ...adSets.flatMap((adSet) => [
      `adGroups/${adSet.id}`,
      ...adSet.ads.map((ad) => `adGroupAds/${adSet.id}~${ad.id}`),
    ]),
  ].map((name) => `customers/${accountId}/${name}`)

export function createCustomers(options: SandboxOptions): Customers {
  const { seed } = options
  const accounts = worldAccounts(seed, 'engine')
  const startedOn = options.now().toISOString().slice(0, 10)
  const campaigns = new Map(
    accounts.map((account) => [account.id, worldCampaigns(seed, 'engine', account, startedOn)]),
  )
  const managerId = seededDigits(10, seed, 'engine', 'manager')
  const managedId = accounts.at(-1)!.id
  const restated = new Map<string, number>()
  const written: Written = new Map()

  function customerRow(account: WorldAccount): FlatRow {
    return {
      'customer.id': account.id,
      'customer.descriptive_name': account.name,
      'customer.currency_code': account.currency,
      'customer.time_zone': account.timezone,
      'customer.manager': false,
      'customer.status': 'ENABLED',
    }
  }

  function campaignRow(account: WorldAccount, campaign: WorldCampaign): FlatRow {
    const resourceName = `customers/${account.id}/campaigns/${campaign.id}`
    const budgetName = `customers/${account.id}/campaignBudgets/${campaign.id}`
    const budget = written.get(budgetName)
    const ownBudget = (campaign.dailyBudgetMinor ?? 0) * microsPerMinor(account)
    return {
      ...customerRow(account),
      'campaign.resource_name': resourceName,
      'campaign.id': campaign.id,
      'campaign.name': campaign.name,
      'campaign.status': written.get(resourceName)?.status ?? statuses[campaign.status],
      'campaign.advertising_channel_type': campaign.name.startsWith('Shopping') ? 'SHOPPING' : 'SEARCH',
      'campaign.bidding_strategy_type':
        campaign.objective === 'traffic' ? 'TARGET_SPEND' : 'MAXIMIZE_CONVERSIONS',
      'campaign_budget.resource_name': budgetName,
      'campaign_budget.amount_micros': budget?.amountMicros ?? String(ownBudget),
      'campaign_budget.total_amount_micros': budget?.totalAmountMicros,
    }
  }

  const adGroupRow = (account: WorldAccount, campaign: WorldCampaign, adSet: WorldAdSet): FlatRow => ({
    ...campaignRow(account, campaign),
    'ad_group.id': adSet.id,
    'ad_group.name': adSet.name,
    'ad_group.status': written.get(`customers/${account.id}/adGroups/${adSet.id}`)?.status ?? 'ENABLED',
  })

  function adRow(adGroup: FlatRow, ad: WorldAd, baseUrl: string): FlatRow {
    const resourceName = `customers/${adGroup['customer.id']}/adGroupAds/${adGroup['ad_group.id']}~${ad.id}`
    const isImage = ad.format === 'static'
    const shape = worldCreative(ad, 'sales')
    return {
      ...adGroup,
      'ad_group_ad.status': written.get(resourceName)?.status ?? 'ENABLED',
      'ad_group_ad.ad.id': ad.id,
      'ad_group_ad.ad.name': isImage ? ad.name : undefined,
      'ad_group_ad.ad.type': isImage ? 'IMAGE_AD' : 'RESPONSIVE_SEARCH_AD',
      'ad_group_ad.ad.final_urls': ['https://harborandpine.example/'],
      'customer.final_url_suffix':
        'utm_source=google&utm_medium=cpc&campaign_id={campaignid}&adset_id={adgroupid}&ad_id={creative}',
      'ad_group_ad.ad.image_ad.pixel_width': isImage ? String(shape.width) : undefined,
      'ad_group_ad.ad.image_ad.pixel_height': isImage ? String(shape.height) : undefined,
      'ad_group_ad.ad.image_ad.image_url': isImage ? `${baseUrl}/creative/${ad.id}.png` : undefined,
      'ad_group_ad.ad.responsive_search_ad.headlines': isImage ? undefined : [{ text: ad.title }],
      'ad_group_ad.ad.responsive_search_ad.descriptions': isImage ? undefined : [{ text: ad.body }],
    }
  }

  /** The goal that a campaign bids for, and a goal that it only counts. */
  const goalRows = (account: WorldAccount, campaign: WorldCampaign): FlatRow[] =>
    (
      [
        [campaign.objective === 'sales' ? 'PURCHASE' : 'SUBMIT_LEAD_FORM', true],
        ['PAGE_VIEW', false],
      ] as const
    ).map(([category, biddable]) => ({
      ...campaignRow(account, campaign),
      'campaign_conversion_goal.category': category,
      'campaign_conversion_goal.biddable': biddable,
    }))

  const placeRow = (account: WorldAccount, campaign: WorldCampaign): FlatRow => ({
    ...campaignRow(account, campaign),
    'campaign_criterion.type': 'LOCATION',
    'campaign_criterion.negative': false,
    'campaign_criterion.location.geo_target_constant': `geoTargetConstants/${{ USD: 2840, EUR: 2276 }[account.currency] ?? 2392}`,
  })

  const listRow = (adGroup: FlatRow): FlatRow => ({
    ...adGroup,
    'ad_group_criterion.criterion_id': `${adGroup['ad_group.id']}1`,
    'ad_group_criterion.type': 'USER_LIST',
    'ad_group_criterion.negative': false,
  })

  function structureRows(account: WorldAccount, resource: string, baseUrl: string): FlatRow[] {
    const all = campaigns.get(account.id)!
    if (resource === 'campaign') return all.map((campaign) => campaignRow(account, campaign))
    if (resource === 'campaign_conversion_goal') return all.flatMap((campaign) => goalRows(account, campaign))
    if (resource === 'campaign_criterion') return all.map((campaign) => placeRow(account, campaign))
    if (resource === 'ad_group_criterion')
      return all.flatMap((campaign) =>
        campaign.adSets
          .filter(({ name }) => name === 'Near me')
          .map((adSet) => listRow(adGroupRow(account, campaign, adSet))),
      )
    return all.flatMap((campaign) =>
      campaign.adSets.flatMap((adSet) => {
        const adGroup = adGroupRow(account, campaign, adSet)
        return resource === 'ad_group' ? [adGroup] : adSet.ads.map((ad) => adRow(adGroup, ad, baseUrl))
      }),
    )
  }

  /** Clicks of all people of the world's first account. */
  function clickRows(account: WorldAccount): FlatRow[] {
    if (account.id !== accounts[0].id) return []
    return sandboxPeople(seed, options.now()).flatMap(({ source, click }) =>
      source !== 'engine' || click === null
        ? []
        : [
            {
              'segments.date': localTime(click.at, account.timezone).day,
              'click_view.gclid': click.value,
              'click_view.ad_group_ad': `customers/${account.id}/adGroupAds/${click.adSetId}~${click.adId}`,
              'campaign.id': click.campaignId,
              'ad_group.id': click.adSetId,
            },
          ],
    )
  }

  function metricRows(account: WorldAccount, query: GaqlQuery, baseUrl: string): FlatRow[] {
    const today = localTime(options.now(), account.timezone)
    const dated = query.conditions.filter(({ field }) => field === 'segments.date')
    const days = listDays(firstWorldDay(today), today.day).filter((day) =>
      dated.every(({ holds }) => holds(day)),
    )
    const idField =
      { campaign: 'campaign.id', ad_group: 'ad_group.id' }[query.resource] ?? 'ad_group_ad.ad.id'
    const structure = structureRows(account, query.resource, baseUrl)
    return days.flatMap((day) => {
      const byEntity = new Map<unknown, number[]>()
      for (const campaign of campaigns.get(account.id)!) {
        for (const adSet of campaign.adSets) {
          for (const ad of adSet.ads) {
            const delivery = worldDelivery(seed, account, campaign, ad, day, today)
            if (!delivery) continue
            const key = { 'campaign.id': campaign.id, 'ad_group.id': adSet.id }[idField] ?? ad.id
            const add = [
              Math.round((delivery.spendMinor * (restated.get(day) ?? 100)) / 100) * microsPerMinor(account),
              delivery.impressions,
              delivery.clicks,
              delivery.conversionsMilli,
              delivery.conversionValueMinor,
            ]
            byEntity.set(key, byEntity.get(key)?.map((value, index) => value + add[index]!) ?? add)
          }
        }
      }
      return structure.flatMap((row): FlatRow[] => {
        const sums = byEntity.get(row[idField])
        if (!sums) return []
        const [micros, impressions, clicks, conversionsMilli, valueMinor] = sums as [
          number,
          number,
          number,
          number,
          number,
        ]
        return [
          {
            ...row,
            'segments.date': day,
            'metrics.cost_micros': String(micros),
            'metrics.impressions': String(impressions),
            'metrics.clicks': String(clicks),
            'metrics.conversions': conversionsMilli / 1000,
            // Undefined without conversion values, as on the platform.
            'metrics.conversions_value': valueMinor > 0 ? valueMinor / account.minorPerUnit : undefined,
          },
        ]
      })
    })
  }

  return {
    accounts,
    managerId,
    managedId,
    restated,
    written,
    findCampaign: (resourceName) =>
      [...campaigns].flatMap(([accountId, all]) =>
        all.filter((campaign) => resourceNames(accountId, campaign).includes(resourceName)),
      )[0] ?? null,
    findAd: (id) =>
      [...campaigns.values()]
        .flat()
        .flatMap(({ adSets }) => adSets.flatMap(({ ads }) => ads))
        .find((ad) => ad.id === id) ?? null,
    today: (customerId) =>
      localTime(options.now(), accounts.find(({ id }) => id === customerId)?.timezone ?? 'UTC').day,
    rows(customerId, query, baseUrl) {
      if (customerId === managerId) {
        const managed = accounts.find(({ id }) => id === managedId)!
        const client = Object.entries(customerRow(managed)).map(([name, value]) => [
          name.replace('customer.', 'customer_client.'),
          value,
        ])
        return query.resource === 'customer_client'
          ? [Object.fromEntries(client)]
          : [
              {
                'customer.id': managerId,
                'customer.descriptive_name': 'Harbor & Pine Group',
                'customer.manager': true,
              },
            ]
      }
      const account = accounts.find(({ id }) => id === customerId)!
      if (query.resource === 'customer') return [customerRow(account)]
      if (query.resource === 'click_view') return clickRows(account)
      if (query.resource === 'experiment' || query.resource === 'experiment_arm')
        return experimentRows(seed, account.id, campaigns.get(account.id)!, startedOn, query.resource)
      const hasMetrics = query.fields.some((field) => field.startsWith('metrics.'))
      return hasMetrics
        ? metricRows(account, query, baseUrl)
        : structureRows(account, query.resource, baseUrl)
    },
  }
}
