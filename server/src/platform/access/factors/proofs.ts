/** Checks a code, an assertion or a recovery code of a person. Each works once. */
import type { AnyContext } from '../../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { rowsWhere } from '../../db/rows.ts'
import { open } from '../../secrets/seal.ts'
import type { SignInMethod } from '../session-details.ts'
import { lockUser } from '../user-queries.ts'
import { reportSecurityChange } from './changes.ts'
import { type PasskeyRow, readAssertion } from './passkeys.ts'
import { type FactorRow, listConfirmedFactors } from './queries.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { matchStep } from './totp.ts'

export type Proof = { code?: string | undefined; recovery_code?: string | undefined; assertion?: unknown }
export type CheckedBy = Extract<SignInMethod, 'totp' | 'passkey' | 'recovery_code'>

export const secretCell = (factorId: string) => ({
  table: 'user_factors',
  row: factorId,
  column: 'secret',
  profileId: null,
})

/** Undefined if it proves nothing. The lock on the person makes concurrent uses of one code wait for each other. */
export async function checkProof(
  context: AnyContext,
  tx: Tx,
  params: { userId: string; proof: Proof; passkeyChallenge: string; mustVerifyPerson?: boolean },
): Promise<CheckedBy | undefined> {
  const { userId, proof } = params
  if ((await lockUser(tx, { userId })) === undefined) return undefined
  const factors = await listConfirmedFactors(tx, { userId })
  const now = context.service.clock.machineNow()
  if (proof.code !== undefined) return checkCode(context, tx, factors, proof.code)
  if (proof.assertion !== undefined) return checkAssertion(context, tx, { ...params, factors })
  if (proof.recovery_code === undefined || factors.length === 0) return undefined
  const isSpent = await spendRecoveryCode(context.service, tx, { userId, code: proof.recovery_code, now })
  if (!isSpent) return undefined
  await reportSecurityChange(tx, context, { userId, what: 'recovery_code_used' })
  return 'recovery_code'
}

async function checkCode(
  { service }: AnyContext,
  tx: Tx,
  factors: readonly FactorRow[],
  code: string,
): Promise<'totp' | undefined> {
  const now = service.clock.machineNow()
  const factor = factors.find(({ kind }) => kind === 'totp')
  if (factor?.secret == null) return undefined
  const secret = open(service.keyring, secretCell(factor.id), factor.secret)
  const step = matchStep(secret, code, { now, lastStep: factor.last_step })
  if (step === undefined) return undefined
  await rowsWhere(tx, 'user_factors', { id: factor.id }).update({ last_step: step, last_used_at: now })
  return 'totp'
}

async function checkAssertion(
  context: AnyContext,
  tx: Tx,
  params: {
    userId: string
    proof: Proof
    passkeyChallenge: string
    mustVerifyPerson?: boolean
    factors: readonly FactorRow[]
  },
): Promise<'passkey' | undefined> {
  const { service } = context
  const response = params.proof.assertion as { id?: unknown }
  const passkey = params.factors.find(
    (factor) => factor.kind === 'passkey' && factor.credential_id === response.id,
  )
  if (passkey === undefined) return undefined
  const check = {
    response,
    challenge: params.passkeyChallenge,
    mustVerifyPerson: params.mustVerifyPerson ?? false,
  }
  const counter = await readAssertion(service, { ...check, passkey: passkey as PasskeyRow })
  if (counter === undefined) {
    await reportCopy(context, params.userId, passkey, check)
    return undefined
  }
  const now = service.clock.machineNow()
  await rowsWhere(tx, 'user_factors', { id: passkey.id }).update({
    sign_count: counter,
    last_used_at: now,
  })
  return 'passkey'
}

/** An assertion that only the counter refuses was signed by a copy of the passkey. Mailed outside of the failing transaction. */
async function reportCopy(
  context: AnyContext,
  userId: string,
  passkey: FactorRow,
  check: { response: unknown; challenge: string; mustVerifyPerson: boolean },
): Promise<void> {
  const uncounted = { ...(passkey as PasskeyRow), sign_count: -1 }
  if ((await readAssertion(context.service, { ...check, passkey: uncounted })) === undefined) return
  await inTransaction(context.service.db, (tx) =>
    reportSecurityChange(tx, context, { userId, what: 'passkey_copied', name: passkey.name }),
  )
}

export const wrongProof = () =>
  new ApiError('unauthorized', 'The code is wrong, used or expired; sign in again if it was tried too often.')
