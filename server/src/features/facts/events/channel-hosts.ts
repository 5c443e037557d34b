/**
 * Channels of referrer hosts. Checked on 2026-11-16 against matomo-org/searchengine-and-social-list (Socials.yml,
 * AIAssistants.yml), which has no list of mail, shopping, payment and login pages: those are the operators' own hosts.
 */
export const CHANNEL_LIST_VERSION = '2026-11-16'

export type HostList = 'search' | 'social' | 'mail' | 'shopping' | 'ai_assistant'

/** The first match wins: the mail page of a search engine is mail. */
const lists: readonly { list: HostList; channel: string; hosts: RegExp }[] = [
  {
    list: 'mail',
    channel: 'email',
    hosts:
      /(^|\.)(mail\.google\.com|mail\.yahoo\.com|outlook\.(live|office|office365)\.com|mail\.proton\.me|mail\.aol\.com|mail\.zoho\.(com|eu)|navigator\.gmx\.net|mail\.yandex\.[a-z.]+|com\.google\.android\.gm)$/,
  },
  {
    list: 'ai_assistant',
    channel: 'referral',
    hosts:
      /(^|\.)(chatgpt\.com|chat\.openai\.com|claude\.ai|copilot\.microsoft\.com|gemini\.google\.com|bard\.google\.com|notebooklm\.google\.com|perplexity\.ai|grok\.com|meta\.ai|chat\.mistral\.ai|chat\.deepseek\.com|chat\.qwen\.ai|chatglm\.cn|yiyan\.baidu\.com|iask\.ai|you\.com)$/,
  },
  {
    list: 'shopping',
    channel: 'referral',
    hosts:
      /(^|\.)(amazon\.[a-z.]+|ebay\.[a-z.]+|etsy\.com|aliexpress\.com|idealo\.[a-z.]+|shopping\.google\.com)$/,
  },
  {
    list: 'search',
    channel: 'organic_search',
    hosts:
      /(^|\.)((google|bing|duckduckgo|yahoo|yandex|baidu|ecosia|brave)\.[a-z.]+|(qwant|startpage|naver|sogou|seznam)\.(com|cz))$/,
  },
  {
    list: 'social',
    channel: 'organic_social',
    hosts:
      /(^|\.)(facebook\.com|fb\.me|instagram\.com|t\.co|twitter\.com|x\.com|linkedin\.com|lnkd\.in|reddit\.com|tiktok\.com|pinterest\.[a-z.]+|youtube\.com|youtu\.be|snapchat\.com|threads\.(net|com)|vk\.com|weibo\.com|xing\.com|tumblr\.com|vimeo\.com|news\.ycombinator\.com|bsky\.app)$/,
  },
]

/** Payment and login pages that redirect buyers back: the visit continues, and the page is no touch. */
const passThrough =
  /(^|\.)(paypal\.com|checkout\.stripe\.com|buy\.stripe\.com|hooks\.stripe\.com|pay\.google\.com|shop\.app|pay\.shopify\.com|checkout\.shopify\.com|klarna\.com|afterpay\.com|clearpay\.co\.uk|affirm\.com|sezzle\.com|adyen\.com|mollie\.com|checkout\.com|pay\.amazon\.[a-z.]+|mercadopago\.[a-z.]+|sofort\.com|accounts\.google\.com|login\.microsoftonline\.com|login\.live\.com|appleid\.apple\.com|idmsa\.apple\.com|auth0\.com)$/

export function isPassThrough(host: string): boolean {
  return passThrough.test(host)
}

export function findHostList(host: string): { list: HostList; channel: string } | undefined {
  return lists.find(({ hosts }) => hosts.test(host))
}
