/** Link tokens consist of two ids and their HMAC, so that they can be shown again without being stored. Pure. */
import { createHmac, type KeyObject } from 'node:crypto'
import { isSameSecret } from '../../../platform/secrets/tokens.ts'

export type LinkIds = { profileId: string; id: string }

/** How long a browser stays unlocked after the password was entered. */
export const UNLOCKED_SECONDS = 12 * 3600

const sign = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

const toBytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const toUuid = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export function linkToken(key: KeyObject, { profileId, id }: LinkIds): string {
  const ids = Buffer.concat([toBytes(profileId), toBytes(id)]).toString('base64url')
  return `${ids}.${sign(key, `live link ${ids}`)}`
}

/** The ids; undefined if the signature is invalid. */
export function readLinkToken(key: KeyObject, token: string): LinkIds | undefined {
  const [, ids, signature] = /^([\w-]{43})\.([\w-]{43})$/.exec(token) ?? []
  if (ids === undefined || !isSameSecret(signature!, sign(key, `live link ${ids}`))) return undefined
  const bytes = Buffer.from(ids, 'base64url')
  return { profileId: toUuid(bytes.subarray(0, 16)), id: toUuid(bytes.subarray(16)) }
}

/** Signed cookie of a browser in which the link's password was entered. */
export function unlockedCookie(key: KeyObject, id: string, now: Date): string {
  const until = Math.floor(now.getTime() / 1000) + UNLOCKED_SECONDS
  return `${until}.${sign(key, `unlocked live link ${id} ${until}`)}`
}

export function isUnlocked(key: KeyObject, id: string, cookie: string | undefined, now: Date): boolean {
  const [, until, signature] = /^(\d{1,12})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (until === undefined || Number(until) * 1000 <= now.getTime()) return false
  return isSameSecret(signature!, sign(key, `unlocked live link ${id} ${until}`))
}

/** Black or white text, whichever has more contrast on the colour. */
export function inkOn(color: string): '#000000' | '#ffffff' {
  const [red, green, blue] = [1, 3, 5].map((offset) => {
    const channel = Number.parseInt(color.slice(offset, offset + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.179 ? '#000000' : '#ffffff'
}
