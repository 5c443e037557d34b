// Reads from a page's URL and referrer where the visitor came from.
import { clean } from './text.ts'
import { type Ad, type Arrival, CLICK_IDS, type ClickIds, type Utm } from './wire.ts'

const UTM = ['source', 'medium', 'campaign', 'term', 'content']
export type Landing = { utm: Utm; click_ids: ClickIds; ad: Ad }

export function readLanding(url: string): Landing {
  const params: Record<string, string> = {}
  try {
    new URL(url).searchParams.forEach((value, name) => {
      params[name.toLowerCase()] = params[name.toLowerCase()] || value
    })
  } catch {
    // A page without a parsable URL (about:, data:) has no tags.
  }
  const pick = (names: readonly string[], prefix: string, max: number) => {
    const picked: Record<string, string> = {}
    for (const name of names) {
      const value = clean(params[(prefix + name).toLowerCase()], max)
      if (value) picked[name] = value
    }
    return picked
  }
  params.ad_set_id = params.adset_id || params.ad_set_id || ''
  return {
    utm: pick(UTM, 'utm_', 512),
    click_ids: pick(CLICK_IDS, '', 512),
    ad: pick(['ad_id', 'ad_set_id', 'campaign_id'], '', 128),
  }
}

export const LINK_FIELD = 'whence_link'
export const VISIT_FIELD = 'whence_visit'

/** Extracts the token from a URL parameter, and returns the URL without it. */
export function takeToken(url: string, field: string): { token: string; url: string } {
  const [match, separator, token, next] = new RegExp(`([?&])${field}=([^&#]*)(&?)`).exec(url) || [
    '',
    '',
    '',
    '',
  ]
  return { token: clean(token, 200), url: url.replace(match!, next ? separator! : '') }
}

export function isSameSite(host: string, site: string): boolean {
  const bareSite = site.replace(/^www\./, '')
  return !!host && (host === bareSite || host.endsWith(`.${bareSite}`))
}

/** Whether the URL is on one of the comma-separated domains. */
export function isOnDomain(url: string, domains: string): boolean {
  return domains.split(',').some((domain) => isSameSite(hostOf(url), domain))
}

export function hostOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}

export const emptyLanding = (): Landing => ({ utm: {}, click_ids: {}, ad: {} })
const marks = (landing: Landing) => JSON.stringify([landing.utm, landing.click_ids, landing.ad])
const UNMARKED = marks(emptyLanding())

/**
 * Tags and referrers stay visible after the visit they belong to: on reload, on back navigation, on routes and
 * internal links that keep the query. Those count once; a new load from another site counts every time.
 */
export function readArrival(
  page: { url: string; referrer: string; fresh: boolean; site: string },
  seen: readonly string[],
): Arrival {
  const host = hostOf(page.referrer)
  const internal = isSameSite(host, page.site)
  let landing = readLanding(page.url)
  if ((!page.fresh || internal) && seen.includes(marks(landing))) landing = emptyLanding()
  let referrer = host === '' || internal ? '' : clean(page.referrer, 2048)
  if (!page.fresh && seen.includes(referrer)) referrer = ''
  return { referrer, ...landing }
}

export function marksOf(arrival: Arrival): string[] {
  return [marks(arrival), arrival.referrer].filter((mark) => mark !== '' && mark !== UNMARKED)
}
