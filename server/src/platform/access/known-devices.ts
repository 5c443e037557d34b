/**
 * Cookies of browsers that have entered a correct password before. Such a cookie gives no access: it gives its browser
 * separate password attempts, so that attackers cannot use them up.
 */
import { createHmac, type KeyObject } from 'node:crypto'
import type { Service } from '../../context.ts'
import { cookieName, setCookie } from '../http/base-path.ts'
import { isSameSecret, randomToken } from '../secrets/tokens.ts'
import { normaliseEmail } from './rules.ts'

const LIFETIME_SECONDS = 180 * 86_400

const sign = (key: KeyObject, subject: string, id: string): string =>
  createHmac('sha256', key).update(`known device ${id} ${subject}`).digest('base64url')

/** `subject` is what the password opens: an account, a snapshot or a live link. */
export function mintDevice(key: KeyObject, subject: string, now: Date): string {
  const id = `${Math.floor(now.getTime() / 1000)}-${randomToken(16)}`
  return `${id}.${sign(key, subject, id)}`
}

/** The device's id; undefined if the cookie is missing, expired, forged or for another subject. */
export function readDevice(
  key: KeyObject,
  subject: string,
  cookie: string | undefined,
  now: Date,
): string | undefined {
  const [, id, seconds, signature] = /^((\d{1,12})-[\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (id === undefined || !isSameSecret(signature!, sign(key, subject, id))) return undefined
  return now.getTime() / 1000 - Number(seconds) < LIFETIME_SECONDS ? id : undefined
}

export const accountSubject = (email: string): string => `sign-in:account:${normaliseEmail(email)}`
export const snapshotSubject = (id: string): string => `snapshot:${id}`
export const liveLinkSubject = (id: string): string => `live-link:${id}`

export const accountDeviceName = ({ config }: Pick<Service, 'config'>): string => cookieName(config, 'device')
export const linkDeviceName = ({ config }: Pick<Service, 'config'>, id: string): string =>
  cookieName(config, `device_${id}`)

type Minter = Pick<Service, 'identityPepper' | 'clock' | 'config'>

/** Makes the browser a known device of the account. */
export const accountDeviceCookie = (service: Minter, user: { email: string }): string =>
  toCookie(service, 'device', accountSubject(user.email))

/** Makes the browser a known device of the shared snapshot. */
export const snapshotDeviceCookie = (service: Minter, id: string): string =>
  toCookie(service, `device_${id}`, snapshotSubject(id))

/** Makes the browser a known device of the live link. */
export const liveLinkDeviceCookie = (service: Minter, id: string): string =>
  toCookie(service, `device_${id}`, liveLinkSubject(id))

function toCookie({ identityPepper, clock, config }: Minter, name: string, subject: string): string {
  const value = mintDevice(identityPepper, subject, clock.machineNow())
  return setCookie(config, { name, value, seconds: LIFETIME_SECONDS })
}
