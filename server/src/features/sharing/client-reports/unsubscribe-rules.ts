/** Unsubscribe tokens: the mail's id with an HMAC, so that tokens need no storage and cannot be guessed. Pure. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

type Mail = { profileId: string; mailId: string }

const sign = (key: KeyObject, { profileId, mailId }: Mail): string =>
  createHmac('sha256', key).update(`report unsubscribe ${profileId} ${mailId}`).digest('base64url')

export const unsubscribeToken = (key: KeyObject, mail: Mail): string =>
  `${mail.profileId}.${mail.mailId}.${sign(key, mail)}`

/** Undefined if the signature is invalid. */
export function readUnsubscribeToken(key: KeyObject, token: string): Mail | undefined {
  const [, profileId, mailId, signature] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? []
  if (profileId === undefined || mailId === undefined || signature === undefined) return undefined
  const mail = { profileId, mailId }
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, mail))) ? mail : undefined
}
