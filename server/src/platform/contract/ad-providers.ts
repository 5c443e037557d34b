/** Providers whose connections report delivery, mapped to the platform name that click ids give to touches. */
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

/** The platform name (as in touches) of a connection's provider or an import's source. */
export function platformOf(source: string | null): string {
  if (source === null) return 'unknown'
  return isAdProvider(source) ? platformOfProvider[source] : source
}
