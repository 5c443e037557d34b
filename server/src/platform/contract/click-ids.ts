/**
 * Click id parameters of the platforms, in order of precedence: the first one present in a visit decides.
 * `unpaidChannel`: the platform also tags links in organic posts, so the id alone does not prove an ad.
 */
export type ClickIdMeaning = { platform: string; channel: string; unpaidChannel?: string }

export const clickIdPlatforms: Record<string, ClickIdMeaning> = {
  gclid: { platform: 'engine', channel: 'paid_search' },
  gbraid: { platform: 'engine', channel: 'paid_search' },
  wbraid: { platform: 'engine', channel: 'paid_search' },
  dclid: { platform: 'display', channel: 'display' },
  fbclid: { platform: 'social', channel: 'paid_social', unpaidChannel: 'organic_social' },
  ttclid: { platform: 'shortvideo', channel: 'paid_social' },
  msclkid: { platform: 'microsoft', channel: 'paid_search' },
  li_fat_id: { platform: 'linkedin', channel: 'paid_social' },
  twclid: { platform: 'x', channel: 'paid_social' },
  rdt_cid: { platform: 'reddit', channel: 'paid_social' },
  ScCid: { platform: 'snapchat', channel: 'paid_social' },
  epik: { platform: 'pinterest', channel: 'paid_social' },
}
