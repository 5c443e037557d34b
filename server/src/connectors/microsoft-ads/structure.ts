/**
 * Campaigns, ad groups and ads. The platform lists them per parent and without pagination, so one of our pages is a
 * number of parents: `after` is the last parent that was read. Each page reads the short parent lists again.
 */
import { z } from 'zod'
import type { StepPage } from '../ad-account-steps.ts'
import type { SetAside, SyncRecord } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { mapItems, type ParsedItem, parsedOrSetAside, readableItems } from '../set-aside.ts'
import { type AdSession, callAds } from './calls.ts'
import { Ad, AdGroup, Campaign, toAdGroup, toAdRecords, toCampaign, type UrlOptions } from './mapping.ts'

export type StructureStep = { kind: 'campaigns' | 'ad_groups' | 'ads' }

/** Without this list only search campaigns are returned. */
export const campaignTypes = [
  'Search',
  'Shopping',
  'DynamicSearchAds',
  'Audience',
  'Hotel',
  'PerformanceMax',
  'App',
]
/** All except images, which are reserved. */
export const adTypes = [
  'AppInstall',
  'DynamicSearch',
  'ExpandedText',
  'Hotel',
  'Product',
  'ResponsiveAd',
  'ResponsiveSearch',
  'Text',
]
/** Calls per page. */
const CAMPAIGNS_PER_PAGE = 25
const AD_GROUPS_PER_PAGE = 50

const service = 'CampaignManagement'
const Property = z.looseObject({ Name: text, Value: text })

async function listCampaigns(session: AdSession): Promise<ParsedItem<Campaign>[]> {
  const { Campaigns } = await callAds(session, session.account, {
    service,
    path: 'Campaigns/QueryByAccountId',
    json: { AccountId: session.accountId, CampaignType: campaignTypes.join(', ') },
    schema: z.looseObject({ Campaigns: z.array(parsedOrSetAside('campaign', Campaign)).nullish() }),
  })
  return Campaigns ?? []
}

async function listAdGroups(session: AdSession, campaignId: string): Promise<ParsedItem<AdGroup>[]> {
  const { AdGroups } = await callAds(session, session.account, {
    service,
    path: 'AdGroups/QueryByCampaignId',
    json: { CampaignId: campaignId },
    schema: z.looseObject({ AdGroups: z.array(parsedOrSetAside('ad_group', AdGroup)).nullish() }),
  })
  return AdGroups ?? []
}

async function listAds(session: AdSession, adGroupId: string): Promise<ParsedItem<Ad>[]> {
  const { Ads } = await callAds(session, session.account, {
    service,
    path: 'Ads/QueryByAdGroupId',
    json: { AdGroupId: adGroupId, AdTypes: adTypes },
    schema: z.looseObject({ Ads: z.array(parsedOrSetAside('ad', Ad)).nullish() }),
  })
  return Ads ?? []
}

const AUTO_TAGGING = 'MSCLKIDAutoTaggingEnabled'

/** Settings of the account; lower levels may override them. */
async function readSettings(session: AdSession): Promise<UrlOptions & { autoTagging: string | null }> {
  const { AccountProperties } = await callAds(session, session.account, {
    service,
    path: 'AccountProperties/Query',
    json: { AccountPropertyNames: ['FinalUrlSuffix', 'TrackingUrlTemplate', AUTO_TAGGING] },
    schema: z.looseObject({
      AccountProperties: z.array(parsedOrSetAside('account_property', Property)).nullish(),
    }),
  })
  const propertyOf = (name: string) =>
    readableItems(AccountProperties ?? []).find((property) => property.Name === name)?.Value ?? null
  return {
    FinalUrlSuffix: propertyOf('FinalUrlSuffix'),
    TrackingUrlTemplate: propertyOf('TrackingUrlTemplate'),
    autoTagging: propertyOf(AUTO_TAGGING)?.toLowerCase() ?? null,
  }
}

/** Without `msclkid` clicks cannot be resolved to ads and conversions cannot be matched. */
function checkAutoTagging(autoTagging: string | null): Pick<StepPage, 'setAside' | 'cleared'> {
  if (autoTagging === 'true') return { cleared: [AUTO_TAGGING] }
  if (autoTagging !== 'false') return {}
  const reason =
    'Auto-tagging of clicks (MSCLKID) is switched off in this account, so clicks arrive without their id. Switch it on at Microsoft Advertising under Account-level options.'
  return { setAside: [{ kind: 'account_setting', externalId: AUTO_TAGGING, reason }] }
}

const inOrder = <T extends { Id: string }>(list: readonly ParsedItem<T>[]): T[] =>
  readableItems(list).sort((a, b) => compareIds(a.Id, b.Id))
const compareIds = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Performance Max campaigns have asset groups instead, which are read from their report. */
const hasAdGroups = ({ CampaignType }: Campaign) => CampaignType !== 'PerformanceMax'

export async function readStructure(
  session: AdSession,
  step: StructureStep,
  at: { currency: string; after: string | null },
): Promise<StepPage> {
  const campaigns = await listCampaigns(session)
  if (step.kind === 'campaigns')
    return {
      ...mapItems('campaign', campaigns, (campaign) => toCampaign(campaign, at.currency)),
      after: null,
    }
  const parents = inOrder(campaigns).filter(hasAdGroups)
  return step.kind === 'ad_groups' ? readAdGroups(session, parents, at) : readAds(session, parents, at)
}

async function readAdGroups(
  session: AdSession,
  campaigns: readonly Campaign[],
  at: { currency: string; after: string | null },
): Promise<StepPage> {
  const remaining = campaigns.filter(({ Id }) => at.after === null || compareIds(Id, at.after) > 0)
  const pages = []
  for (const { Id } of remaining.slice(0, CAMPAIGNS_PER_PAGE)) {
    const adGroups = await listAdGroups(session, Id)
    pages.push(mapItems('ad_group', adGroups, (adGroup) => toAdGroup(adGroup, Id, at.currency)))
  }
  const isLast = remaining.length <= CAMPAIGNS_PER_PAGE
  return { ...mergePages(pages), after: isLast ? null : remaining[CAMPAIGNS_PER_PAGE - 1]!.Id }
}

async function readAds(
  session: AdSession,
  campaigns: readonly Campaign[],
  at: { currency: string; after: string | null },
): Promise<StepPage> {
  const [afterCampaign = '', afterGroup = ''] = at.after?.split(':') ?? []
  const account = await readSettings(session)
  const { setAside = [], cleared = [] } = checkAutoTagging(account.autoTagging)
  const pages = []
  for (const campaign of campaigns) {
    if (compareIds(campaign.Id, afterCampaign) < 0) continue
    const adGroups = inOrder(await listAdGroups(session, campaign.Id))
    for (const adGroup of adGroups) {
      if (campaign.Id === afterCampaign && compareIds(adGroup.Id, afterGroup) <= 0) continue
      const ads = await listAds(session, adGroup.Id)
      pages.push(mapItems('ad', ads, (ad) => toAdRecords(ad, { account, campaign, adGroup }, at.currency)))
      if (pages.length >= AD_GROUPS_PER_PAGE)
        return { ...mergePages(pages, setAside), cleared, after: `${campaign.Id}:${adGroup.Id}` }
    }
  }
  return { ...mergePages(pages, setAside), cleared, after: null }
}

const mergePages = (
  pages: readonly { records: SyncRecord[]; setAside: SetAside[] }[],
  otherSetAside: readonly SetAside[] = [],
) => ({
  records: pages.flatMap(({ records }) => records),
  setAside: [...otherSetAside, ...pages.flatMap(({ setAside }) => setAside)],
})
