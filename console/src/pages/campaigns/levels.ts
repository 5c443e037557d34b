import type { Level } from '../../names/levels.ts'
import type { CampaignSearch } from '../../search.ts'

/** The level of the children. */
export const levelBelow: Record<Level, Level | undefined> = {
  campaign: 'ad_set',
  ad_set: 'ad',
  ad: undefined,
}

/** Id of the open campaign, ad set or ad. */
export function openIdOf({ campaign, ad_set, ad }: CampaignSearch): string | undefined {
  return ad ?? ad_set ?? campaign
}

/** Search parameters that open an entity. Those of its parents are left in place for the breadcrumbs. */
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
