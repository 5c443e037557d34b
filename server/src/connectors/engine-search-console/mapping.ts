/** Maps Search Console responses to records. */
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

/** `rows` is absent if there are none. */
export const QueryReply = z.looseObject({
  rows: z.array(parsedOrSetAside('search_query', QueryRow)).nullish(),
})

/** The platform counts days in this time zone for all sites. */
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

/** The keys are in the order of the requested dimensions: query, page. */
export function toSearchQuery(row: QueryRow, day: string): SyncRecord {
  const [query, page] = row.keys
  if (query === undefined) throw new ProviderError('malformed', 'A search query row has no query')
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
