/** Ten codes, each for one sign-in without the other factors. Only keyed hashes are stored. */
import { randomBytes } from 'node:crypto'
import type { Service } from '../../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { rowsWhere } from '../../db/rows.ts'
import { keyedHash } from '../../secrets/keyed-hash.ts'
import { toBase32 } from './totp.ts'

const CODES = 10
const CODE_LENGTH = 10

export async function renewRecoveryCodes(
  service: Service,
  tx: Tx,
  params: { userId: string; now: Date },
): Promise<string[]> {
  const { userId, now } = params
  const codes = Array.from({ length: CODES }, () => toBase32(randomBytes(7)).slice(0, CODE_LENGTH))
  await deleteRecoveryCodes(tx, { userId })
  await tx
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({ user_id: userId, code_hash: hashOf(service, userId, code), created_at: now })),
    )
    .execute()
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** The row's `used_at` decides which of two concurrent uses succeeds. */
export async function spendRecoveryCode(
  service: Service,
  tx: Tx,
  params: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const { userId, now } = params
  const code = params.code.toUpperCase().replace(/[\s-]/g, '')
  const used = await rowsWhere(tx, 'recovery_codes', {
    user_id: userId,
    code_hash: hashOf(service, userId, code),
    used_at: null,
  }).update({ used_at: now })
  return used === 1
}

export const deleteRecoveryCodes = (tx: Tx, { userId }: { userId: string }) =>
  rowsWhere(tx, 'recovery_codes', { user_id: userId }).delete()

export const countRecoveryCodes = (db: Db | Tx, { userId }: { userId: string }) =>
  rowsWhere(db, 'recovery_codes', { user_id: userId, used_at: null }).count()

/** Under the permanent pepper, because printed codes must outlive the master keys. */
function hashOf({ identityPepper }: Service, userId: string, code: string): Buffer {
  return Buffer.from(keyedHash(identityPepper, `recovery code ${userId} ${code}`), 'hex')
}
