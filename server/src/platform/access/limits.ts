/** How often accounts may be tried: each limit by network address, by account, or by both. */
import type { AnyContext, UserContext } from '../../context.ts'
import { requireUnit } from '../http/rate-limit.ts'
import { isPublicAddress } from '../outbound/addresses.ts'
import { normaliseEmail } from './rules.ts'

const QUARTER_HOUR = { perMinute: 10 / 15, burst: 10 }
const HOUR = { perMinute: 5 / 60, burst: 5 }
/** Many people may stand behind it; each account still has its own limit. */
const SHARED_ADDRESS = { perMinute: 200 / 15, burst: 200 }

/** 10 tries per 15 minutes, per address on the network and per account. */
export async function limitSignIns(context: AnyContext, email: string): Promise<void> {
  const message = 'Too many sign-in attempts; wait and try again.'
  await spend(context, `sign-in:ip:${context.ip}`, ofNetwork(context), message)
  await spend(context, `sign-in:account:${normaliseEmail(email)}`, QUARTER_HOUR, message)
}

/** A guess at a mailed token costs as much as a guess at a password. */
export async function limitLinks(context: AnyContext): Promise<void> {
  await spend(
    context,
    `account-link:ip:${context.ip}`,
    QUARTER_HOUR,
    'Too many attempts; wait and try again.',
  )
}

/** Counted whether the address has an account or not, so that the refusal reveals nothing. */
export async function limitResetMails(context: AnyContext, email: string): Promise<void> {
  const message = 'Too many reset requests; wait and try again.'
  await spend(context, `reset-mail:ip:${context.ip}`, ofNetwork(context), message)
  await spend(context, `reset-mail:address:${normaliseEmail(email)}`, HOUR, message)
}

export async function limitAccountMails(context: UserContext): Promise<void> {
  await spend(
    context,
    `account-mail:${context.caller.userId}`,
    HOUR,
    'Too many mails were asked for; wait and try again.',
  )
}

/** Bounds guesses of the current password. */
export async function limitPasswordTries(context: UserContext): Promise<void> {
  await spend(
    context,
    `password-try:${context.caller.userId}`,
    QUARTER_HOUR,
    'Too many attempts with the current password; wait and try again.',
  )
}

/** A private address without TRUST_PROXY is most likely a proxy's: all who come through it must not lock each other out. */
function ofNetwork(context: AnyContext) {
  const isShared = context.service.config.TRUST_PROXY.length === 0 && !isPublicAddress(context.ip)
  return isShared ? SHARED_ADDRESS : QUARTER_HOUR
}

/** Outside the request's own transaction: a refused try counts too. */
function spend(
  context: AnyContext,
  key: string,
  limit: { perMinute: number; burst: number },
  message: string,
): Promise<void> {
  const { db, clock } = context.service
  return requireUnit(db, { key, limit, now: clock.machineNow(), message })
}
