/** Providers whose connections report delivery, and the platform that touches name by their click ids. */
export const platformOfProvider = {
  social_ads: 'social',
  engine_ads: 'engine',
  linkedin_ads: 'linkedin',
  tiktok_ads: 'shortvideo',
  microsoft_ads: 'microsoft',
} as const
type AdProvider = keyof typeof platformOfProvider
export const adProviders = Object.keys(platformOfProvider) as [AdProvider, ...AdProvider[]]

const isAdProvider = (source: string): source is AdProvider => Object.hasOwn(platformOfProvider, source)

/** Providers of connections and names of imports, as the platform that touches name by their click ids. */
export function platformOf(source: string | null): string {
  if (source === null) return 'unknown'
  return isAdProvider(source) ? platformOfProvider[source] : source
}
