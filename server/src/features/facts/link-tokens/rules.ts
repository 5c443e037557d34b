/** Link tokens: identifier of the recipient, expiry and an HMAC. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { identifierKinds } from '@whence/engine'
import type { IdentifierRef } from '../identity/identifiers.ts'

const VERSION = 1
const HEAD_BYTES = 22
const MAC_BYTES = 16
const FORM = /^[\w-]{51}$/

export type Linked = { identifier: IdentifierRef; expiresAt: Date }

/** Contains version, kind, expiry in seconds and identifier. The profile is only part of the signature. */
export function signLinkToken(linked: Linked, profileId: string, secret: string): string {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = VERSION
  head[1] = identifierKinds.indexOf(linked.identifier.kind)
  head.writeUInt32BE(Math.floor(linked.expiresAt.getTime() / 1000), 2)
  head.write(linked.identifier.id.replaceAll('-', ''), 6, 'hex')
  return Buffer.concat([head, macOf(head, profileId, secret)]).toString('base64url')
}

/** The identifier of the token; undefined if it is forged, expired or of another profile. */
export function readLinkToken(
  token: string,
  { profileId, secret, now }: { profileId: string; secret: string; now: Date },
): IdentifierRef | undefined {
  if (!FORM.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const head = bytes.subarray(0, HEAD_BYTES)
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(head, profileId, secret))) return undefined
  const kind = identifierKinds[head[1]!]
  if (head[0] !== VERSION || kind === undefined) return undefined
  if (head.readUInt32BE(2) * 1000 <= now.getTime()) return undefined
  const hex = head.toString('hex', 6)
  return { kind, id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') }
}

function macOf(head: Buffer, profileId: string, secret: string): Buffer {
  return createHmac('sha256', secret)
    .update(`whence link token\n${profileId}\n`)
    .update(head)
    .digest()
    .subarray(0, MAC_BYTES)
}

/** Adds the token as the last query parameter; the rest of the URL is unchanged. */
export function withToken(url: string, name: string, token: string): string {
  const [address, ...fragment] = url.split('#')
  const joint = address!.includes('?') ? '&' : '?'
  return [`${address}${joint}${name}=${token}`, ...fragment].join('#')
}
