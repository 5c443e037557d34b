/**
 * Link tokens of hand-offs and OAuth states. Both are signed with keys derived from the master keys
 * and not stored. A link token is the hand-off's id with a MAC. A state is valid for fifteen minutes
 * and only in the browser that has the cookie of the same attempt.
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

/** The hand-off's id, if the token was signed with one of our keys. */
export function readLinkToken(keyring: Keyring, token: string): string | undefined {
  if (!TOKEN_FORM.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, ID_BYTES)
  const mac = bytes.subarray(ID_BYTES)
  if (!keyring.keys.some((key) => isSameSecret(macOf(key, 'handoff-link', id), mac))) return undefined
  const hex = id.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export type Attempt = {
  handoffId: string
  provider: string
  /** Part of the cookie's name, so that two tabs do not overwrite each other's cookie. */
  attempt: string
  /** S256 of the verifier in the cookie: binds the state to the browser and serves as the PKCE challenge. */
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

/** Undefined if none of our keys signed it. The caller checks its age. */
export function readState(keyring: Keyring, state: string | undefined): Attempt | undefined {
  const [payload, signature, ...extraParts] = (state ?? '').slice(0, 2000).split('.')
  if (payload === undefined || signature === undefined || extraParts.length > 0) return undefined
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
 * The verifier expires with the state, after fifteen minutes. The cookie that only identifies the browser
 * lives as long as a link, so that a person who returns too late can be distinguished from a stranger.
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

/** True if the attempt was started in this browser, regardless of its age. */
export function isSameBrowser(
  { config, keyring }: Pick<Service, 'config' | 'keyring'>,
  { attempt }: Attempt,
  cookie: (name: string) => string | undefined,
): boolean {
  const mark = cookie(cookieName(config, browserCookie(attempt)))
  return mark !== undefined && keyring.keys.some((key) => isSameSecret(browserMark(key, attempt), mark))
}

/** The verifier, if this browser started the attempt. */
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
