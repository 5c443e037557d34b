import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { DB } from '../../../platform/db/schema.ts'

export type LiveLinkRow = Selectable<DB['live_links']>

export async function insertLiveLink(
  tx: Tx,
  row: Omit<LiveLinkRow, 'revoked_at' | 'views' | 'last_viewed_at'>,
): Promise<LiveLinkRow> {
  return tx.insertInto('live_links').values(row).returningAll().executeTakeFirstOrThrow()
}

export function listOpenLinks(
  db: Db | Tx,
  { profileIds, now }: { profileIds: readonly string[]; now: Date },
): Promise<LiveLinkRow[]> {
  return db
    .selectFrom('live_links')
    .selectAll()
    .where(sql<boolean>`profile_id = any(${[...profileIds]}::uuid[])`)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function countOpenLinks(
  tx: Tx,
  { profileId, now }: { profileId: string; now: Date },
): Promise<number> {
  const row = await tx
    .selectFrom('live_links')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('profile_id', '=', profileId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Includes expired and revoked links. */
export function findLink(
  db: Db | Tx,
  { profileIds, id }: { profileIds: readonly string[]; id: string },
): Promise<LiveLinkRow | undefined> {
  return db
    .selectFrom('live_links')
    .selectAll()
    .where(sql<boolean>`profile_id = any(${[...profileIds]}::uuid[])`)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function markRevoked(
  tx: Tx,
  { profileId, id, now }: { profileId: string; id: string; now: Date },
): Promise<void> {
  await sql`
    update live_links set revoked_at = coalesce(revoked_at, ${now})
    where profile_id = ${profileId} and id = ${id}`.execute(tx)
}

export async function countView(
  db: Db,
  { profileId, id, now }: { profileId: string; id: string; now: Date },
): Promise<void> {
  await sql`
    update live_links set views = views + 1, last_viewed_at = ${now}
    where profile_id = ${profileId} and id = ${id}`.execute(db)
}
