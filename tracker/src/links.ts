import { hostOf, isSameSite } from './landing.ts'

const CHAT_HOSTS: Record<string, string> = {
  'wa.me': 'chatapp',
  'wa.link': 'chatapp',
  'whatsapp.com': 'chatapp',
  'm.me': 'pagechat',
  'messenger.com': 'pagechat',
  'ig.me': 'photoapp',
  't.me': 'telegram',
  'telegram.me': 'telegram',
  'line.me': 'line',
  'lin.ee': 'line',
  'signal.me': 'signal',
}

const CHAT_SCHEMES: Record<string, string> = {
  whatsapp: 'chatapp',
  'fb-messenger': 'pagechat',
  tg: 'telegram',
  line: 'line',
  viber: 'viber',
  sgnl: 'signal',
}

export type Link =
  | { type: 'chat_click'; app: string; host: string }
  | { type: 'outbound_click'; kind: string; host: string }

/** Classifies a link; undefined if it stays on the site. */
export function classifyLink(href: string, site: string): Link | undefined {
  const scheme = href.slice(0, href.indexOf(':')).toLowerCase()
  if (CHAT_SCHEMES[scheme]) return { type: 'chat_click', app: CHAT_SCHEMES[scheme], host: '' }
  if (/^(tel|mailto|sms)$/.test(scheme)) return { type: 'outbound_click', kind: scheme, host: '' }
  if (!/^https?$/.test(scheme)) return
  const host = hostOf(href)
  for (const name in CHAT_HOSTS) {
    if (isSameSite(host, name)) return { type: 'chat_click', app: CHAT_HOSTS[name]!, host }
  }
  if (host && !isSameSite(host, site)) return { type: 'outbound_click', kind: 'link', host }
}
