import type { Level } from '../../names/levels.ts'
import type { CampaignSearch } from '../../search.ts'

/** What a campaign and an ad set are made of. */
export const levelBelow: Record<Level, Level | undefined> = {
  campaign: 'ad_set',
  ad_set: 'ad',
  ad: undefined,
}

/** The opened campaign, ad set or ad. */
export function openIdOf({ campaign, ad_set, ad }: CampaignSearch): string | undefined {
  return ad ?? ad_set ?? campaign
}

/** The address of an entity from the list: what was open before it stays, as the way back. */
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
