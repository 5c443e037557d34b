/**
 * What a hand-off's link and a consent's way back carry. Both are derived from the master keys, so
 * nothing of them is stored: a link is its hand-off's id with a MAC; a state is signed, lives fifteen
 * minutes, and holds only in the browser that has the cookie of the same attempt.
 */
import { createHash, createHmac } from 'node:crypto'
import type { Service } from '../../../context.ts'
import { cookieName, setCookie } from '../../../platform/http/base-path.ts'
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

const verifierCookie = (attempt: string) => `connect_${attempt}`

const browserCookie = (attempt: string) => `browser_${attempt}`

/**
 * The verifier goes with the state, after fifteen minutes. What only shows the browser again stays as
 * long as a link lives, so that a person who comes back too late can be distinguished from a stranger.
 */
export function attemptCookies(
  { config, keyring }: Pick<Service, 'config' | 'keyring'>,
  { attempt, verifier }: { attempt: string; verifier: string },
): string[] {
  const mark = browserMark(keyring.current, attempt)
  return [
    setCookie(config, { name: verifierCookie(attempt), value: verifier, seconds: STATE_LIFE_MS / 1000 }),
    setCookie(config, { name: browserCookie(attempt), value: mark, seconds: HANDOFF_LIFE_MS / 1000 }),
  ]
}

export function clearedCookies({ config }: Pick<Service, 'config'>, attempt: string): string[] {
  return [verifierCookie(attempt), browserCookie(attempt)].map((name) =>
    setCookie(config, { name, value: '', seconds: 0 }),
  )
}

const browserMark = (key: MasterKey, attempt: string) =>
  macOf(key, 'handoff-browser', attempt).toString('base64url')

/** Whether the attempt was begun in this browser, however long ago. */
export function isSameBrowser(
  { config, keyring }: Pick<Service, 'config' | 'keyring'>,
  { attempt }: Attempt,
  cookie: (name: string) => string | undefined,
): boolean {
  const given = cookie(cookieName(config, browserCookie(attempt)))
  return given !== undefined && keyring.keys.some((key) => isSameSecret(browserMark(key, attempt), given))
}

/** The verifier, where this browser is the one that started the attempt. */
export function verifierOf(
  { config }: Pick<Service, 'config'>,
  attempt: Attempt,
  cookie: (name: string) => string | undefined,
): string | undefined {
  const verifier = cookie(cookieName(config, verifierCookie(attempt.attempt)))
  return verifier !== undefined && isSameSecret(challengeOf(verifier), attempt.challenge)
    ? verifier
    : undefined
}

function macOf(key: MasterKey, purpose: string, data: Uint8Array | string): Buffer {
  return createHmac('sha256', subkey(key, purpose)).update(data).digest()
}
