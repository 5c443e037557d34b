import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { sumsOf } from '../../figures/rollups/sums.ts'

const MAX_ADS = 20_000
const MAX_GROUPS = 20_000

export type AdTags = {
  id: string
  platform_id: string
  name: string | null
  source: string
  campaign_id: string | null
  campaign_platform_id: string | null
  campaign_name: string | null
  destination_url: string | null
  url_tags: string | null
  spend_minor: number
  clicks: number
}

type Since = { profileId: string; since: Date }

/** Ads with delivery since then, by spend. */
export async function listRunningAds(tx: Tx, { profileId, since }: Since): Promise<AdTags[]> {
  const ran = sumsOf({
    profileId,
    from: since,
    level: 'ad',
    measures: ['spend_minor', 'clicks'],
    by: ['entity_id'],
  })
  const { rows } = await sql<AdTags>`
    with ran as (${ran})
    select e.id, e.external_id as platform_id, e.name, e.source, c.id as campaign_id, c.external_id as campaign_platform_id,
      c.name as campaign_name, k.destination_url, k.url_tags, ran.spend_minor, ran.clicks
    from ran
    join ad_entities e on e.profile_id = ${profileId} and e.id = ran.entity_id
    left join ad_entities c on c.profile_id = ${profileId} and c.id = e.campaign_id
    left join ad_creatives k on k.profile_id = ${profileId} and k.ad_id = e.id
    where e.source is not null
    order by ran.spend_minor desc, e.id limit ${MAX_ADS}`.execute(tx)
  return rows
}

export type TaggedVisits = {
  platform: string | null
  ad_id: string | null
  utm_source: string | null
  utm_campaign: string | null
  campaign_id: string | null
  page: string | null
  macro: string | null
  visits: number
}

/**
 * Macros of the platforms, also percent-encoded: {{ad.id}}, {creative}, __CID__; and TikTok's with a single underscore,
 * which TikTok does not expand.
 */
const MACRO =
  '(\\{\\{[A-Za-z_.]+\\}\\}|\\{[a-z]+\\}|%7B%7B[A-Za-z_.]+%7D%7D|%7B[a-z]+%7D|__[A-Z][A-Z_]+__|_(?:CAMPAIGN_ID|AID|CID|PLACEMENT)_)'

/** Visits since then, grouped by the parameters of their URL. */
export async function groupVisits(tx: Tx, { profileId, since }: Since): Promise<TaggedVisits[]> {
  const { rows } = await sql<TaggedVisits>`
    select body->'touch'->>'platform' as platform, body->'touch'->>'ad_id' as ad_id,
      body->'touch'->>'utm_source' as utm_source, body->'touch'->>'utm_campaign' as utm_campaign,
      body->'touch'->>'campaign_id' as campaign_id,
      lower(split_part(split_part(body->'page'->>'url', '?', 1), '#', 1)) as page,
      substring(split_part(body->'page'->>'url', '?', 2) from ${MACRO}) as macro, count(*)::int as visits
    from events
    where profile_id = ${profileId} and occurred_at >= ${since} and not is_bot and body ? 'touch'
    group by 1, 2, 3, 4, 5, 6, 7 order by visits desc limit ${MAX_GROUPS}`.execute(tx)
  return rows
}

/** The given ids that a platform has listed. */
export async function findListedAdIds(
  tx: Tx,
  params: { profileId: string; adIds: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from ad_entities
    where profile_id = ${params.profileId} and level = 'ad' and source is not null
      and external_id = any(${[...params.adIds]}::text[])`.execute(tx)
  return new Set(rows.map((row) => row.external_id))
}

/** Sets the statement timeout of this transaction. */
export async function limitStatements(tx: Tx, milliseconds: number): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(Math.max(1, Math.ceil(milliseconds)))}`.execute(tx)
}

export type StoredScan<Result> = { scanned_at: Date; result: Result }

export async function findScan<Result>(db: Db | Tx, params: { profileId: string }) {
  const { rows } = await sql<StoredScan<Result>>`
    select scanned_at, result from utm_scans where profile_id = ${params.profileId}`.execute(db)
  return rows[0]
}

export async function saveScan(tx: Tx, params: { profileId: string; now: Date; result: unknown }) {
  await sql`
    insert into utm_scans (profile_id, scanned_at, result)
    values (${params.profileId}, ${params.now}, ${JSON.stringify(params.result)}::jsonb)
    on conflict (profile_id) do update
    set scanned_at = excluded.scanned_at, result = excluded.result`.execute(tx)
}
