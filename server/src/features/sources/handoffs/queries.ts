import { type Insertable, type Selectable, sql } from 'kysely'
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

/** A link of the same kind that no one has used yet and that leads back to no app. */
export async function findWaitingConnect(
  db: Db | Tx,
  params: {
    profileId: string
    provider: string
    shop: string | null
    mintedAppId: string | null
    openUntil: Date
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
    .where('expires_at', '>', params.openUntil)
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

/** One consent at a time: anyone who gets the row back may finish, until the claim expires or another fences it. */
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

/** Takes the claimed hand-off's lock; undefined when another consent fenced this one, or it expired or settled. */
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

/** False where the hand-off is over, or another provider's. */
export async function saveDeposit(
  db: Db | Tx,
  params: { id: string; provider: string; sealed: Buffer; now: Date },
): Promise<boolean> {
  const saved = await db
    .updateTable('handoffs')
    .set({ deposit: params.sealed })
    .where('id', '=', params.id)
    .where('provider', '=', params.provider)
    .where('status', '=', 'pending')
    .where('expires_at', '>', params.now)
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
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

/** False where it was settled before, or is cancelled after it ran out. */
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
    // What was paid in the last minute of the link is paid.
    .$if(params.status === 'cancelled', (query) => query.where('expires_at', '>', params.now))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Nothing was written: the link may be used again at once. */
export async function releaseClaim(db: Db | Tx, params: { id: string; claimId: string }): Promise<void> {
  await rowsWhere(db, 'handoffs', { id: params.id, claim_id: params.claimId, status: 'pending' }).update({
    claim_until: null,
  })
}
