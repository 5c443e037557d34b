/** Campaigns, ad groups and ads in the platform's JSON, from the templates of its reference. */
import type { MsAccount, MsAd, MsCampaign, MsGroup } from './account.ts'

const suffix = 'utm_source=bing&utm_medium=cpc&campaign_id={CampaignId}&adset_id={AdGroupId}&ad_id={AdId}'

export const accountJson = (account: MsAccount) => ({
  AccountFinancialStatus: 'ClearFinancialStatus',
  AccountLifeCycleStatus: account.lifeCycle,
  AccountMode: 'Expert',
  CurrencyCode: account.currency,
  ForwardCompatibilityMap: [],
  Id: account.id,
  Language: 'English',
  Name: account.name,
  Number: account.number,
  ParentCustomerId: account.customerId,
  TimeZone: account.timeZone,
})

export const campaignJson = (account: MsAccount, campaign: MsCampaign) => ({
  AudienceAdsBidAdjustment: null,
  BiddingScheme: { Type: 'EnhancedCpcBiddingScheme' },
  BudgetId: campaign.budgetId,
  BudgetType: campaign.budgetType,
  CampaignType: campaign.type,
  DailyBudget: campaign.dailyBudget,
  FinalUrlSuffix: campaign.type === 'Search' ? suffix : null,
  ForwardCompatibilityMap: [],
  Id: campaign.id,
  Name: campaign.name,
  Status: campaign.status,
  TimeZone: account.timeZone,
  TrackingUrlTemplate: campaign.type === 'Audience' ? `{lpurl}?${suffix}` : null,
})

export const groupJson = (group: MsGroup) => ({
  AdGroupType: 'SearchStandard',
  CpcBid: { Amount: 1.25 },
  FinalUrlSuffix: null,
  Id: group.id,
  Language: null,
  Name: group.name,
  Network: 'OwnedAndOperatedAndSyndicatedSearch',
  Status: group.status,
  TrackingUrlTemplate: null,
})

const link = (Text: string) => ({
  Asset: { Id: '1', Name: null, Type: 'TextAsset', Text },
  AssetPerformanceLabel: null,
  EditorialStatus: 'Active',
  PinnedField: null,
})

export function adJson(ad: MsAd): Record<string, unknown> {
  const common = {
    AdFormatPreference: 'All',
    EditorialStatus: 'Active',
    FinalUrls: ['https://harborandpine.example/kitchens'],
    FinalMobileUrls: [],
    FinalUrlSuffix: null,
    Id: ad.id,
    Status: ad.status,
    TrackingUrlTemplate: null,
    Type: ad.type,
  }
  if (ad.type === 'ExpandedText')
    return {
      ...common,
      TitlePart1: ad.headlines[0],
      TitlePart2: ad.headlines[1],
      Text: ad.descriptions[0],
      Domain: 'harborandpine.example',
    }
  const assets = { Headlines: ad.headlines.map(link), Descriptions: ad.descriptions.map(link) }
  return ad.type === 'ResponsiveAd'
    ? { ...common, ...assets, BusinessName: 'Harbor & Pine', CallToAction: 'LearnMore', Images: [] }
    : { ...common, ...assets, Domain: 'harborandpine.example', Path1: 'kitchens', Path2: null }
}
