/** The hosted bank links that profiles started. A link's token is a secret of its person: only its hash is kept. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { leaseIn } from '../../../platform/db/lease.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

/** Longer than the calls that finish a link may take. */
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

/** By the token alone: the webhook that carries it does not say whose it is. */
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

/** The claim's id; undefined while another holds it, or when the link is finished. */
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

/** How a link ended: with its connection, or with the reason why there is none. */
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
