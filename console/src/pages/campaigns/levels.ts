import type { CampaignSearch } from '../../search.ts'

export type Level = 'campaign' | 'ad_set' | 'ad'

/** Where in the tree the address stands: what is open, what is listed below it, and how a row is opened. */
export type Place = {
  /** The opened campaign, ad set or ad. */
  openId: string | undefined
  /** What the table lists; undefined below an ad. */
  level: Level | undefined
  noun: string
}

export function placeOf({ campaign, ad_set, ad }: CampaignSearch): Place {
  if (ad) return { openId: ad, level: undefined, noun: 'ad' }
  if (ad_set) return { openId: ad_set, level: 'ad', noun: 'ad' }
  if (campaign) return { openId: campaign, level: 'ad_set', noun: 'ad set' }
  return { openId: undefined, level: 'campaign', noun: 'campaign' }
}

/** The address one step further down. */
export function openedBy(level: Level, id: string): Partial<CampaignSearch> {
  switch (level) {
    case 'campaign':
      return { campaign: id }
    case 'ad_set':
      return { ad_set: id }
    case 'ad':
      return { ad: id }
  }
}
