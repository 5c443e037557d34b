import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import { insertCodes } from '../../facts/chat-codes/queries.ts'
import { type Ad, type ChatTarget, describeTarget, effectiveUtm, type Target, type Utm } from './rules.ts'

export type LinkRow = Target & {
  id: string
  slug: string
  title: string | null
  enabled: boolean
  version: number
  createdAt: Date
  updatedAt: Date
}

type Stored = {
  id: string
  slug: string
  title: string | null
  target_url: string | null
  chat_app: string | null
  chat_account: string | null
  chat_text: string | null
  utm: unknown
  ad: unknown
  enabled: boolean
  version: number
  created_at: Date
  updated_at: Date
}

const toLink = (row: Stored): LinkRow => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  url: row.target_url,
  chat:
    row.chat_app === null
      ? null
      : { app: row.chat_app as ChatTarget['app'], account: row.chat_account!, text: row.chat_text },
  utm: row.utm as Utm,
  ad: row.ad as Ad | null,
  enabled: row.enabled,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toColumns = (link: Omit<LinkRow, 'createdAt'>) => {
  const utm = effectiveUtm(link.slug, link)
  return {
    title: link.title,
    target_url: link.url,
    chat_app: link.chat?.app ?? null,
    chat_account: link.chat?.account ?? null,
    chat_text: link.chat?.text ?? null,
    utm: JSON.stringify(link.utm),
    ad: link.ad === null ? null : JSON.stringify(link.ad),
    effective_source: utm.source ?? null,
    effective_medium: utm.medium ?? null,
    effective_campaign: utm.campaign ?? null,
    enabled: link.enabled,
    version: link.version,
    updated_at: link.updatedAt,
  }
}

const live = (profileId: string, more: { id?: string; slug?: string } = {}) =>
  ({ profile_id: profileId, deleted_at: null, ...more }) as const

export async function listLinks(
  db: Db | Tx,
  params: { profileId: string; after: string | null; limit: number },
): Promise<LinkRow[]> {
  const { profileId, after } = params
  const { rows } = await sql<Stored>`
    select * from short_links where profile_id = ${profileId} and deleted_at is null
      ${after === null ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${params.limit}`.execute(db)
  return rows.map(toLink)
}

export async function findLink(db: Db | Tx, params: { profileId: string; id: string }) {
  const row = await rowsWhere(db, 'short_links', live(params.profileId, { id: params.id })).find()
  return row && toLink(row)
}

export async function lockLink(tx: Tx, params: { profileId: string; id: string }) {
  const row = await rowsWhere(tx, 'short_links', live(params.profileId, { id: params.id })).lock()
  return row && toLink(row)
}

export async function findLinkBySlug(db: Db | Tx, params: { profileId: string; slug: string }) {
  const row = await rowsWhere(db, 'short_links', live(params.profileId, { slug: params.slug })).find()
  return row && toLink(row)
}

export const countLinks = (tx: Tx, params: { profileId: string }) =>
  rowsWhere(tx, 'short_links', live(params.profileId)).count()

/** Whether a link has the address, or had it after `since`. */
export async function isSlugTaken(tx: Tx, params: { profileId: string; slug: string; since: Date }) {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from short_links where profile_id = ${params.profileId} and slug = ${params.slug}
        and (deleted_at is null or deleted_at > ${params.since})) as taken`.execute(tx)
  return rows[0]!.taken
}

export async function insertLink(tx: Tx, params: { profileId: string; link: LinkRow }): Promise<void> {
  const { profileId, link } = params
  await insertRow(tx, 'short_links', {
    profile_id: profileId,
    id: link.id,
    slug: link.slug,
    created_at: link.createdAt,
    ...toColumns(link),
  })
  await insertVersion(tx, params)
}

export async function updateLink(tx: Tx, params: { profileId: string; link: LinkRow }): Promise<void> {
  const { profileId, link } = params
  await rowsWhere(tx, 'short_links', { profile_id: profileId, id: link.id }).update(toColumns(link))
  await insertVersion(tx, params)
}

async function insertVersion(tx: Tx, { profileId, link }: { profileId: string; link: LinkRow }) {
  await tx
    .insertInto('short_link_versions')
    .values({
      profile_id: profileId,
      link_id: link.id,
      version: link.version,
      target: describeTarget(link),
      valid_from: link.updatedAt,
    })
    .onConflict((conflict) => conflict.columns(['profile_id', 'link_id', 'version']).doNothing())
    .execute()
}

export const deleteLink = async (tx: Tx, params: { profileId: string; id: string; now: Date }) =>
  (await rowsWhere(tx, 'short_links', live(params.profileId, { id: params.id })).update({
    deleted_at: params.now,
    enabled: false,
  })) > 0

export type Clicks = { clicks: number; bots: number; last_clicked_at: Date | null }

export async function clicksOfLinks(
  db: Db | Tx,
  params: { profileId: string; ids: readonly string[] },
): Promise<Map<string, Clicks>> {
  const { rows } = await sql<Clicks & { link_id: string }>`
    select link_id, sum(clicks)::bigint as clicks, sum(bots)::bigint as bots, max(last_clicked_at) as last_clicked_at
    from short_link_days
    where profile_id = ${params.profileId} and link_id = any(${uuidList(params.ids)}::uuid[])
    group by link_id`.execute(db)
  return new Map(rows.map(({ link_id, ...clicks }) => [link_id, clicks]))
}

/** Profiles with the verified domain, oldest registration first. The redirect does not know whose domain it answers on. */
export async function listProfilesOfDomain(db: Db | Tx, domain: string): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select profile_id from tracking_domains where domain = ${domain} and status = 'verified'
    order by created_at, profile_id`.execute(db)
  return rows.map((row) => row.profile_id)
}

export type Tally = { linkId: string; day: string; clicks: number; bots: number; lastAt: Date | null }
export type ClickCode = { codeHash: Buffer; shortLinkId: string; now: Date }

export async function addClicks(
  db: Db,
  params: { profileId: string; tallies: readonly Tally[]; codes: readonly ClickCode[] },
): Promise<void> {
  const { profileId } = params
  await inTransaction(db, async (tx) => {
    for (const { linkId, day, clicks, bots, lastAt } of params.tallies)
      await sql`
        insert into short_link_days as old (profile_id, link_id, day, clicks, bots, last_clicked_at)
        values (${profileId}, ${linkId}, ${day}, ${clicks}, ${bots}, ${lastAt})
        on conflict (profile_id, link_id, day) do update set clicks = old.clicks + excluded.clicks,
          bots = old.bots + excluded.bots,
          last_clicked_at = greatest(old.last_clicked_at, excluded.last_clicked_at)`.execute(tx)
    await insertCodes(
      tx,
      params.codes.map((code) => ({ ...code, profileId, visitorIdentifierId: null, eventId: null })),
    )
  })
}
