/**
 * What a hand-off's link and a consent's way back carry. Both are derived from the master keys, so
 * nothing of them is stored: a link is its hand-off's id with a MAC; a state is signed, lives fifteen
 * minutes, and holds only in the browser that has the cookie of the same attempt.
 */
import { createHash, createHmac } from 'node:crypto'
import { type Keyring, type MasterKey, subkey } from '../../../platform/secrets/keyring.ts'
import { isSameSecret, randomToken } from '../../../platform/secrets/tokens.ts'
import { HANDOFF_LIFE_MS } from './rules.ts'

export const STATE_LIFE_MS = 15 * 60_000
const ID_BYTES = 16
const TOKEN_FORM = /^[A-Za-z0-9_-]{64}$/

export function toLinkToken(keyring: Keyring, handoffId: string): string {
  const id = Buffer.from(handoffId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, macOf(keyring.current, 'handoff-link', id)]).toString('base64url')
}

/** The hand-off's id, where the token was made by one of our keys. */
export function readLinkToken(keyring: Keyring, token: string): string | undefined {
  if (!TOKEN_FORM.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, ID_BYTES)
  const given = bytes.subarray(ID_BYTES)
  if (!keyring.keys.some((key) => isSameSecret(macOf(key, 'handoff-link', id), given))) return undefined
  const hex = id.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export type Attempt = {
  handoffId: string
  provider: string
  /** Names the attempt's cookie, so that two tabs do not disturb each other. */
  attempt: string
  /** S256 of the verifier in the cookie: what binds the state to the browser, and PKCE. */
  challenge: string
  issuedAt: Date
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export function newAttempt(
  handoffId: string,
  provider: string,
  issuedAt: Date,
): Attempt & { verifier: string } {
  const verifier = randomToken(32)
  const attempt = randomToken(12)
  return { handoffId, provider, attempt, challenge: challengeOf(verifier), issuedAt, verifier }
}

export function signState(keyring: Keyring, attempt: Attempt): string {
  const content = [
    attempt.handoffId,
    attempt.provider,
    attempt.attempt,
    attempt.challenge,
    attempt.issuedAt.getTime(),
  ]
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${payload}.${macOf(keyring.current, 'handoff-state', payload).toString('base64url')}`
}

/** Undefined for anything that none of our keys signed; whether it is late is the caller's question. */
export function readState(keyring: Keyring, state: string | undefined): Attempt | undefined {
  const [payload, signature, ...rest] = (state ?? '').slice(0, 2000).split('.')
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined
  const isOurs = keyring.keys.some((key) =>
    isSameSecret(macOf(key, 'handoff-state', payload).toString('base64url'), signature),
  )
  if (!isOurs) return undefined
  const [handoffId, provider, attempt, challenge, issuedAt] = JSON.parse(
    Buffer.from(payload, 'base64url').toString('utf8'),
  ) as [string, string, string, string, number]
  return { handoffId, provider, attempt, challenge, issuedAt: new Date(issuedAt) }
}

const cookieName = (attempt: string) => `__Host-whence_connect_${attempt}`

const browserCookieName = (attempt: string) => `__Host-whence_browser_${attempt}`

const setCookie = (name: string, value: string, seconds: number) =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`

/**
 * The verifier goes with the state, after fifteen minutes. What only shows the browser again stays as
 * long as a link lives, so that a person who comes back too late can be distinguished from a stranger.
 */
export function attemptCookies(keyring: Keyring, attempt: { attempt: string; verifier: string }): string[] {
  const mark = browserMark(keyring.current, attempt.attempt)
  return [
    setCookie(cookieName(attempt.attempt), attempt.verifier, STATE_LIFE_MS / 1000),
    setCookie(browserCookieName(attempt.attempt), mark, HANDOFF_LIFE_MS / 1000),
  ]
}

export function clearedCookies(attempt: string): string[] {
  return [cookieName(attempt), browserCookieName(attempt)].map((name) => setCookie(name, '', 0))
}

const browserMark = (key: MasterKey, attempt: string) =>
  macOf(key, 'handoff-browser', attempt).toString('base64url')

/** Whether the attempt was begun in this browser, however long ago. */
export function isSameBrowser(
  keyring: Keyring,
  { attempt }: Attempt,
  cookie: (name: string) => string | undefined,
): boolean {
  const given = cookie(browserCookieName(attempt))
  return given !== undefined && keyring.keys.some((key) => isSameSecret(browserMark(key, attempt), given))
}

/** The verifier, where this browser is the one that started the attempt. */
export function verifierOf(
  attempt: Attempt,
  cookie: (name: string) => string | undefined,
): string | undefined {
  const verifier = cookie(cookieName(attempt.attempt))
  return verifier !== undefined && isSameSecret(challengeOf(verifier), attempt.challenge)
    ? verifier
    : undefined
}

function macOf(key: MasterKey, purpose: string, data: Uint8Array | string): Buffer {
  return createHmac('sha256', subkey(key, purpose)).update(data).digest()
}
