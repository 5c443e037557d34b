import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export type DomainRow = {
  id: string
  domain: string
  status: 'pending' | 'verified' | 'failed'
  detail: string | null
  created_at: Date
  checked_at: Date | null
  authorization_id: string | null
}

export type Verdict = { status: 'verified' | 'failed'; detail: string | null }

const columns = ['id', 'domain', 'status', 'detail', 'created_at', 'checked_at', 'authorization_id'] as const

export async function listTrackingDomains(db: Db | Tx, params: { profileId: string }): Promise<DomainRow[]> {
  const rows = await rowsWhere(db, 'tracking_domains', { profile_id: params.profileId }).list({
    columns,
    orderBy: ['created_at'],
  })
  return rows as DomainRow[]
}

export async function countDomains(tx: Tx, params: { profileId: string }): Promise<number> {
  return rowsWhere(tx, 'tracking_domains', { profile_id: params.profileId }).count()
}

/** Undefined if the profile already has the domain. */
export async function insertDomain(
  db: Db | Tx,
  params: { profileId: string; id: string; domain: string; authorizationId: string | null; now: Date },
): Promise<DomainRow | undefined> {
  const row = await db
    .insertInto('tracking_domains')
    .values({
      profile_id: params.profileId,
      id: params.id,
      domain: params.domain,
      status: 'pending',
      authorization_id: params.authorizationId,
      created_at: params.now,
    })
    .onConflict((conflict) => conflict.columns(['profile_id', 'domain']).doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row as DomainRow | undefined
}

/** The domain; undefined if the profile has no such row. */
export async function deleteDomain(
  tx: Tx,
  params: { profileId: string; id: string },
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('tracking_domains')
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returning('domain')
    .executeTakeFirst()
  return row?.domain
}

export async function saveVerdict(
  db: Db | Tx,
  params: Verdict & { profileId: string; id: string; authorizationId: string | null; now: Date },
): Promise<DomainRow | undefined> {
  const row = await db
    .updateTable('tracking_domains')
    .set({
      status: params.status,
      detail: params.detail,
      checked_at: params.now,
      authorization_id: params.authorizationId,
    })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returning(columns)
    .executeTakeFirst()
  return row as DomainRow | undefined
}

/** Verified domains of all profiles of the shard whose last check is older than `before`. */
export async function listDueDomains(
  db: Db | Tx,
  params: { before: Date; limit: number },
): Promise<{ profile_id: string; id: string }[]> {
  return db
    .selectFrom('tracking_domains')
    .select(['profile_id', 'id'])
    .where('status', '=', 'verified')
    .where('checked_at', '<', params.before)
    .orderBy('checked_at')
    .limit(params.limit)
    .execute()
}

/** Writes the result of a daily check, if the domain is still verified. */
export async function saveDailyVerdict(
  db: Db | Tx,
  params: Verdict & { profileId: string; id: string; now: Date },
): Promise<void> {
  await rowsWhere(db, 'tracking_domains', {
    profile_id: params.profileId,
    id: params.id,
    status: 'verified',
  }).update({ status: params.status, detail: params.detail, checked_at: params.now })
}
