import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export type VerificationRow = {
  id: string
  token: string
  url: string
  status: 'waiting' | 'seen'
  seen_url: string | null
  started_at: Date
  expires_at: Date
  seen_at: Date | null
}

const columns = ['id', 'token', 'url', 'status', 'seen_url', 'started_at', 'expires_at', 'seen_at'] as const

export async function findVerification(db: Db | Tx, profileId: string): Promise<VerificationRow | undefined> {
  const row = await db
    .selectFrom('tracking_verifications')
    .select(columns)
    .where('profile_id', '=', profileId)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row as VerificationRow | undefined
}

export async function deleteExpiredVerifications(
  tx: Tx,
  params: { profileId: string; now: Date },
): Promise<void> {
  await tx
    .deleteFrom('tracking_verifications')
    .where('profile_id', '=', params.profileId)
    .where('expires_at', '<=', params.now)
    .execute()
}

export async function countVerifications(tx: Tx, params: { profileId: string }): Promise<number> {
  return rowsWhere(tx, 'tracking_verifications', { profile_id: params.profileId }).count()
}

export async function insertVerification(
  db: Db | Tx,
  params: { profileId: string; id: string; token: string; url: string; now: Date; expiresAt: Date },
): Promise<VerificationRow> {
  const row = await db
    .insertInto('tracking_verifications')
    .values({
      profile_id: params.profileId,
      id: params.id,
      token: params.token,
      url: params.url,
      status: 'waiting',
      started_at: params.now,
      expires_at: params.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as VerificationRow
}

/** The address to open in a browser: the tracker on that page finds the token and reports it. */
export function checkUrl(row: Pick<VerificationRow, 'url' | 'token'>): string {
  const url = new URL(row.url)
  url.searchParams.set('whence_verify', row.token)
  return url.toString()
}
