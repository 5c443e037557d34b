/**
 * Tokens that the service issues. Each has a prefix for its kind and a checksum, so that mistyped or foreign tokens are
 * rejected without a database query and secret scanners can find leaked ones. Only a keyed hash of a token is stored.
 */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Keyring, type MasterKey, subkey } from './keyring.ts'

const prefixes = {
  api_key: { live: 'whence_live_', test: 'whence_test_' },
  user_token: { live: 'whence_user_', test: 'whence_user_' },
  session: { live: 'whence_sess_', test: 'whence_sess_' },
  tracking_key: { live: 'trk_live_', test: 'trk_test_' },
  app_secret: { live: 'whence_secret_', test: 'whence_secret_' },
  account_link: { live: 'whence_link_', test: 'whence_link_' },
  invitation: { live: 'whence_invite_', test: 'whence_invite_' },
  authorization_code: { live: 'whence_code_', test: 'whence_code_' },
  access_token: { live: 'whence_access_', test: 'whence_access_' },
  refresh_token: { live: 'whence_refresh_', test: 'whence_refresh_' },
} as const

export type TokenKind = keyof typeof prefixes
export type TokenMode = 'live' | 'test'
export type MintedToken = {
  token: string
  /** Ten characters that identify the token without revealing it. */
  publicId: string
  /** Masked form for lists. */
  hint: string
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PUBLIC_ID = 10
const SECRET = 43
const CHECKSUM = 6
const tokenForm = /^([a-z]+_[a-z]+_)([0-9A-Za-z]{10})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

const kinds = new Map<string, { kind: TokenKind; mode: TokenMode }>()
for (const kind of Object.keys(prefixes) as TokenKind[]) {
  kinds.set(prefixes[kind].test, { kind, mode: 'test' })
  kinds.set(prefixes[kind].live, { kind, mode: 'live' })
}

export function mintToken(kind: TokenKind, mode: TokenMode = 'live'): MintedToken {
  const publicId = randomBase62(PUBLIC_ID)
  const body = `${prefixes[kind][mode]}${publicId}_${randomBase62(SECRET)}`
  const token = body + checksum(body)
  return { token, publicId, hint: `${prefixes[kind][mode]}${publicId}…${token.slice(-4)}` }
}

/** Parses kind and public id; undefined if format or checksum is wrong. Does not prove that the token is valid. */
export function readToken(token: string): { kind: TokenKind; mode: TokenMode; publicId: string } | undefined {
  const match = tokenForm.exec(token)
  const claim = match && kinds.get(match[1]!)
  if (!claim) return undefined
  return checksum(token.slice(0, -CHECKSUM)) === match[4] ? { ...claim, publicId: match[2]! } : undefined
}

/** An opaque random secret: states, verifiers, one-time links. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** The stored hash of a token, under the current master key. */
export function lookupHash(keyring: Keyring, token: string): Buffer {
  return hashUnder(keyring.current, token)
}

/** Possible stored hashes of a presented token, current key first. */
export function lookupHashes(keyring: Keyring, token: string): Buffer[] {
  return keyring.keys.map((key) => hashUnder(key, token))
}

/** Constant-time comparison, for any lengths. */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

function hashUnder(key: MasterKey, token: string): Buffer {
  return createHmac('sha256', subkey(key, 'token-lookup')).update(token).digest()
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) text += BASE62[randomInt(62)]
  return text
}

function checksum(text: string): string {
  let remaining = crc32(text)
  let encoded = ''
  for (let i = 0; i < CHECKSUM; i++) {
    encoded = BASE62[remaining % 62] + encoded
    remaining = Math.floor(remaining / 62)
  }
  return encoded
}
