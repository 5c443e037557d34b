/** Targets of short links: which are allowed, and the address that a click is sent to. Pure. */
import { withChatCode } from '../../../platform/contract/chat-codes.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'

export type ChatTarget = { app: 'chatapp' | 'pagechat' | 'photoapp'; account: string; text: string | null }
export type Utm = Partial<Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string>>
export type Ad = Partial<Record<'campaign_id' | 'ad_set_id' | 'ad_id', string>>
export type Target = { url: string | null; chat: ChatTarget | null; utm: Utm; ad: Ad | null }

export const RESERVED_SLUGS: readonly string[] = ['api', 'share']
/** A deleted link's address is not given to another one for this long. */
export const SLUG_REST_DAYS = 90

/** Hosts that only open a chat. */
const chatHosts = ['wa.me', 'api.whatsapp.com', 'm.me', 'ig.me']
const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const
/** As in the URL templates of the ad platforms. */
const adNames = { campaign_id: 'campaign_id', ad_set_id: 'adset_id', ad_id: 'ad_id' } as const
const MAX_URL = 2048

const accounts: Record<ChatTarget['app'], RegExp> = {
  chatapp: /^[1-9]\d{6,14}$/,
  pagechat: /^[A-Za-z0-9][A-Za-z0-9.-]{0,49}$/,
  photoapp: /^[A-Za-z0-9._]{1,30}$/,
}

const invalid = (field: string, problem: string) => new Refusal('validation_error', problem, { field })

/**
 * Null if the text is an https address on one of the domains or of a chat. Everything that a browser and this parser
 * could read differently is refused: user names, backslashes, spaces and control characters, addresses instead of names.
 */
export function refuseTargetUrl(text: string, domains: readonly string[]): Refusal | null {
  const url = URL.parse(text)
  const host = url?.hostname ?? ''
  const isPlain =
    /^https:\/\/[^/?#@\\]+(?:[/?#]|$)/i.test(text) &&
    !/[\\\s]/.test(text) &&
    [...text].every((char) => char > '\u001f' && char !== '\u007f')
  if (url === null || !isPlain || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return invalid('target_url', 'must be an https address without a user name, spaces and backslashes.')
  if (url.port !== '') return invalid('target_url', 'must not name a port.')
  if (host.startsWith('[') || /^[\d.]+$/.test(host) || !host.includes('.'))
    return invalid('target_url', 'must name a domain, not an address of a machine.')
  if (chatHosts.includes(host) || isOn(host, domains)) return null
  return invalid(
    'target_url',
    `${host} is not a domain of this profile; add it to allowed_domains of the tracking settings first.`,
  )
}

const isOn = (host: string, domains: readonly string[]) =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))

export function refuseChat(chat: ChatTarget): Refusal | null {
  return accounts[chat.app].test(chat.account)
    ? null
    : invalid(
        'chat.account',
        chat.app === 'chatapp'
          ? 'must be the number with country code, digits only.'
          : 'must be the name of the page or account, without @ and address.',
      )
}

export const refuseSlug = (slug: string): Refusal | null =>
  RESERVED_SLUGS.includes(slug) ? invalid('slug', `${slug} is reserved.`) : null

/** The UTM parameters that a visit through the link carries: those of the address win, then the link's, then defaults. */
export function effectiveUtm(slug: string, target: Target): Utm {
  const own = target.url === null ? new URLSearchParams() : new URL(target.url).searchParams
  const defaults: Utm =
    target.ad === null ? { source: 'short_link', medium: 'link', campaign: slug } : { campaign: slug }
  const utm: Utm = {}
  for (const name of utmNames) {
    const text = own.get(`utm_${name}`) || target.utm[name] || defaults[name]
    if (text) utm[name] = text
  }
  return utm
}

/** Names of ours in the query of the short address, which a visitor must not be able to set. */
const isOwnName = (name: string) =>
  /^(utm_|whence|wl$)/.test(name) || Object.values<string>(adNames).includes(name)

/** The page that a click is sent to. Parameters of the address are kept and never replaced. */
export function pageAddress(slug: string, target: Target, query: Record<string, string>): string {
  const url = new URL(target.url!)
  const add = (name: string, text: string | undefined) => {
    if (text && !url.searchParams.has(name)) url.searchParams.append(name, text)
  }
  const utm = effectiveUtm(slug, target)
  for (const name of utmNames) add(`utm_${name}`, utm[name])
  for (const [name, parameter] of Object.entries(adNames)) add(parameter, target.ad?.[name as keyof Ad])
  for (const [name, text] of Object.entries(query))
    if (!isOwnName(name) && url.href.length + name.length + encodeURIComponent(text).length < MAX_URL)
      add(name, text)
  return url.href
}

/** The chat that a click opens, with its code in the first message or in `ref`. */
export function chatAddress(chat: ChatTarget, code: string): string {
  const text = encodeURIComponent(withChatCode(chat.text ?? '', code))
  switch (chat.app) {
    case 'chatapp':
      return `https://wa.me/${chat.account}?text=${text}`
    case 'pagechat':
      return `https://m.me/${chat.account}?ref=${code}&text=${text}`
    case 'photoapp':
      return `https://ig.me/m/${chat.account}?ref=${code}`
  }
}

/** One line that names the target, for the history of versions. */
export const describeTarget = ({ url, chat, utm, ad }: Target): string =>
  JSON.stringify({ url, chat, utm, ad })

/** An SVG of the modules: one path, so that no seams show between them when it is printed. */
export function toSvg(modules: readonly (readonly boolean[])[], size: number): string {
  const width = modules.length
  const runs = modules.flatMap((row, y) => {
    const parts: string[] = []
    for (let x = 0; x < width; x++) {
      if (!row[x]) continue
      let end = x
      while (row[end]) end++
      parts.push(`M${x} ${y}h${end - x}v1h-${end - x}z`)
      x = end
    }
    return parts
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${width}H0z"/><path fill="#000" d="${runs.join('')}"/></svg>`
}
