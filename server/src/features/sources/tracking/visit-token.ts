/** Tokens that continue a visit on another domain of the same business: visit, expiry and a signature. Pure. */
import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

const VERSION = 1
const HEAD_BYTES = 37
const MAC_BYTES = 16
const FORM = /^[\w-]{71}$/
export const VISIT_TOKEN_MS = 2 * 60_000

/** The tracker's cookie format: visitor, session, last activity. */
const VISITOR =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-z]{1,10}$/

/** A token is valid only in the browser and for the profile that it was created for. */
export type Holder = { profileId: string; userAgent: string; pepper: KeyObject; now: Date }

/** Undefined if the text is not a visit. */
export function signVisit(visitor: string, holder: Holder): string | undefined {
  const [, id, session] = VISITOR.exec(visitor) ?? []
  if (id === undefined || session === undefined) return undefined
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = VERSION
  head.writeUInt32BE(Math.floor((holder.now.getTime() + VISIT_TOKEN_MS) / 1000), 1)
  head.write(id.replaceAll('-', ''), 5, 'hex')
  head.write(session.replaceAll('-', ''), 21, 'hex')
  return Buffer.concat([head, macOf(head, holder)]).toString('base64url')
}

/** The visit, with its last activity set to now; undefined if the token is forged, expired or for another browser or profile. */
export function readVisit(token: string, holder: Holder): string | undefined {
  if (!FORM.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const head = bytes.subarray(0, HEAD_BYTES)
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(head, holder)) || head[0] !== VERSION)
    return undefined
  const now = holder.now.getTime()
  if (head.readUInt32BE(1) * 1000 <= now) return undefined
  return `${uuidAt(head, 5)}.${uuidAt(head, 21)}.${now.toString(36)}`
}

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const uuidAt = (bytes: Buffer, at: number) =>
  bytes.toString('hex', at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

function macOf(head: Buffer, { profileId, userAgent, pepper }: Holder): Buffer {
  return createHmac('sha256', pepper)
    .update(`whence visit token\n${profileId}\n${userAgent.length}\n${userAgent}\n`)
    .update(head)
    .digest()
    .subarray(0, MAC_BYTES)
}
