/** Links are the two ids and a signature of them, so that they can be shown again and none is stored. Pure. */
import { createHmac, type KeyObject } from 'node:crypto'
import { isSameSecret } from '../../../platform/secrets/tokens.ts'

export type LinkIds = { profileId: string; id: string }

/** How long a browser that entered the password does not need it again. */
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

/** The ids; undefined where the token was not created here. */
export function readLinkToken(key: KeyObject, token: string): LinkIds | undefined {
  const [, ids, signature] = /^([\w-]{43})\.([\w-]{43})$/.exec(token) ?? []
  if (ids === undefined || !isSameSecret(signature!, sign(key, `live link ${ids}`))) return undefined
  const bytes = Buffer.from(ids, 'base64url')
  return { profileId: toUuid(bytes.subarray(0, 16)), id: toUuid(bytes.subarray(16)) }
}

/** Of a browser that entered the link's password. */
export function unlockedCookie(key: KeyObject, id: string, now: Date): string {
  const until = Math.floor(now.getTime() / 1000) + UNLOCKED_SECONDS
  return `${until}.${sign(key, `unlocked live link ${id} ${until}`)}`
}

export function isUnlocked(key: KeyObject, id: string, cookie: string | undefined, now: Date): boolean {
  const [, until, signature] = /^(\d{1,12})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (until === undefined || Number(until) * 1000 <= now.getTime()) return false
  return isSameSecret(signature!, sign(key, `unlocked live link ${id} ${until}`))
}

/** Black or white, whichever is easier to read on the colour. */
export function inkOn(color: string): '#000000' | '#ffffff' {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.179 ? '#000000' : '#ffffff'
}
