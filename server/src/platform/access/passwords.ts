/** Password requirements, and revocation when a password changes. */
import { createHash } from 'node:crypto'
import type { Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import type { Tx } from '../db/database.ts'
import { hashPassword } from '../secrets/passwords.ts'
import { deleteAccountLinks, revokePersonalCredentials, setPasswordHash } from './account-queries.ts'
import { forgetDevices } from './factors/queries.ts'
import { forgetFirstSignIn } from './first-sign-in.ts'
import { isListedBreach, isWeakPassword, MIN_PASSWORD_LENGTH } from './rules.ts'

export async function hashNewPassword(service: Service, password: string): Promise<string> {
  if (isWeakPassword(password))
    throw new ApiError('weak_password', `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`)
  if (await isCompromised(service, password))
    throw new ApiError('compromised_password', 'This password is in a public breach corpus; choose another.')
  return hashPassword(password)
}

/** Sets the password and revokes the person's sessions, user tokens, OAuth tokens and mailed links. */
export async function replacePassword(
  tx: Tx,
  params: { userId: string; passwordHash: string; now: Date; keepCredentialId?: string },
): Promise<void> {
  const { userId, passwordHash, now } = params
  await setPasswordHash(tx, { userId, passwordHash })
  await revokePersonalCredentials(tx, { userId, keepCredentialId: params.keepCredentialId, now })
  await deleteAccountLinks(tx, { userId })
  await forgetDevices(tx, { userId })
  await forgetFirstSignIn(tx, { userId })
}

/** Only five characters of the hash are sent (k-anonymity); if the endpoint is unreachable, the check is skipped. */
async function isCompromised(service: Service, password: string): Promise<boolean> {
  const base = service.config.BREACH_RANGE_URL
  if (base === undefined) return false
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const reply = await service.providerHttp.send({
      method: 'GET',
      url: `${base}/${hash.slice(0, 5)}`,
      timeoutMs: 3000,
    })
    if (reply.status !== 200) throw new Error(`The range endpoint returned ${reply.status}`)
    return isListedBreach(Buffer.from(reply.bytes).toString('utf8'), hash.slice(5))
  } catch (error) {
    service.log.warn('breach check skipped', { error })
    return false
  }
}
