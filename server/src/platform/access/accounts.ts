/** Accounts and sessions of people. */
import type { AnyContext, Service, UserContext } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { uuidv7 } from '../contract/ids.ts'
import { inTransaction, type Tx } from '../db/database.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { hashPassword, needsRehash, verifyPassword } from '../secrets/passwords.ts'
import { lookupHashes } from '../secrets/tokens.ts'
import { findPasswordHash, insertUser, replacePasswordHash, revokeCredential } from './account-queries.ts'
import { forgetCredentials } from './authenticate.ts'
import { type Browser, completeSignIn, type SignInResult } from './factors/sign-in.ts'
import { forgetFirstSignIn } from './first-sign-in.ts'
import { limitPasswordTries, limitSignIns } from './limits.ts'
import { mailAccount } from './mail-job.ts'
import { hashNewPassword, replacePassword } from './passwords.ts'
import { openSession, withPassword } from './session-details.ts'
import { findInvitedBy, findUserByEmail, getUser, lockAddresses, type UserRow } from './user-queries.ts'

export const getAuthOptions = ({ service }: Pick<AnyContext, 'service'>) => ({
  sign_up: service.config.SIGN_UP,
})

export const getMe = ({ db, caller }: UserContext): Promise<UserRow> => getUser(db, caller.userId)

export async function signUp(
  context: AnyContext,
  body: { email: string; password: string; name: string; invitation_token?: string | undefined },
) {
  const { service, now } = context
  await limitSignIns(context, body.email, undefined)
  const passwordHash = await hashNewPassword(service, body.password)
  return inTransaction(context.db, async (tx) => {
    const invitedBy = await findInvitation(service, tx, body, now)
    if (service.config.SIGN_UP === 'closed' && invitedBy === undefined)
      throw new ApiError('forbidden', 'Sign-up is closed here; ask a member for an invitation.', {
        reason: 'sign_up_closed',
      })
    const user: UserRow = {
      id: uuidv7(now),
      email: body.email.trim(),
      name: body.name,
      email_verified_at: invitedBy === 'mail' ? now : null,
      created_at: now,
    }
    await lockAddresses(tx, [body.email])
    if (!(await insertUser(tx, { user, passwordHash })))
      throw new ApiError(
        'invalid_state',
        'An account with this address exists: sign in, or reset its password by mail.',
        { reason: 'email_taken' },
      )
    if (invitedBy !== 'mail') await enqueue(tx, mailAccount, { about: 'verification', user_id: user.id })
    const opened = withPassword(service.clock.machineNow(), context)
    return { user, ...(await openSession(service, tx, user.id, opened)) }
  })
}

/** The mailed token proves access to the mailbox; a forwarded link does not. */
async function findInvitation(
  service: Service,
  tx: Tx,
  body: { email: string; invitation_token?: string | undefined },
  now: Date,
): Promise<'mail' | 'link' | undefined> {
  if (body.invitation_token === undefined) return undefined
  const hashes = lookupHashes(service.keyring, body.invitation_token)
  const invitedBy = await findInvitedBy(tx, { hashes, email: body.email, now })
  if (invitedBy !== undefined) return invitedBy
  throw new ApiError('not_found', 'No pending invitation to this address matches the token.')
}

/** `device` is the cookie of a known device, if the browser sent one. */
export async function signIn(
  context: AnyContext,
  body: { email: string; password: string },
  browser: Browser & { device?: string | undefined } = {},
): Promise<SignInResult> {
  await limitSignIns(context, body.email, browser.device)
  const row = await findUserByEmail(context.db, body)
  const matches = await verifyPassword(row?.password_hash ?? null, body.password)
  if (row === undefined || !matches)
    throw new ApiError('unauthorized', 'The address or the password is wrong.')
  await forgetFirstSignIn(context.db, { userId: row.id })
  const { password_hash: stored, ...user } = row
  if (needsRehash(stored!))
    await rehash(context, { userId: user.id, stored: stored!, password: body.password })
  return completeSignIn(context, context.db, { user, method: 'password', remembered: browser.remembered })
}

/** Nothing if the password was changed meanwhile. A failure must not prevent the sign-in. */
async function rehash(
  { db, log }: AnyContext,
  { userId, stored, password }: { userId: string; stored: string; password: string },
): Promise<void> {
  try {
    await replacePasswordHash(db, { userId, from: stored, to: await hashPassword(password) })
  } catch (error) {
    log.warn('password not rehashed', { error })
  }
}

export async function signOut(context: UserContext): Promise<void> {
  const { db, caller, service } = context
  await revokeCredential(db, { id: caller.credentialId, now: service.clock.machineNow() })
  forgetCredentials(service)
}

export async function changePassword(
  context: UserContext,
  body: { current_password?: string | undefined; new_password: string },
): Promise<void> {
  const { service } = context
  const now = service.clock.machineNow()
  const { userId, credentialId } = context.caller
  await requireCurrentPassword(context, body.current_password)
  const passwordHash = await hashNewPassword(service, body.new_password)
  await inTransaction(context.db, (tx) =>
    replacePassword(tx, { userId, passwordHash, now, keepCredentialId: credentialId }),
  )
  forgetCredentials(service)
}

/** Protects against another person at a signed-in browser. */
export async function requireCurrentPassword(
  context: UserContext,
  current: string | undefined,
): Promise<void> {
  const passwordHash = await findPasswordHash(context.db, { userId: context.caller.userId })
  if (passwordHash === null) return
  if (current === undefined)
    throw new ApiError(
      'current_password_required',
      'Send the current password of the account as current_password.',
    )
  await limitPasswordTries(context)
  if (!(await verifyPassword(passwordHash, current)))
    throw new ApiError('current_password_invalid', 'The current password is wrong.')
}
