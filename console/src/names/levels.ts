/** Levels of an ad account. */
export type Level = 'campaign' | 'ad_set' | 'ad'

export const levelNouns: Record<Level, string> = { campaign: 'campaign', ad_set: 'ad set', ad: 'ad' }

export const levelOptions: { value: Level; label: string }[] = [
  { value: 'campaign', label: 'Campaigns' },
  { value: 'ad_set', label: 'Ad sets' },
  { value: 'ad', label: 'Ads' },
]
