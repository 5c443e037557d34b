/** Accounts and sessions of people. */
import { createHash } from 'node:crypto'
import type { AnyContext, Service, UserContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { uuidv7 } from '../../contract/ids.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { spendUnits } from '../../http/rate-limit.ts'
import { hashPassword, verifyPassword } from '../../secrets/passwords.ts'
import { lookupHash, mintToken } from '../../secrets/tokens.ts'
import { forgetCredentials } from './authenticate.ts'
import {
  isListedBreach,
  isWeakPassword,
  MIN_PASSWORD_LENGTH,
  normaliseEmail,
  SESSION_ABSOLUTE_MS,
} from './rules.ts'

export type UserRow = { id: string; email: string; name: string; created_at: Date }

const SIGN_IN_LIMIT = { perMinute: 10 / 15, burst: 10 }

export async function signUp(context: AnyContext, body: { email: string; password: string; name: string }) {
  await limitSignIns(context, body.email)
  await refuseBadPassword(context.service, body.password)
  const passwordHash = await hashPassword(body.password)
  return inTransaction(context.db, async (tx) => {
    const user = { id: uuidv7(), email: body.email.trim(), name: body.name, created_at: context.now }
    const created = await tx
      .insertInto('users')
      .values({ ...user, email_lower: normaliseEmail(body.email), password_hash: passwordHash })
      .onConflict((conflict) => conflict.column('email_lower').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created === undefined)
      throw new ApiError('invalid_state', 'An account with this address exists; sign in instead.', {
        reason: 'email_taken',
      })
    return { user, ...(await openSession(context.service, tx, user.id)) }
  })
}

export async function signIn(context: AnyContext, body: { email: string; password: string }) {
  await limitSignIns(context, body.email)
  const row = await context.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'created_at', 'password_hash'])
    .where('email_lower', '=', normaliseEmail(body.email))
    .executeTakeFirst()
  const matches = await verifyPassword(row?.password_hash ?? null, body.password)
  if (row === undefined || !matches)
    throw new ApiError('unauthorized', 'The address or the password is wrong.')
  return { user: row as UserRow, ...(await openSession(context.service, context.db, row.id)) }
}

/** 10 tries per 15 minutes, per address on the network and per account. */
async function limitSignIns(context: AnyContext, email: string): Promise<void> {
  const nowMs = context.service.clock.machineNow().getTime()
  for (const key of [`sign-in:ip:${context.ip}`, `sign-in:account:${normaliseEmail(email)}`]) {
    const verdict = await spendUnits(context.service.db, key, SIGN_IN_LIMIT, 1, nowMs)
    if (!verdict.allowed)
      throw new ApiError('rate_limit_exceeded', 'Too many sign-in attempts; wait and try again.', {
        retryAfter: verdict.retryAfterSeconds,
      })
  }
}

export async function openSession(service: Service, db: Db | Tx, userId: string) {
  const now = service.clock.machineNow()
  const minted = mintToken('session')
  const expiresAt = new Date(now.getTime() + SESSION_ABSOLUTE_MS)
  await db
    .insertInto('credentials')
    .values({
      id: uuidv7(),
      kind: 'session',
      lookup_hash: lookupHash(service.keyring, minted.token),
      hint: minted.hint,
      user_id: userId,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  return { token: minted.token, expiresAt }
}

export async function signOut(context: UserContext): Promise<void> {
  await context.db
    .updateTable('credentials')
    .set({ revoked_at: context.service.clock.machineNow() })
    .where('id', '=', context.caller.credentialId)
    .execute()
  forgetCredentials(context.service)
}

export async function getUser(db: Db | Tx, userId: string): Promise<UserRow> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function changePassword(
  context: UserContext,
  body: { current_password?: string | undefined; new_password: string },
): Promise<void> {
  const { userId } = context.caller
  const row = await context.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (row.password_hash !== null) {
    if (body.current_password === undefined)
      throw new ApiError('current_password_required', 'Send current_password to change the password.')
    if (!(await verifyPassword(row.password_hash, body.current_password)))
      throw new ApiError('current_password_invalid', 'The current password is wrong.')
  }
  await refuseBadPassword(context.service, body.new_password)
  const passwordHash = await hashPassword(body.new_password)
  await inTransaction(context.db, async (tx) => {
    await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
    await tx
      .updateTable('credentials')
      .set({ revoked_at: context.service.clock.machineNow() })
      .where('user_id', '=', userId)
      .where('kind', '=', 'session')
      .where('id', '<>', context.caller.credentialId)
      .where('revoked_at', 'is', null)
      .execute()
  })
  forgetCredentials(context.service)
}

async function refuseBadPassword(service: Service, password: string): Promise<void> {
  if (isWeakPassword(password))
    throw new ApiError('weak_password', `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`)
  if (await isCompromised(service, password))
    throw new ApiError('compromised_password', 'This password is in a public breach corpus; choose another.')
}

/** Only five characters of the hash leave; an endpoint that cannot be reached blocks nobody. */
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
    if (reply.status !== 200) throw new Error(`The range endpoint answered ${reply.status}`)
    return isListedBreach(Buffer.from(reply.bytes).toString('utf8'), hash.slice(5))
  } catch (error) {
    service.log.warn('breach check skipped', { error })
    return false
  }
}
