import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Window } from '../verdict-rules.ts'

/** Maximum number of rows read per check, newest first. */
const MAX_READ = 50_000

export type ReferrerRow = { host: string; touches: number; since: Date }

export async function listReferrers(db: Db | Tx, { profileId, start }: Window): Promise<ReferrerRow[]> {
  const { rows } = await sql<ReferrerRow>`
    select referrer_host as host, count(*)::bigint as touches, min(occurred_at) as since
    from (
      select referrer_host, occurred_at from touches
      where profile_id = ${profileId} and recorded_at >= ${start} and occurred_at >= ${start}
        and referrer_host is not null and channel = 'referral'
      order by recorded_at desc limit ${MAX_READ}) newest
    group by referrer_host order by 2 desc, 1 limit 1000`.execute(db)
  return rows
}

export type SiteRow = { host: string; events: number; since: Date }

/** Hosts of reported pages. */
export async function listSites(db: Db | Tx, { profileId, start, end }: Window): Promise<SiteRow[]> {
  const { rows } = await sql<SiteRow>`
    select lower(host) as host, count(*)::bigint as events, min(occurred_at) as since
    from (
      select substring(body->'page'->>'url' from '^[A-Za-z]+://(?:www\\.)?([^/?#:]+)') as host, occurred_at
      from events
      where profile_id = ${profileId} and occurred_at >= ${start} and occurred_at < ${end}
        and body ? 'page' and not is_bot
      order by occurred_at desc limit ${MAX_READ}) newest
    where host is not null
    group by 1 order by 2 desc, 1 limit 1000`.execute(db)
  return rows
}

/** Domains configured as the business's own. */
export async function listNamedDomains(db: Db | Tx, { profileId }: Window): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select unnest(allowed_domains) as domain from tracking_settings where profile_id = ${profileId}
    union
    select domain from tracking_domains where profile_id = ${profileId}`.execute(db)
  return rows.map((row) => row.domain)
}
