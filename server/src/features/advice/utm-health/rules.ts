/** Finds problems with the URL parameters of ads, from the ads' URLs and from visits. Pure. */
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { findPaidPlatform } from '../../../platform/contract/paid-channels.ts'
import { trackingTemplates } from '../../sources/tracking/templates.ts'
import type { UtmProblem } from './contract.ts'
import type { AdTags, TaggedVisits } from './queries.ts'

/** Money in minor units of the profile's currency. */
export type TagProblem = {
  code: UtmProblem
  message: string
  platform: string | null
  ad: AdTags | null
  value: string | null
  visits: number | null
  spendMinor: number | null
}

/** With fewer clicks, all visitors may have denied consent or left before the page loaded. */
const MIN_CLICKS_LOST = 20
const MAX_FOUND = 500

type Seen = { visits: readonly TaggedVisits[]; listedAdIds: ReadonlySet<string> }

export function findProblems(ads: readonly AdTags[], seen: Seen): TagProblem[] {
  const visitsByAd = new Map<string, number>()
  const pages = new Set<string>()
  for (const { ad_id: adId, page, visits } of seen.visits) {
    if (adId !== null) visitsByAd.set(adId, (visitsByAd.get(adId) ?? 0) + visits)
    if (page !== null) pages.add(page)
  }
  const ofAds = ads.flatMap((ad) => [
    ...missing(ad),
    ...contradictory(ad),
    ...lost(ad, visitsByAd.get(ad.platform_id) ?? 0, pages),
  ])
  return [...ofAds, ...shared(ads), ...ofVisits(ads, seen)]
    .sort((a, b) => (b.spendMinor ?? 0) - (a.spendMinor ?? 0) || (b.visits ?? 0) - (a.visits ?? 0))
    .slice(0, MAX_FOUND)
}

export const templateOf = (platform: string | null) =>
  trackingTemplates.find((template) => template.platform === platform)

/** Values by lower-case parameter name. */
function parametersOf(ad: Pick<AdTags, 'destination_url' | 'url_tags'>): Map<string, string[]> {
  const address = (ad.destination_url ?? '').split('#', 1)[0]!
  const query = address.split('?').slice(1).join('?')
  const parameters = new Map<string, string[]>()
  for (const text of [query, ad.url_tags?.replace(/^[?&]/, '') ?? ''])
    for (const [name, value] of new URLSearchParams(text))
      if (value !== '') {
        const key = name.toLowerCase()
        parameters.set(key, [...(parameters.get(key) ?? []), value])
      }
  return parameters
}

const problem = (
  code: UtmProblem,
  ad: AdTags,
  message: string,
  details: { value?: string; visits?: number } = {},
): TagProblem => ({
  code,
  message,
  platform: platformOf(ad.source),
  ad,
  value: details.value ?? null,
  visits: details.visits ?? null,
  spendMinor: ad.spend_minor,
})

/** Platforms whose parameters are set per campaign or account and are not synced. */
const setElsewhere: ReadonlySet<string> = new Set(['linkedin'])

/** Only ads of platforms with known parameters; imported ads have none. */
const isReadable = (ad: AdTags) =>
  templateOf(platformOf(ad.source)) !== undefined &&
  !setElsewhere.has(platformOf(ad.source)) &&
  (ad.destination_url !== null || ad.url_tags !== null)

function missing(ad: AdTags): TagProblem[] {
  if (!isReadable(ad)) return []
  const parameters = parametersOf(ad)
  const absent = ['utm_source', 'utm_medium', 'ad_id'].filter((name) => !parameters.has(name))
  if (absent.length === 0) return []
  return [
    problem('missing_tags', ad, `The URL of the ad has no ${absent.join(', ')}.`, {
      value: absent.join(','),
    }),
  ]
}

