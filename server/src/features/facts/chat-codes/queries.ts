import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** A code is stored and compared as its hash only. */
export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest()

export type NewCode = {
  profileId: string
  codeHash: Buffer
  visitorIdentifierId: string | null
  eventId: string | null
  shortLinkId: string | null
  now: Date
}

/** Keeps the first owner of a code. */
export async function insertCodes(db: Db | Tx, codes: readonly NewCode[]): Promise<void> {
  if (codes.length === 0) return
  await db
    .insertInto('chat_codes')
    .values(
      codes.map((code) => ({
        profile_id: code.profileId,
        code_hash: code.codeHash,
        visitor_identifier_id: code.visitorIdentifierId,
        event_id: code.eventId,
        short_link_id: code.shortLinkId,
        created_at: code.now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['profile_id', 'code_hash']).doNothing())
    .execute()
}
