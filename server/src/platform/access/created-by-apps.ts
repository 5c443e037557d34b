/** Objects that apps created on a profile: each stores the authorization that created it, and stops when that ends. */
import { type SqlBool, sql } from 'kysely'
import { authorizationOf, type ProfileContext } from '../../context.ts'
import type { CreatedKind } from '../contract/created-kinds.ts'
import { ApiError } from '../contract/errors.ts'
import { uuidList } from '../db/bulk/columns.ts'
import type { Db, Tx } from '../db/database.ts'
import { canDecide } from './decisions.ts'

export const AUTHORIZATION_ENDED = 'authorization_ended'

/** Runs in the transaction that revokes the authorizations. Tracking keys are revoked with the other credentials. */
export async function stopCreatedByApps(tx: Tx, params: { authorizationIds: readonly string[]; now: Date }) {
  const { now } = params
  const { rows } = await sql<{ profile_id: string }>`
    select distinct profile_id from app_authorizations
    where id = any(${uuidList(params.authorizationIds)}::uuid[])`.execute(tx)
  for (const { profile_id: profileId } of rows) {
    const isOwn = sql<SqlBool>`profile_id = ${profileId} and authorization_id = any(${uuidList(params.authorizationIds)}::uuid[])`
    await sql`update export_destinations
      set enabled = false, status_reason = ${AUTHORIZATION_ENDED}, updated_at = ${now}
      where ${isOwn}`.execute(tx)
    await sql`update tracking_domains set status = 'failed',
        detail = 'The authorization of the app that registered this domain was withdrawn. Verify it again to keep using it.'
      where ${isOwn}`.execute(tx)
    await sql`update webhook_subscriptions
      set status = 'paused', status_reason = ${AUTHORIZATION_ENDED}, updated_at = ${now}
      where ${isOwn} and deleted_at is null`.execute(tx)
    await sql`update alert_rules set enabled = false, updated_at = ${now} where ${isOwn}`.execute(tx)
    await sql`update audience_lists set ended_at = ${now} where ${isOwn}`.execute(tx)
  }
}

export type CreatedByApp = {
  authorization_id: string
  kind: CreatedKind
  id: string
  name: string
}

/** Objects created by authorizations of these profiles that are still in use. */
export async function listCreatedByApps(
  db: Db | Tx,
  params: { profileIds: readonly string[] },
): Promise<CreatedByApp[]> {
  const isOwn = sql<SqlBool>`profile_id = any(${uuidList(params.profileIds)}::uuid[]) and authorization_id is not null`
  const objects: CreatedByApp[] = []
  const add = async (kind: CreatedByApp['kind'], query: ReturnType<typeof sql>) => {
    const { rows } = await (query as ReturnType<typeof sql<Omit<CreatedByApp, 'kind'>>>).execute(db)
    objects.push(...rows.map((row) => ({ ...row, kind })))
  }
  await add(
    'export_destination',
    sql`select authorization_id, id, display_name as name from export_destinations where ${isOwn} order by id`,
  )
  await add(
    'tracking_domain',
    sql`select authorization_id, id, domain as name from tracking_domains where ${isOwn} order by id`,
  )
  await add(
    'tracking_key',
    sql`select authorization_id, id, hint as name from credentials
      where ${isOwn} and kind = 'tracking_key' and revoked_at is null order by id`,
  )
  await add(
    'webhook',
    sql`select authorization_id, id, url as name from webhook_subscriptions
      where ${isOwn} and deleted_at is null order by id`,
  )
  await add(
    'customer_list',
    sql`select authorization_id, id, coalesce(name, external_id) as name from audience_lists
      where ${isOwn} order by id`,
  )
  await add(
    'connection',
    sql`select authorization_id, id, display_name as name from connections
      where ${isOwn} and status <> 'revoked' order by id`,
  )
  await add('alert', sql`select authorization_id, id, name from alert_rules where ${isOwn} order by id`)
  return objects
}

export const notCreatedByApp = () =>
  new ApiError(
    'forbidden',
    'An app may change this only if the app created it; ask a person of the business.',
    {
      reason: 'not_created_by_app',
    },
  )

/** Whether two authorizations belong to one app; a person may have consented more than once. */
export async function isSameApp(db: Db | Tx, first: string | null, second: string): Promise<boolean> {
  if (first === null) return false
  const { rows } = await sql<{ apps: number }>`
    select count(distinct app_id)::int as apps from app_authorizations
    where id = any(${uuidList([first, second])}::uuid[])`.execute(db)
  return rows[0]!.apps === 1
}

/**
 * An app changes secrets, and switches on again, only what it created. Otherwise its change would survive its
 * withdrawal. People, direct keys and the app that decides for the business may change everything.
 */
export async function requireOwnObject(
  db: Db | Tx,
  context: ProfileContext,
  authorizationId: string | null,
): Promise<void> {
  const own = authorizationOf(context.caller)
  if (own === null || (await isSameApp(db, authorizationId, own)) || (await canDecide(context))) return
  throw notCreatedByApp()
}

/** Apps by authorization id, active or ended. */
export async function findCreatingApps(
  db: Db | Tx,
  params: { profileId: string },
): Promise<ReadonlyMap<string, { id: string; name: string; isEnded: boolean }>> {
  const { rows } = await sql<{ authorization_id: string; id: string; name: string; is_ended: boolean }>`
    select au.id as authorization_id, a.id, a.name, au.revoked_at is not null as is_ended
    from app_authorizations au join apps a on a.id = au.app_id
    where au.profile_id = ${params.profileId}`.execute(db)
  return new Map(rows.map(({ authorization_id: id, is_ended: isEnded, ...app }) => [id, { ...app, isEnded }]))
}
