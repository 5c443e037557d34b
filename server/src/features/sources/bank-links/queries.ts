/** Bank links that profiles started. The link token is a secret, so only its hash is stored. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { leaseIn } from '../../../platform/db/lease.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

/** Longer than the provider calls that finish a link may take. */
const CLAIM_MS = 60_000
const claim = leaseIn('claim_id', 'claimed_until')

const Apps = z.array(z.object({ appId: z.string(), authorizationId: z.string().nullable() }))
export type LinkApps = z.infer<typeof Apps>

export const hashOfLink = (linkToken: string): Buffer => createHash('sha256').update(linkToken).digest()

export async function insertBankLink(
  db: Db,
  params: { profileId: string; linkToken: string; apps: LinkApps; now: Date },
): Promise<void> {
  await insertRow(db, 'bank_links', {
    token_hash: hashOfLink(params.linkToken),
    profile_id: params.profileId,
    apps: JSON.stringify(params.apps),
    started_at: params.now,
  })
}

/** Looks up by token alone, because the webhook does not contain the profile. */
export async function findBankLink(db: Db, params: { linkToken: string }) {
  const row = await rowsWhere(db, 'bank_links', { token_hash: hashOfLink(params.linkToken) }).find([
    'profile_id',
    'apps',
    'finished_at',
    'connection_id',
    'refusal',
  ])
  return row && { ...row, apps: Apps.parse(row.apps) }
}

/** The claim's id; undefined if another call holds the claim or the link is finished. */
export async function claimBankLink(
  db: Db,
  params: { profileId: string; linkToken: string; now: Date },
): Promise<string | undefined> {
  const claimed = await db
    .updateTable('bank_links')
    .set(claim.take(uuidv7(), params.now, CLAIM_MS))
    .where('token_hash', '=', hashOfLink(params.linkToken))
    .where('profile_id', '=', params.profileId)
    .where('finished_at', 'is', null)
    .where(claim.isFree(params.now))
    .returning('claim_id')
    .executeTakeFirst()
  return claimed?.claim_id ?? undefined
}

export async function releaseBankLink(db: Db, params: { profileId: string; claimId: string }): Promise<void> {
  await rowsWhere(db, 'bank_links', { profile_id: params.profileId, claim_id: params.claimId }).update(
    claim.none,
  )
}

/** Stores the result of a link: its connection, or the reason why there is none. */
export async function finishBankLinkRow(
  db: Db | Tx,
  params: {
    profileId: string
    claimId: string
    connectionId: string | null
    refusal: 'elsewhere' | 'used' | null
    now: Date
  },
): Promise<void> {
  await rowsWhere(db, 'bank_links', { profile_id: params.profileId, claim_id: params.claimId }).update({
    finished_at: params.now,
    connection_id: params.connectionId,
    refusal: params.refusal,
    ...claim.none,
  })
}

export async function deleteBankLinksBefore(db: Db, params: { before: Date }): Promise<void> {
  await db.deleteFrom('bank_links').where('started_at', '<', params.before).execute()
}
