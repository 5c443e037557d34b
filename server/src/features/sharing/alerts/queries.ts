import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'
import type { Figure } from './rules.ts'

export type RuleRow = Omit<Selectable<DB['alert_rules']>, 'figure'> & { figure: StoredFigure | null }
/** `announced`: checks reported since the rule last recovered. */
export type StoredFigure = Figure & { announced?: string[] }
export type RuleSnapshot = Pick<
  RuleRow,
  | 'name'
  | 'kind'
  | 'metric'
  | 'campaign_id'
  | 'direction'
  | 'comparison'
  | 'threshold'
  | 'window_days'
  | 'min_conversions'
  | 'check_id'
>
export type EventRow = Omit<Selectable<DB['alert_events']>, 'figure' | 'rule'> & {
  figure: Figure
  rule: RuleSnapshot
}

export async function listRules(db: Db | Tx, params: { profileId: string }): Promise<RuleRow[]> {
  const rows = await db
    .selectFrom('alert_rules')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .orderBy(sql`state = 'firing'`, 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows as RuleRow[]
}

/** Locks in a fixed order, so that concurrent evaluations cannot deadlock. */
export async function lockEnabledRules(tx: Tx, params: { profileId: string }): Promise<RuleRow[]> {
  const rows = await tx
    .selectFrom('alert_rules')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .where('enabled', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows as RuleRow[]
}

export async function insertRule(tx: Tx, row: Insertable<DB['alert_rules']>): Promise<RuleRow> {
  const inserted = await tx.insertInto('alert_rules').values(row).returningAll().executeTakeFirstOrThrow()
  return inserted as RuleRow
}

export async function updateRule(
  tx: Tx,
  params: { profileId: string; id: string; fields: Updateable<DB['alert_rules']> },
): Promise<RuleRow | undefined> {
  const row = await tx
    .updateTable('alert_rules')
    .set(params.fields)
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returningAll()
    .executeTakeFirst()
  return row as RuleRow | undefined
}

export async function deleteRule(tx: Tx, params: { profileId: string; id: string }): Promise<boolean> {
  return (await rowsWhere(tx, 'alert_rules', { profile_id: params.profileId, id: params.id }).delete()) > 0
}

/** Returns the ids of the inserted rows; a rule fires and recovers at most once per day. */
export async function insertEvents(
  tx: Tx,
  rows: readonly Insertable<DB['alert_events']>[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const inserted = await tx
    .insertInto('alert_events')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['profile_id', 'rule_id', 'day', 'kind']).doNothing())
    .returning('id')
    .execute()
  return new Set(inserted.map(({ id }) => id))
}

export async function listEvents(
  db: Db | Tx,
  params: { profileId: string; limit: number },
): Promise<EventRow[]> {
  const rows = await db
    .selectFrom('alert_events')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .orderBy('day', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(params.limit)
    .execute()
  return rows as EventRow[]
}

export async function listBatch(
  db: Db | Tx,
  params: { profileId: string; batchId: string },
): Promise<EventRow[]> {
  const rows = await rowsWhere(db, 'alert_events', {
    profile_id: params.profileId,
    batch_id: params.batchId,
    is_muted: false,
  }).list({ orderBy: ['kind', 'day', 'id'] })
  return rows as EventRow[]
}

export async function deleteEventsBefore(tx: Tx, params: { profileId: string; before: Date }): Promise<void> {
  await tx
    .deleteFrom('alert_events')
    .where('profile_id', '=', params.profileId)
    .where('created_at', '<', params.before)
    .execute()
}

export async function listProfilesWithRules(db: Db): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select distinct r.profile_id from alert_rules r join profiles p on p.id = r.profile_id
    where r.enabled and p.archived_at is null order by r.profile_id`.execute(db)
  return rows.map((row) => row.profile_id)
}

export async function findCampaignNames(
  db: Db | Tx,
  params: { profileId: string; ids: readonly string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, coalesce(name, external_id) as name from ad_entities
    where profile_id = ${params.profileId}
      and level = 'campaign' and id = any(${params.ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
