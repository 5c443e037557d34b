/** Rate limits of password and link attempts: by network address, by account, or by both. */
import type { AnyContext, Service, UserContext } from '../../context.ts'
import { clientKey } from '../http/open-requests.ts'
import { requireUnit } from '../http/rate-limit.ts'
import { isPublicAddress } from '../outbound/addresses.ts'
import { accountSubject, readDevice } from './known-devices.ts'
import { normaliseEmail } from './rules.ts'

const QUARTER_HOUR = { perMinute: 10 / 15, burst: 10 }
const HOUR = { perMinute: 5 / 60, burst: 5 }
/** For an address that many people may share; each account still has its own limit. */
const SHARED_ADDRESS = { perMinute: 200 / 15, burst: 200 }
/** Attempts on one password from all addresses together; limits distributed guessing. Known devices are exempt. */
const ALL_STRANGERS = { perMinute: 300 / 60, burst: 300 }

/** `device` is the cookie of a known device, if the browser sent one. */
export async function limitSignIns(
  context: AnyContext,
  email: string,
  device: string | undefined,
): Promise<void> {
  const message = 'Too many sign-in attempts; wait and retry, or sign in with a link by mail.'
  const subject = accountSubject(email)
  const { service, ip } = context
  if (await spendOfDevice(service, { subject, device, message })) return
  await spend(service, `sign-in:ip:${clientKey(ip)}`, ofNetwork(context), message)
  await spendOfStranger(service, { subject, ip, message })
}

/**
 * Ten attempts per 15 minutes per known device, and per other network address, so that attackers cannot use up
 * those of others.
 */
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

/** Mailed tokens have the same limit as passwords. */
export async function limitLinks(context: AnyContext): Promise<void> {
  await spend(
    context.service,
    `account-link:ip:${clientKey(context.ip)}`,
    QUARTER_HOUR,
    'Too many attempts; wait and retry.',
  )
}

/**
 * Counted whether or not the address has an account, so that the error reveals nothing. Links are valid for longer
 * than the limit lasts, so a person whose mails an attacker used up still has a working link in the mailbox.
 */
export async function limitLinkMails(
  context: AnyContext,
  about: 'reset' | 'sign-in',
  email: string,
): Promise<void> {
  const message = 'Too many mails were requested for this address; use the latest one, or wait.'
  await spend(context.service, `${about}-mail:ip:${clientKey(context.ip)}`, ofNetwork(context), message)
  await spend(context.service, `${about}-mail:address:${normaliseEmail(email)}`, HOUR, message)
}

export async function limitAccountMails(context: UserContext): Promise<void> {
  await spend(
    context.service,
    `account-mail:${context.caller.userId}`,
    HOUR,
    'Too many mails were requested; wait and retry.',
  )
}

/** Challenges cannot be guessed; this limits only the work that one network causes. */
export const limitSecondSteps = (context: AnyContext): Promise<void> =>
  spend(
    context.service,
    `second-step:ip:${clientKey(context.ip)}`,
    SHARED_ADDRESS,
    'Too many attempts; wait and retry.',
  )

const DAY = { perMinute: 50 / 1440, burst: 50 }

/**
 * Guesses of codes by someone who knows the password: ten per 15 minutes and 50 per day from all networks together,
 * whatever the number of sign-ins. A known device has its own ten, so that others cannot use up its owner's.
 */
export async function limitSecondFactors(
  { service }: Pick<AnyContext, 'service'>,
  user: { id: string; email: string },
  device: string | undefined,
): Promise<void> {
  const message = 'Too many attempts with the second factor; wait and retry.'
  const id = readDevice(
    service.identityPepper,
    accountSubject(user.email),
    device,
    service.clock.machineNow(),
  )
  if (id !== undefined) return spend(service, `second-factor:device:${id}`, QUARTER_HOUR, message)
  await spend(service, `second-factor:${user.id}`, QUARTER_HOUR, message)
  await spend(service, `second-factor-day:${user.id}`, DAY, message)
}

/** Limits guesses of the current password. */
export async function limitPasswordTries(context: UserContext): Promise<void> {
  await spend(
    context.service,
    `password-try:${context.caller.userId}`,
    QUARTER_HOUR,
    'Too many attempts with the current password; wait and retry.',
  )
}

/** A private address without TRUST_PROXY is most likely a proxy's: people behind it must not lock each other out. */
function ofNetwork(context: AnyContext) {
  const isShared = context.service.config.TRUST_PROXY.length === 0 && !isPublicAddress(context.ip)
  return isShared ? SHARED_ADDRESS : QUARTER_HOUR
}

/** Outside the request's transaction, so that failed attempts also count. */
function spend(
  { db, clock }: Service,
  key: string,
  limit: { perMinute: number; burst: number },
  message: string,
): Promise<void> {
  return requireUnit(db, { key, limit, now: clock.machineNow(), message })
}