function contradictory(ad: AdTags): TagProblem[] {
  if (!isReadable(ad)) return []
  const parameters = parametersOf(ad)
  const problems: TagProblem[] = []
  for (const [name, values] of parameters) {
    const isTag = name.startsWith('utm_') || ['ad_id', 'adset_id', 'campaign_id'].includes(name)
    if (isTag && new Set(values).size > 1)
      problems.push(
        problem('contradictory_tags', ad, `${name} has different values: ${values.join(' and ')}.`, {
          value: name,
        }),
      )
  }
  const source = parameters.get('utm_source')?.[0]
  const taggedPlatform = source && findPaidPlatform(source)
  const adPlatform = platformOf(ad.source)
  if (taggedPlatform && taggedPlatform !== adPlatform)
    problems.push(
      problem('contradictory_tags', ad, `utm_source=${source} is another platform than that of the ad.`, {
        value: 'utm_source',
      }),
    )
  return problems
}

/** The ad has parameters and clicks, but no visit names it, although its page is tracked. */
function lost(ad: AdTags, visits: number, pages: ReadonlySet<string>): TagProblem[] {
  if (!isReadable(ad) || visits > 0 || ad.clicks < MIN_CLICKS_LOST) return []
  if (!parametersOf(ad).has('ad_id')) return []
  const page = pageOf(ad.destination_url)
  if (page === null || !pages.has(page)) return []
  return [
    problem(
      'tags_lost',
      ad,
      `${ad.clicks} clicks, but no visit names the ad: the landing page or a redirect may drop the parameters.`,
      { value: page, visits: 0 },
    ),
  ]
}

function pageOf(url: string | null): string | null {
  return url === null ? null : url.split('#', 1)[0]!.split('?', 1)[0]!.toLowerCase()
}

/** A utm_campaign shared by several campaigns identifies none of them, unless ids are present too. */
function shared(ads: readonly AdTags[]): TagProblem[] {
  const groups = new Map<string, AdTags[]>()
  for (const ad of ads) {
    if (!isReadable(ad) || ad.campaign_id === null) continue
    const parameters = parametersOf(ad)
    const name = parameters.get('utm_campaign')?.[0]
    if (name === undefined || isMacro(name) || parameters.has('ad_id') || parameters.has('campaign_id'))
      continue
    const key = `${parameters.get('utm_source')?.[0] ?? ''} ${name}`
    groups.set(key, [...(groups.get(key) ?? []), ad])
  }
  return [...groups].flatMap(([key, sharingAds]) => {
    const campaigns = new Set(sharingAds.map((ad) => ad.campaign_id))
    if (campaigns.size < 2) return []
    const name = key.slice(key.indexOf(' ') + 1)
    return sharingAds.map((ad) =>
      problem('shared_utm', ad, `utm_campaign=${name} is used by ${campaigns.size} campaigns.`, {
        value: name,
      }),
    )
  })
}

const isMacro = (value: string) => /^(\{\{.+\}\}|\{.+\}|__.+__)$/.test(value)

function ofVisits(ads: readonly AdTags[], { visits, listedAdIds }: Seen): TagProblem[] {
  const macros = new Map<string, { visits: number; platform: string | null }>()
  const unknownAds = new Map<string, { visits: number; platform: string | null }>()
  const add = (map: typeof macros, key: string, row: TaggedVisits) => {
    const entry = map.get(key)
    map.set(key, { visits: (entry?.visits ?? 0) + row.visits, platform: entry?.platform ?? row.platform })
  }
  for (const row of visits) {
    if (row.macro !== null) add(macros, decoded(row.macro), row)
    else if (row.ad_id !== null && !listedAdIds.has(row.ad_id)) add(unknownAds, row.ad_id, row)
  }
  const hasAds = ads.length > 0
  return [
    ...[...macros].map(([value, entry]) => ({
      code: 'unexpanded_macro' as const,
      message: `Visits arrive with the unexpanded macro ${value}: the platform does not support it, or does not expand it where the parameter is set.`,
      ...unnamed(value, entry),
    })),
    // Without a connected account every ad is unknown.
    ...(hasAds ? [...unknownAds] : []).map(([value, entry]) => ({
      code: 'unknown_ad_id' as const,
      message: `Visits name the ad ${value}, which does not exist in any connected account.`,
      ...unnamed(value, entry),
    })),
  ]
}

const unnamed = (value: string, entry: { visits: number; platform: string | null }) => ({
  platform: entry.platform,
  ad: null,
  value,
  visits: entry.visits,
  spendMinor: null,
})

const decoded = (macro: string) => macro.replaceAll('%7B', '{').replaceAll('%7D', '}')
