/** Tokens of links that mark a browser as the owner's: expiry, on or off, and a signature. Pure. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

const VERSION = 1
const HEAD_BYTES = 6
const MAC_BYTES = 16
const FORM = /^[\w-]{30}$/
export const OWN_TOKEN_MS = 30 * 60_000

type Signer = { profileId: string; pepper: KeyObject }

export function signOwnToken(isOwn: boolean, expiresAt: Date, signer: Signer): string {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = VERSION
  head[1] = isOwn ? 1 : 0
  head.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 2)
  return Buffer.concat([head, macOf(head, signer)]).toString('base64url')
}

/** Undefined if the token is forged, expired or of another profile. */
export function readOwnToken(token: string, now: Date, signer: Signer): { isOwn: boolean } | undefined {
  if (!FORM.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const head = bytes.subarray(0, HEAD_BYTES)
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(head, signer)) || head[0] !== VERSION)
    return undefined
  return head.readUInt32BE(2) * 1000 <= now.getTime() ? undefined : { isOwn: head[1] === 1 }
}

const macOf = (head: Buffer, { profileId, pepper }: Signer) =>
  createHmac('sha256', pepper)
    .update(`whence own browser\n${profileId}\n`)
    .update(head)
    .digest()
    .subarray(0, MAC_BYTES)
