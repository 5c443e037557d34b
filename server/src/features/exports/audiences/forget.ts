import { uuidv7 } from '../../../contract/ids.ts'
import type { Tx } from '../../../db/database.ts'
import { hashExclusions } from './queries.ts'
import { personHash } from './rules.ts'

/** Of an excluded person who is erased a hash of each identifier stays, and nothing of whose lists they were on. */
export async function forgetInAudiences(
  tx: Tx,
  params: { profileId: string; identifierIds: readonly string[]; now: Date },
): Promise<void> {
  const { now } = params
  const rows = params.identifierIds.map((id) => ({ id: uuidv7(now), hash: personHash(id) }))
  await hashExclusions(tx, { ...params, rows })
}
