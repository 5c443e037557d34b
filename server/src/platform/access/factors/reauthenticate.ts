/** Proving again who the person at a signed-in browser is, with the strongest means of the account. */
import type { UserContext } from '../../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { inTransaction } from '../../db/database.ts'
import { verifyPassword } from '../../secrets/passwords.ts'
import { findPasswordHash } from '../account-queries.ts'
import { limitPasswordTries } from '../limits.ts'
import { markProved } from '../session-details.ts'
import { getUser } from '../user-queries.ts'
import { mintChallenge, spendChallenge, tryChallenge } from './challenges.ts'
import { provedNow } from './enrol.ts'
import { assertionOptions } from './passkeys.ts'
import { checkProof, type Proof } from './proofs.ts'
import { listConfirmedFactors } from './queries.ts'

export async function offerReauthentication(context: UserContext) {
  const { service, db } = context
  const { userId } = context.caller
  const factors = await listConfirmedFactors(db, { userId })
  const passkeys = factors.flatMap(({ credential_id, transports }) =>
    credential_id === null ? [] : [{ credential_id, transports }],
  )
  const options = await assertionOptions(service, passkeys)
  const minted = await mintChallenge(context, db, {
    purpose: 'reauthenticate',
    userId,
    passkeyChallenge: options.challenge,
  })
  const hasPassword = (await findPasswordHash(db, { userId })) !== null
  const kinds = [...new Set(factors.map(({ kind }) => kind))]
  return {
    ...minted,
    kinds: kinds.length > 0 ? [...kinds, 'recovery_code' as const] : hasPassword ? ['password' as const] : [],
    passkey: passkeys.length === 0 ? null : options,
  }
}

/** An account with a second factor proves that one; the password is only for accounts without. */
export async function reauthenticate(
  context: UserContext,
  body: Proof & { challenge: string; password?: string | undefined },
  browser: string | undefined,
): Promise<void> {
  const { service } = context
  const { userId, credentialId } = context.caller
  await limitPasswordTries(context)
  const challenge = await tryChallenge(service, { token: body.challenge, purpose: 'reauthenticate', browser })
  if (challenge?.user_id !== userId) throw wrong()
  const now = service.clock.machineNow()
  await inTransaction(context.db, async (tx) => {
    await getUser(tx, userId)
    const hasFactor = (await listConfirmedFactors(tx, { userId })).length > 0
    const isProved = hasFactor
      ? (await checkProof(context, tx, {
          userId,
          proof: body,
          passkeyChallenge: challenge.passkey_challenge,
        })) !== undefined
      : await verifyPassword(await findPasswordHash(tx, { userId }), body.password ?? '')
    if (!isProved || !(await spendChallenge(tx, challenge))) throw wrong()
    await markProved(tx, { credentialId, userId, now, opened: provedNow(context, now, hasFactor) })
  })
}

const wrong = () =>
  new ApiError('forbidden', 'The password, code or passkey is wrong, used or expired.', {
    reason: 'second_factor_wrong',
  })
