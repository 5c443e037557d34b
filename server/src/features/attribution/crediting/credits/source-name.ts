/** Source keys for credit without an ad: the visit's channel, and the site, newsletter or platform it came from. */

/** Longer names are truncated: UTM parameters are untrusted input. */
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
 * Source key of a touch: its channel and name. A paid click also carries its utm_source, empty if a click id decided
 * the channel. Null if the touch has an ad, ad set or campaign, which then gets the credit.
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

/** `tag`: the utm_source of a paid click, undefined for other visits. */
export function readSource(source: string): { channel: string; name: string | null; tag?: string } {
  const at = source.indexOf(' ')
  const [name, tag] = source.slice(at + 1).split(TAG)
  return { channel: source.slice(0, at), name: name || null, ...(tag === undefined ? {} : { tag }) }
}

/** The source key in the form that rollups store. */
export function withoutTag(source: string): string {
  const at = source.indexOf(TAG)
  return at === -1 ? source : source.slice(0, at)
}
