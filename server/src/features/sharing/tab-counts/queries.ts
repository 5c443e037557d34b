import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { Tab } from './contract.ts'

export async function listViewTimes(
  db: Db | Tx,
  params: { workspaceId: string; userId: string },
): Promise<Map<string, Date>> {
  const rows = await rowsWhere(db, 'tab_looks', {
    workspace_id: params.workspaceId,
    user_id: params.userId,
  }).list({ columns: ['tab', 'looked_at'] })
  return new Map(rows.map((row) => [row.tab, row.looked_at]))
}

export async function saveViewTime(
  db: Db | Tx,
  params: { workspaceId: string; userId: string; tab: Tab; now: Date },
): Promise<void> {
  const { workspaceId, userId, tab, now } = params
  await sql`
    insert into tab_looks as l (workspace_id, user_id, tab, looked_at)
    values (${workspaceId}, ${userId}, ${tab}, ${now})
    on conflict (workspace_id, user_id, tab)
      do update set looked_at = greatest(l.looked_at, excluded.looked_at)`.execute(db)
}

/** Counts new items of one profile. An ad is new if the last scoring before the tab was viewed did not include it. */
export async function countNew(
  db: Db | Tx,
  params: { profileId: string; since: Record<Tab, Date>; now: Date },
): Promise<Record<Tab, number>> {
  const { profileId, since, now } = params
  const { rows } = await sql<Record<Tab, number>>`
    with newest as (
      select day, finished_at from ad_score_runs
      where profile_id = ${profileId} and state = 'done' order by day desc limit 1),
    seen as (
      select day from ad_score_runs
      where profile_id = ${profileId} and state = 'done' and finished_at <= ${since.top_performers}
      order by day desc limit 1)
    select
      (select count(distinct s.ad_id)::int from ad_scores s
       where s.profile_id = ${profileId} and s.day = (select day from newest)
         and not exists (
           select from ad_scores b
           where b.profile_id = ${profileId} and b.day = (select day from seen) and b.ad_id = s.ad_id))
        as top_performers,
      (select count(*)::int from recommendations r
       where r.profile_id = ${profileId} and r.status = 'open' and r.created_at > ${since.recommendations})
        as recommendations,
      (select count(*)::int from experiments x
       where x.profile_id = ${profileId}
         and ((x.starts_at > ${since.experiments} and x.starts_at <= ${now})
           or (x.ends_at > ${since.experiments} and x.ends_at <= ${now}))) as experiments,
      (select count(*)::int from client_reports c
       where c.profile_id = ${profileId} and c.status <> 'queued'
         and coalesce(c.ready_at, c.created_at) > ${since.reports}) as reports,
      (select count(*)::int from newest where finished_at > ${since.patterns}) as patterns,
      (select count(*)::int from merge_proposals p
       where p.profile_id = ${profileId} and p.status = 'open' and p.created_at > ${since.proposals})
        as proposals,
      (select count(*)::int from connections c
       where c.profile_id = ${profileId}
         and (c.created_at > ${since.connections}
           or (c.status <> 'connected' and c.updated_at > ${since.connections}))) as connections`.execute(db)
  return rows[0]!
}
