/** How often passwords and mailed links may be tried: by network address, by account, or by both. */
import type { AnyContext, Service, UserContext } from '../../context.ts'
import { clientKey } from '../http/open-requests.ts'
import { requireUnit } from '../http/rate-limit.ts'
import { isPublicAddress } from '../outbound/addresses.ts'
import { accountSubject, readDevice } from './known-devices.ts'
import { normaliseEmail } from './rules.ts'

const QUARTER_HOUR = { perMinute: 10 / 15, burst: 10 }
const HOUR = { perMinute: 5 / 60, burst: 5 }
/** Many people may share it; each account still has its own limit. */
const SHARED_ADDRESS = { perMinute: 200 / 15, burst: 200 }
/** All addresses together at one password: bounds guesses from many addresses, known devices are exempt. */
const ALL_STRANGERS = { perMinute: 300 / 60, burst: 300 }

/** `device` is the cookie of a known device, if the browser sent one. */
export async function limitSignIns(
  context: AnyContext,
  email: string,
  device: string | undefined,
): Promise<void> {
  const message = 'Too many sign-in attempts; wait and try again, or sign in with a link by mail.'
  const subject = accountSubject(email)
  const { service, ip } = context
  if (await spendOfDevice(service, { subject, device, message })) return
  await spend(service, `sign-in:ip:${clientKey(ip)}`, ofNetwork(context), message)
  await spendOfStranger(service, { subject, ip, message })
}

/** Ten tries per 15 minutes for a known device, and for each other network address; strangers cannot use up the others'. */
export async function limitGuesses(
  service: Service,
  guess: { subject: string; ip: string; device: string | undefined; message: string },
): Promise<void> {
  if (!(await spendOfDevice(service, guess))) await spendOfStranger(service, guess)
}

async function spendOfDevice(
  service: Service,
  guess: { subject: string; device: string | undefined; message: string },
): Promise<boolean> {
  const now = service.clock.machineNow()
  const id = readDevice(service.identityPepper, guess.subject, guess.device, now)
  if (id === undefined) return false
  await spend(service, `known-device:${id}`, QUARTER_HOUR, guess.message)
  return true
}

async function spendOfStranger(
  service: Service,
  guess: { subject: string; ip: string; message: string },
): Promise<void> {
  await spend(service, `${guess.subject} from ${clientKey(guess.ip)}`, QUARTER_HOUR, guess.message)
  await spend(service, guess.subject, ALL_STRANGERS, guess.message)
}

/** A guess at a mailed token costs as much as a guess at a password. */
export async function limitLinks(context: AnyContext): Promise<void> {
  await spend(
    context.service,
    `account-link:ip:${clientKey(context.ip)}`,
    QUARTER_HOUR,
    'Too many attempts; wait and try again.',
  )
}

/**
 * Counted whether the address has an account or not, so that the refusal reveals nothing. Links work longer than it takes
 * to be allowed another mail: a person whose mails strangers used up has a working link in the mailbox.
 */
export async function limitLinkMails(
  context: AnyContext,
  about: 'reset' | 'sign-in',
  email: string,
): Promise<void> {
  const message = 'Too many mails were requested for this address; use the newest one, or wait.'
  await spend(context.service, `${about}-mail:ip:${clientKey(context.ip)}`, ofNetwork(context), message)
  await spend(context.service, `${about}-mail:address:${normaliseEmail(email)}`, HOUR, message)
}

export async function limitAccountMails(context: UserContext): Promise<void> {
  await spend(
    context.service,
    `account-mail:${context.caller.userId}`,
    HOUR,
    'Too many mails were asked for; wait and try again.',
  )
}

/** Bounds guesses of the current password. */
export async function limitPasswordTries(context: UserContext): Promise<void> {
  await spend(
    context.service,
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
  { db, clock }: Service,
  key: string,
  limit: { perMinute: number; burst: number },
  message: string,
): Promise<void> {
  return requireUnit(db, { key, limit, now: clock.machineNow(), message })
}
