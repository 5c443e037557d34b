import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type ViewRow = {
  id: string
  user_id: string
  page: string
  name: string
  values: Record<string, string | boolean>
  shared: boolean
  updated_at: Date
}

export async function listViews(db: Db | Tx, params: { profileId: string; page: string; userId: string }) {
  const { rows } = await sql<ViewRow>`
    select id, user_id, page, name, "values", shared, updated_at from saved_views
    where profile_id = ${params.profileId} and page = ${params.page}
      and (shared or user_id = ${params.userId})
    order by lower(name), id`.execute(db)
  return rows
}

export async function countViews(
  db: Db | Tx,
  params: { profileId: string; userId: string; otherThan: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::bigint as count from saved_views
    where profile_id = ${params.profileId}
      and user_id = ${params.userId} and name <> ${params.otherThan}`.execute(db)
  return rows[0]!.count
}

/** Number of shared views of the profile, without the one to be replaced. */
export async function countSharedViews(
  db: Db | Tx,
  params: { profileId: string; userId: string; otherThan: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from saved_views
    where profile_id = ${params.profileId} and shared
      and not (user_id = ${params.userId} and name = ${params.otherThan})`.execute(db)
  return rows[0]!.count
}

export async function upsertView(
  tx: Tx,
  view: Omit<ViewRow, 'updated_at'> & { profileId: string; now: Date },
): Promise<ViewRow> {
  const { rows } = await sql<ViewRow>`
    insert into saved_views (profile_id, id, user_id, page, name, "values", shared, updated_at)
    values (${view.profileId}, ${view.id}, ${view.user_id}, ${view.page}, ${view.name},
      ${JSON.stringify(view.values)}::jsonb, ${view.shared}, ${view.now})
    on conflict (profile_id, user_id, page, name) do update set
      "values" = excluded."values", shared = excluded.shared, updated_at = excluded.updated_at
    returning id, user_id, page, name, "values", shared, updated_at`.execute(tx)
  return rows[0]!
}

export async function removeView(
  db: Db | Tx,
  params: { profileId: string; id: string; userId: string; orShared: boolean },
): Promise<boolean> {
  const removedView = await db
    .deleteFrom('saved_views')
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .where((eb) =>
      params.orShared
        ? eb.or([eb('user_id', '=', params.userId), eb('shared', '=', true)])
        : eb('user_id', '=', params.userId),
    )
    .returning('id')
    .executeTakeFirst()
  return removedView !== undefined
}
