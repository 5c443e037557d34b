/** Campaigns, ad groups, ads and files in the API's JSON. */
import type { Account, Ad, AdGroup, Campaign, Kind } from './world.ts'

type Json = Record<string, unknown>
type Statuses = ReadonlyMap<string, string>

const statusOf = (id: string, level: string, statuses: Statuses, isDeleted = false): Json => {
  const ownStatus = statuses.get(id) ?? 'ENABLE'
  const effective = isDeleted ? 'DELETE' : ownStatus === 'ENABLE' ? 'DELIVERY_OK' : 'DISABLE'
  return { operation_status: ownStatus, secondary_status: `${level}_STATUS_${effective}` }
}

function campaignJson(account: Account, campaign: Campaign, statuses: Statuses): Json {
  return {
    advertiser_id: account.id,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    campaign_type: 'REGULAR_CAMPAIGN',
    objective_type: campaign.objective,
    ...statusOf(campaign.id, 'CAMPAIGN', statuses),
    // For GMV Max, only the details of a campaign have the budget.
    ...(campaign.kind === 'gmv_max' ? {} : { budget: campaign.budget, budget_mode: campaign.budgetMode }),
    create_time: '2026-01-05 09:00:00',
    modify_time: '2026-02-20 09:00:00',
    sandbox_novelty: 'in no schema',
  }
}

function adGroupJson(campaign: Campaign, group: AdGroup, statuses: Statuses): Json {
  const hasBudget = campaign.budgetMode === 'BUDGET_MODE_INFINITE'
  const targeting = { location_ids: ['6252001'], audience_ids: [], age_groups: ['AGE_25_34'] }
  return {
    adgroup_id: group.id,
    adgroup_name: group.name,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    ...statusOf(group.id, 'ADGROUP', statuses),
    budget: hasBudget ? 60 : 0,
    budget_mode: hasBudget ? 'BUDGET_MODE_DAY' : 'BUDGET_MODE_INFINITE',
    placement_type: 'PLACEMENT_TYPE_NORMAL',
    placements: ['PLACEMENT_TIKTOK'],
    ...(campaign.kind === 'smart_plus' ? { targeting_spec: targeting } : targeting),
    create_time: '2026-01-05 09:00:00',
  }
}

const landing = 'https://shop.harborandpine.example/'
const utm = [
  { key: 'utm_source', value: 'tiktok' },
  { key: 'ad_id', value: '__CID__' },
]
const adText = 'Soft close that stays soft. Watch the machine do it.'

function manualAd(ad: Ad): Json {
  const isVideo = ad.format === 'SINGLE_VIDEO'
  return {
    ad_id: ad.id,
    ad_format: ad.format,
    ad_text: adText,
    video_id: isVideo ? ad.fileIds[0] : '',
    image_ids: isVideo ? [] : ad.fileIds,
    landing_page_url: landing,
    call_to_action: 'SHOP_NOW',
    call_to_action_id: '',
    identity_id: '7100000000000000001',
    identity_type: 'CUSTOMIZED_USER',
    utm_params: utm,
    modify_time: '2026-02-20 09:00:00',
  }
}

/** Smart+ ads have no `modify_time`, and have lists. */
const smartAd = (ad: Ad): Json => ({
  smart_plus_ad_id: ad.id,
  ad_text_list: [{ ad_text: adText }],
  landing_page_url_list: [{ landing_page_url: landing }],
  call_to_action_list: [{ call_to_action: 'SHOP_NOW' }],
  creative_list: [
    {
      ad_material_id: `9${ad.id.slice(1)}`,
      creative_info: {
        ad_format: ad.format,
        ...(ad.format === 'SINGLE_VIDEO'
          ? { video_info: { video_id: ad.fileIds[0], file_name: 'drawer.mp4' } }
          : { image_info: ad.fileIds.map((file) => ({ web_uri: file })) }),
      },
      material_operation_status: 'ENABLE',
    },
  ],
  ad_configuration: { call_to_action_id: '', utm_params: utm },
})

function adJson(campaign: Campaign, group: AdGroup, ad: Ad, statuses: Statuses): Json {
  return {
    ad_name: ad.name,
    adgroup_id: group.id,
    adgroup_name: group.name,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    ...statusOf(ad.id, 'AD', statuses, ad.isDeleted),
    create_time: '2026-01-05 09:00:00',
    ...(campaign.kind === 'smart_plus' ? smartAd(ad) : manualAd(ad)),
  }
}

export type Listed = { id: string; campaignId: string; isDeleted: boolean; json: Json }

/** Entities of one kind and level; GMV Max has campaigns only. */
export function listed(
  account: Account,
  campaigns: readonly Campaign[],
  kind: Kind,
  level: 'campaign' | 'adgroup' | 'ad',
  statuses: Statuses,
): Listed[] {
  const ofKind = campaigns.filter((campaign) => campaign.kind === kind)
  if (level === 'campaign')
    return ofKind.map((campaign) => ({
      id: campaign.id,
      campaignId: campaign.id,
      isDeleted: false,
      json: campaignJson(account, campaign, statuses),
    }))
  return ofKind.flatMap((campaign) =>
    campaign.adGroups.flatMap((group) =>
      level === 'adgroup'
        ? [
            {
              id: group.id,
              campaignId: campaign.id,
              isDeleted: false,
              json: adGroupJson(campaign, group, statuses),
            },
          ]
        : group.ads.map((ad) => ({
            id: ad.id,
            campaignId: campaign.id,
            isDeleted: ad.isDeleted,
            json: adJson(campaign, group, ad, statuses),
          })),
    ),
  )
}
