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
  click_id_kind: string | null
}

/** Separates the platform of a paid click from the utm_source that an override may match. */
const TAG = '\t'

/**
 * Null where the touch names an ad, an ad set or a campaign: then that says where the credit belongs. Otherwise its
 * channel and name; a paid click also carries its utm_source, empty where a click id decided the channel.
 */
export function sourceOf(touch: SourcedTouch): string | null {
  if (
    touch.campaign_external_id !== null ||
    touch.ad_set_external_id !== null ||
    touch.ad_external_id !== null
  )
    return null
  const utmSource = touch.utm_source?.trim().toLowerCase().replaceAll(TAG, ' ')
  if (touch.platform === null)
    return `${touch.channel} ${(utmSource ?? touch.referrer_host ?? '').slice(0, MAX_NAME)}`
  const tag = touch.click_id_kind === null ? (utmSource ?? '') : ''
  return `${touch.channel} ${touch.platform.slice(0, MAX_NAME)}${TAG}${tag.slice(0, MAX_NAME)}`
}

/** `tag`: the utm_source of a paid click, undefined of any other visit. */
export function readSource(source: string): { channel: string; name: string | null; tag?: string } {
  const at = source.indexOf(' ')
  const [name, tag] = source.slice(at + 1).split(TAG)
  return { channel: source.slice(0, at), name: name || null, ...(tag === undefined ? {} : { tag }) }
}

/** The source as rollups name it. */
export function withoutTag(source: string): string {
  const at = source.indexOf(TAG)
  return at === -1 ? source : source.slice(0, at)
}
