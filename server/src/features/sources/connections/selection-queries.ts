import { sql } from 'kysely'
import type { Account, Provider } from '../../../connectors/connector.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

export async function insertSelection(
  tx: Tx,
  params: {
    profileId: string
    id: string
    provider: Provider
    token: Buffer
    candidates: readonly Account[]
    expiresAt: Date
    now: Date
  },
): Promise<void> {
  await insertRow(tx, 'pending_selections', {
    profile_id: params.profileId,
    id: params.id,
    provider: params.provider,
    token: params.token,
    candidates: JSON.stringify(params.candidates),
    expires_at: params.expiresAt,
    created_at: params.now,
  })
}

/** The newest consent of the profile; it replaces older ones that were not finished. */
export async function findSelection(
  db: Db | Tx,
  params: { profileId: string; provider: Provider },
  lock: boolean,
) {
  const query = db
    .selectFrom('pending_selections')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .where('provider', '=', params.provider)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
  return (lock ? query.forUpdate() : query).executeTakeFirst()
}

/** The newest consent per provider, if its account can still be chosen. */
export async function listSelections(db: Db | Tx, params: { profileId: string; now: Date }) {
  const { rows } = await sql<{ provider: Provider; accounts: number; expires_at: Date }>`
    select provider, jsonb_array_length(candidates::jsonb) as accounts, expires_at from (
      select distinct on (provider) provider, candidates, expires_at, token from pending_selections
      where profile_id = ${params.profileId}
      order by provider, created_at desc, id desc) as newest
    where token is not null and expires_at > ${params.now}
    order by provider`.execute(db)
  return rows
}

/** Deletes the token, which is now stored with the connection. */
export async function markChosen(
  tx: Tx,
  params: { profileId: string; id: string; candidateId: string; connectionId: string; now: Date },
): Promise<void> {
  await rowsWhere(tx, 'pending_selections', { profile_id: params.profileId, id: params.id }).update({
    token: null,
    candidate_id: params.candidateId,
    connection_id: params.connectionId,
    finalized_at: params.now,
  })
}

export async function listExpiredSelections(db: Db, params: { now: Date; limit: number }) {
  return db
    .selectFrom('pending_selections')
    .select(['profile_id', 'id', 'provider', 'token', 'candidates'])
    .where('token', 'is not', null)
    .where('expires_at', '<=', params.now)
    .limit(params.limit)
    .execute()
}

/** False if another worker claimed it first. */
export async function claimExpiredToken(db: Db, params: { profileId: string; id: string }): Promise<boolean> {
  const row = await db
    .updateTable('pending_selections')
    .set({ token: null })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .where('token', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
