/** Colours of the platforms' logos. */
const colours: Record<string, string> = {
  social_ads: '#0866ff',
  engine_ads: '#fbbc04',
  engine_search_console: '#34a853',
  linkedin_ads: '#0a66c2',
  engine_calendar: '#4285f4',
  external_calendar: '#0078d4',
  microsoft_ads: '#00a4ef',
  crmsuite: '#188bf6',
  cardpay: '#635bff',
  regionalpay: '#00b1ea',
  storefront: '#95bf47',
  tiktok_ads: '#fe2c55',
  gmail: '#ea4335',
  microsoft_mail: '#0078d4',
}

/** A coloured mark in front of a platform's name. */
export function PlatformMark({ id }: { id: string }) {
  return (
    <span
      className="platform-mark"
      aria-hidden="true"
      style={{ background: colours[id] ?? 'var(--text-3)' }}
    />
  )
}
