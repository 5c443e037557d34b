/** What credit without any ad is counted by: the channel of the visit, and the site, newsletter or platform it came from. */

/** Longer names are cut: what a link says of itself is anybody's text. */
const MAX_NAME = 100

export type SourcedTouch = {
  channel: string
  platform: string | null
  campaign_external_id: string | null
  ad_set_external_id: string | null
  ad_external_id: string | null
  utm_source: string | null
  referrer_host: string | null
}

/** Null where the touch names an ad, an ad set or a campaign: then that says where the credit belongs. */
export function sourceOf(touch: SourcedTouch): string | null {
  if (
    touch.campaign_external_id !== null ||
    touch.ad_set_external_id !== null ||
    touch.ad_external_id !== null
  )
    return null
  const name = touch.platform ?? touch.utm_source?.trim().toLowerCase() ?? touch.referrer_host ?? ''
  return `${touch.channel} ${name.slice(0, MAX_NAME)}`
}

export function readSource(source: string): { channel: string; name: string | null } {
  const at = source.indexOf(' ')
  return { channel: source.slice(0, at), name: source.slice(at + 1) || null }
}

/** The channel of what an ad was credited with, by the platform that ran it. */
export function paidChannelOf(platform: string): string {
  switch (platform) {
    case 'engine':
    case 'microsoft':
      return 'paid_search'
    case 'social':
    case 'shortvideo':
    case 'linkedin':
    case 'x':
    case 'reddit':
    case 'snapchat':
    case 'pinterest':
      return 'paid_social'
    default:
      return 'paid_other'
  }
}
