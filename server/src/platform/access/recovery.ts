/** Actions of mailed links: verify or change the address, reset the password, sign in. */
import type { AnyContext, Service, UserContext } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { inTransaction, type Tx } from '../db/database.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { deleteAccountLinks } from './account-queries.ts'
import { requireCurrentPassword } from './accounts.ts'
import { forgetCredentials } from './authenticate.ts'
import { type Browser, completeSignIn, type SignInResult } from './factors/sign-in.ts'
import { limitAccountMails, limitLinkMails, limitLinks } from './limits.ts'
import { type AccountLink, spendLink } from './links.ts'
import { mailAccount } from './mail-job.ts'
import { hashNewPassword, replacePassword } from './passwords.ts'
import { findOrCreateUser } from './people.ts'
import { markVerified } from './queries.ts'
import { normaliseEmail } from './rules.ts'
import {
  getUser,
  hasMembershipByEmail,
  isAddressTaken,
  lockAddresses,
  lockUser,
  moveMembershipsByEmail,
  setAddress,
  type UserRow,
} from './user-queries.ts'

const badLink = () =>
  new ApiError('not_found', 'The link is unknown, used, expired, or for another account; request a new one.')

export async function sendVerification(context: UserContext): Promise<void> {
  const user = await getUser(context.db, context.caller.userId)
  if (user.email_verified_at !== null)
    throw new ApiError('invalid_state', 'The address is already verified.', { reason: 'email_verified' })
  await limitAccountMails(context)
  await enqueue(context.db, mailAccount, { about: 'verification', user_id: user.id })
}

/**
 * The session must belong to the account: a person who signed up with someone else's address has the password but
 * not the mailbox, and the owner of the mailbox does not have the password. Neither alone can verify.
 */
export async function confirmAddress(context: UserContext, token: string): Promise<UserRow> {
  const { service } = context
  const now = service.clock.machineNow()
  const { userId } = context.caller
  await limitLinks(context)
  return inTransaction(context.db, async (tx) => {
    const user = await lockUser(tx, { userId })
    const link = await spendLink(service, tx, {
      token,
      purposes: ['verify_email', 'change_email'],
      now,
      userId,
    })
    if (user === undefined || link === undefined) throw badLink()
    if (link.purpose === 'change_email') await changeAddress(tx, user, link, now)
    // A link mailed to a former address proves nothing about the current one.
    else if (normaliseEmail(link.email) !== normaliseEmail(user.email)) throw badLink()
    else await markVerified(tx, { userId, now })
    return getUser(tx, userId)
  })
}

async function changeAddress(tx: Tx, user: UserRow, link: AccountLink, now: Date): Promise<void> {
  await lockAddresses(tx, [user.email, link.email])
  if (await isAddressTaken(tx, { email: link.email, butNotBy: user.id }))
    throw new ApiError('invalid_state', 'Another account has this address.', { reason: 'email_taken' })
  await setAddress(tx, { userId: user.id, email: link.email, now })
  // Reset links may have been mailed to the old address.
  await deleteAccountLinks(tx, { userId: user.id })
  if (user.email_verified_at !== null) {
    await enqueue(tx, mailAccount, { about: 'changed', email: user.email })
    return
  }
  // The old address was never verified: access granted to it stays with it.
  if (!(await hasMembershipByEmail(tx, { userId: user.id }))) return
  const owner = await findOrCreateUser(tx, { email: user.email, name: undefined, now })
  await moveMembershipsByEmail(tx, { from: user.id, to: owner.id })
}

export async function changeEmail(
  context: UserContext,
  body: { email: string; current_password?: string | undefined },
): Promise<void> {
  const { userId } = context.caller
  const user = await getUser(context.db, userId)
  if (normaliseEmail(user.email) === normaliseEmail(body.email))
    throw new ApiError('invalid_state', 'The account already has this address.', {
      reason: 'email_unchanged',
    })
  await requireCurrentPassword(context, body.current_password)
  await limitAccountMails(context)
  await enqueue(context.db, mailAccount, { about: 'change', user_id: userId, email: body.email.trim() })
}

/** The same work and response for every address; the job looks it up. */
type Address = { email: string }

export async function requestPasswordReset(context: AnyContext, { email }: Address): Promise<void> {
  await limitLinkMails(context, 'reset', email)
  await enqueue(context.db, mailAccount, { about: 'reset', email: email.trim() })
}

/** The same work and response for every address, as above. */
export async function requestSignInLink(context: AnyContext, { email }: Address): Promise<void> {
  await limitLinkMails(context, 'sign-in', email)
  await enqueue(context.db, mailAccount, { about: 'sign_in', email: email.trim() })
}

/** Not affected by failed password attempts. */
export async function signInByLink(
  context: AnyContext,
  token: string,
  browser: Browser = {},
): Promise<SignInResult> {
  const { service } = context
  const now = service.clock.machineNow()
  await limitLinks(context)
  return inTransaction(context.db, async (tx) => {
    const user = await userOfLink(service, tx, { token, purpose: 'sign_in', now })
    if (user.email_verified_at === null) throw badLink()
    return completeSignIn(context, tx, { user, method: 'mail_link', remembered: browser.remembered })
  })
}

/** Uses up the link; the account must still have the address that it was mailed to. */
async function userOfLink(
  service: Service,
  tx: Tx,
  params: { token: string; purpose: 'reset_password' | 'sign_in'; now: Date },
): Promise<UserRow> {
  const { token, purpose, now } = params
  const link = await spendLink(service, tx, { token, purposes: [purpose], now })
  const user = link && (await lockUser(tx, { userId: link.user_id }))
  if (user === undefined || normaliseEmail(link!.email) !== normaliseEmail(user.email)) throw badLink()
  return user
}

/** Returns the account; its browser becomes a known device. */
export async function resetPassword(
  context: AnyContext,
  body: { token: string; new_password: string },
): Promise<UserRow> {
  const { service } = context
  const now = service.clock.machineNow()
  await limitLinks(context)
  const passwordHash = await hashNewPassword(service, body.new_password)
  const user = await inTransaction(context.db, async (tx) => {
    const owner = await userOfLink(service, tx, { token: body.token, purpose: 'reset_password', now })
    await replacePassword(tx, { userId: owner.id, passwordHash, now })
    await markVerified(tx, { userId: owner.id, now })
    return owner
  })
  forgetCredentials(service)
  return user
}
