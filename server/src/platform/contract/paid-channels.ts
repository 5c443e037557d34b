/**
 * The only mapping from names to ad platforms and their channels, used for a link's utm_source (`fb`, `adwords`), the
 * source of an import (`facebook`) and a connected platform (`social`).
 */
type Platform = { platform: string; channel: 'paid_search' | 'paid_social'; words: RegExp }

const platforms: readonly Platform[] = [
  { platform: 'engine', channel: 'paid_search', words: /google|adwords|youtube|gads/ },
  { platform: 'social', channel: 'paid_social', words: /facebook|instagram|meta|^(fb|ig)\b/ },
  { platform: 'shortvideo', channel: 'paid_social', words: /tiktok/ },
  { platform: 'microsoft', channel: 'paid_search', words: /bing|microsoft|msn/ },
  { platform: 'linkedin', channel: 'paid_social', words: /linkedin/ },
  { platform: 'x', channel: 'paid_social', words: /twitter|^x$/ },
  { platform: 'reddit', channel: 'paid_social', words: /reddit/ },
  { platform: 'snapchat', channel: 'paid_social', words: /snap/ },
  { platform: 'pinterest', channel: 'paid_social', words: /pinterest/ },
]

function findPlatform(name: string): Platform | undefined {
  const word = name.toLowerCase()
  return (
    platforms.find(({ platform }) => platform === word) ?? platforms.find(({ words }) => words.test(word))
  )
}

/** The platform for a name, such as `social` for `fb`. */
export function findPaidPlatform(name: string): string | undefined {
  return findPlatform(name)?.platform
}

/** The channel of a platform's ads, by the platform's name or an alias. */
export function paidChannelOf(platform: string): string {
  return findPlatform(platform)?.channel ?? (platform === 'display' ? 'display' : 'paid_other')
}
