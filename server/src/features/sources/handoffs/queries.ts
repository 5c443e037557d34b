import { type Insertable, type Selectable, sql } from 'kysely'
import { MAILBOX } from '../../../connectors/mailbox.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'
import { CLAIM_LIFE_MS, type ReturnRegistration } from './rules.ts'

export type HandoffRow = Selectable<DB['handoffs']>
export type GoverningApp = ReturnRegistration & { id: string; name: string; logoUrl: string | null }

export async function findHandoff(db: Db | Tx, params: { id: string }): Promise<HandoffRow | undefined> {
  return rowsWhere(db, 'handoffs', { id: params.id }).find()
}

export async function insertHandoff(db: Db | Tx, row: Insertable<DB['handoffs']>): Promise<HandoffRow> {
  return db.insertInto('handoffs').values(row).returningAll().executeTakeFirstOrThrow()
}

/** An unused pending link of the same kind, without a return address. */
export async function findReusableConnect(
  db: Db | Tx,
  params: {
    profileId: string
    provider: string
    shop: string | null
    mintedAppId: string | null
    validUntil: Date
  },
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('handoffs')
    .select('id')
    .where('profile_id', '=', params.profileId)
    .where('kind', '=', 'connect')
    .where('status', '=', 'pending')
    .where('provider', '=', params.provider)
    .where('shop', 'is not distinct from', params.shop)
    .where('minted_app_id', 'is not distinct from', params.mintedAppId)
    .where('return_url', 'is', null)
    .where('claim_until', 'is', null)
    .where('expires_at', '>', params.validUntil)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function findGoverningApp(
  db: Db | Tx,
  params: { appId: string | null },
): Promise<GoverningApp | undefined> {
  if (params.appId === null) return undefined
  const row = await rowsWhere(db, 'apps', { id: params.appId }).find([
    'id',
    'name',
    'logo_url',
    'redirect_uris',
    'allowed_return_origins',
  ])
  return row === undefined
    ? undefined
    : {
        id: row.id,
        name: row.name,
        logoUrl: row.logo_url,
        redirectUris: row.redirect_uris,
        allowedReturnOrigins: row.allowed_return_origins,
      }
}

/** Records a visit that was refused without settling the hand-off. */
export async function noteAttempt(
  db: Db | Tx,
  params: { id: string; reason: string; now: Date },
): Promise<void> {
  await db
    .updateTable('handoffs')
    .set({ last_attempt_at: params.now, last_attempt_reason: params.reason })
    .where('id', '=', params.id)
    .where('status', '=', 'pending')
    .execute()
}

/** Returns the row if the claim succeeded. The claim is exclusive until it expires and another attempt replaces it. */
export async function claimHandoff(
  db: Db | Tx,
  params: { id: string; claimId: string; attempt: string; now: Date },
): Promise<HandoffRow | undefined> {
  const { rows } = await sql<HandoffRow>`
    update handoffs set claim_id = ${params.claimId}, claim_attempts = claim_attempts || ${[params.attempt]}::text[],
      claim_until = ${new Date(params.now.getTime() + CLAIM_LIFE_MS)}
    where id = ${params.id} and status = 'pending' and expires_at > ${params.now}
      and (claim_until is null or claim_until <= ${params.now}) and not claim_attempts @> ${[params.attempt]}::text[]
    returning *`.execute(db)
  return rows[0]
}

/** Locks the claimed hand-off; undefined if another attempt replaced the claim, or the hand-off expired or settled. */
export async function lockClaimed(
  tx: Tx,
  params: { id: string; claimId: string; now: Date },
): Promise<HandoffRow | undefined> {
  return tx
    .selectFrom('handoffs')
    .selectAll()
    .where('id', '=', params.id)
    .where('claim_id', '=', params.claimId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', params.now)
    .forUpdate()
    .executeTakeFirst()
}

/** False if the hand-off is settled, expired or for another provider. */
export async function saveDeposit(
  db: Db | Tx,
  params: { id: string; provider: string; sealed: Buffer; now: Date },
): Promise<boolean> {
  const updated = await db
    .updateTable('handoffs')
    .set({ deposit: params.sealed })
    .where('id', '=', params.id)
    .where('provider', '=', params.provider)
    .where('status', '=', 'pending')
    .where('expires_at', '>', params.now)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

export async function settleHandoff(
  db: Db | Tx,
  params: {
    id: string
    claimId: string
    status: 'completed' | 'failed' | 'cancelled'
    result: Record<string, unknown>
    now: Date
  },
): Promise<HandoffRow | undefined> {
  return db
    .updateTable('handoffs')
    .set({
      status: params.status,
      result: JSON.stringify(params.result),
      completed_at: params.now,
      claim_until: null,
      deposit: null,
    })
    .where('id', '=', params.id)
    .where('claim_id', '=', params.claimId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', params.now)
    .returningAll()
    .executeTakeFirst()
}

/** False if it was already settled, or is cancelled after its expiry. */
export async function settlePendingCheckout(
  db: Db | Tx,
  params: { id: string; status: 'completed' | 'cancelled'; result: Record<string, unknown>; now: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('handoffs')
    .set({ status: params.status, result: JSON.stringify(params.result), completed_at: params.now })
    .where('id', '=', params.id)
    .where('kind', '=', 'checkout')
    .where('status', '=', 'pending')
    // A payment counts even if it arrives after the link expired.
    .$if(params.status === 'cancelled', (query) => query.where('expires_at', '>', params.now))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Used when nothing was written, so that the link can be used again immediately. */
export async function releaseClaim(db: Db | Tx, params: { id: string; claimId: string }): Promise<void> {
  await rowsWhere(db, 'handoffs', { id: params.id, claim_id: params.claimId, status: 'pending' }).update({
    claim_until: null,
  })
}

/** Vendors of the profile's mailboxes; with an app id, of those that the app has an active grant for. */
export async function listMailboxVendors(
  db: Db | Tx,
  params: { profileId: string; appId: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ vendor: string }>`
    select distinct c.provider_subtype as vendor from connections c
    where c.profile_id = ${params.profileId} and c.provider = ${MAILBOX} and c.provider_subtype is not null
      and (${params.appId}::uuid is null or exists (
        select from connection_grants g
        where g.profile_id = ${params.profileId} and g.connection_id = c.id and g.app_id = ${params.appId}
          and g.revoked_at is null))`.execute(db)
  return rows.map(({ vendor }) => vendor)
}
