/** Search Console answers to records. */
import { z } from 'zod'
import { type Account, ProviderError, type SyncRecord } from '../connector.ts'
import { fieldsAside } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { parsedOrSetAside } from '../set-aside.ts'

export const SiteList = z.looseObject({
  siteEntry: z.array(z.looseObject({ siteUrl: z.string().min(1), permissionLevel: text })).nullish(),
})
export type SiteList = z.infer<typeof SiteList>

export const QueryRow = z.looseObject({
  keys: z.array(z.string()),
  clicks: z.number(),
  impressions: z.number(),
  position: z.number().nullish(),
})
export type QueryRow = z.infer<typeof QueryRow>

/** A list without entries comes without the list. */
export const QueryReply = z.looseObject({
  rows: z.array(parsedOrSetAside('search_query', QueryRow)).nullish(),
})

/** The platform's days are those of its own home, whatever the site's. */
const reportTimezone = 'America/Los_Angeles'

export function toAccounts(list: SiteList): Account[] {
  return (list.siteEntry ?? [])
    .filter(({ permissionLevel }) => permissionLevel !== 'siteUnverifiedUser')
    .map(({ siteUrl }) => ({
      id: siteUrl,
      name: siteUrl.replace(/^sc-domain:/, ''),
      kind: 'property',
      currency: null,
      timezone: reportTimezone,
    }))
}

/** The keys stand in the order of the dimensions that were asked for: query, page. */
export function toSearchQuery(row: QueryRow, day: string): SyncRecord {
  const [query, page] = row.keys
  if (query === undefined) throw new ProviderError('malformed', 'A row of search queries names no query')
  return {
    type: 'search_query',
    day,
    query,
    page: page ?? null,
    clicks: Math.round(row.clicks),
    impressions: Math.round(row.impressions),
    positionMilli: typeof row.position === 'number' ? Math.round(row.position * 1000) : null,
    aside: fieldsAside(QueryRow, row),
  }
}
