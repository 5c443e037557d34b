/** One-time links that prove access to a mailbox. */
import type { Service } from '../../context.ts'
import { uuidv7 } from '../contract/ids.ts'
import type { Tx } from '../db/database.ts'
import { insertRow } from '../db/rows.ts'
import { lookupHash, lookupHashes, mintToken, readToken } from '../secrets/tokens.ts'

export type LinkPurpose = 'verify_email' | 'change_email' | 'reset_password' | 'sign_in'
export type AccountLink = { user_id: string; purpose: LinkPurpose; email: string }

const HOUR_MS = 3_600_000
const lifetimeMs: Record<LinkPurpose, number> = {
  verify_email: 72 * HOUR_MS,
  change_email: 24 * HOUR_MS,
  reset_password: HOUR_MS,
  sign_in: HOUR_MS,
}

export async function mintLink(service: Service, tx: Tx, link: AccountLink, now: Date): Promise<string> {
  const { token } = mintToken('account_link')
  await insertRow(tx, 'account_links', {
    ...link,
    id: uuidv7(now),
    token_hash: lookupHash(service.keyring, token),
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs[link.purpose]),
  })
  return token
}

/**
 * Deletes the link when reading it, so only one of two concurrent uses succeeds. `userId` restricts it to the
 * caller's account.
 */
export async function spendLink(
  service: Service,
  tx: Tx,
  params: { token: string; purposes: readonly LinkPurpose[]; now: Date; userId?: string },
): Promise<AccountLink | undefined> {
  if (readToken(params.token)?.kind !== 'account_link') return undefined
  const row = await tx
    .deleteFrom('account_links')
    .where('token_hash', 'in', lookupHashes(service.keyring, params.token))
    .where('purpose', 'in', params.purposes)
    .where('expires_at', '>', params.now)
    .$if(params.userId !== undefined, (query) => query.where('user_id', '=', params.userId!))
    .returning(['user_id', 'purpose', 'email'])
    .executeTakeFirst()
  return row as AccountLink | undefined
}
