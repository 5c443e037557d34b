/** The step between two requests of a sign-in: works once, for five minutes, for five tries, in one browser. */
import type { AnyContext, Service } from '../../../context.ts'
import { uuidv7 } from '../../contract/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { insertRow, rowsWhere } from '../../db/rows.ts'
import { cookieName, setCookie } from '../../http/base-path.ts'
import { isSameSecret, lookupHash, lookupHashes, randomToken } from '../../secrets/tokens.ts'
import type { SignInMethod } from '../session-details.ts'

const LIFETIME_MS = 5 * 60_000
const MAX_TRIES = 5
const COOKIE = 'challenge'

export type Purpose = 'second_factor' | 'passkey' | 'reauthenticate'
export type Challenge = {
  id: string
  user_id: string | null
  passkey_challenge: string
  methods: SignInMethod[]
  sso_workspace_id: string | null
  isLastTry: boolean
}
export type NewChallenge = {
  purpose: Purpose
  userId: string | null
  passkeyChallenge: string
  methods?: readonly SignInMethod[]
  ssoWorkspaceId?: string | null
}
export type Minted = { token: string; expiresAt: Date; cookie: string | null }

export async function mintChallenge(
  context: Pick<AnyContext, 'service' | 'wantsCookie'>,
  db: Db | Tx,
  challenge: NewChallenge,
): Promise<Minted> {
  const { service } = context
  const now = service.clock.machineNow()
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  const token = randomToken()
  const browser = context.wantsCookie ? randomToken() : null
  await insertRow(db, 'sign_in_challenges', {
    id: uuidv7(now),
    user_id: challenge.userId,
    purpose: challenge.purpose,
    token_hash: lookupHash(service.keyring, token),
    browser_hash: browser === null ? null : lookupHash(service.keyring, browser),
    passkey_challenge: challenge.passkeyChallenge,
    methods: [...(challenge.methods ?? [])],
    sso_workspace_id: challenge.ssoWorkspaceId ?? null,
    created_at: now,
    expires_at: expiresAt,
  })
  const cookie =
    browser && setCookie(service.config, { name: COOKIE, value: browser, seconds: LIFETIME_MS / 1000 })
  return { token, expiresAt, cookie }
}

export const challengeCookieName = ({ config }: Pick<Service, 'config'>): string => cookieName(config, COOKIE)

/**
 * Counts a try, outside of the transaction that may fail. Undefined if the challenge is unknown, expired, used up or
 * began in another browser.
 */
export async function tryChallenge(
  service: Service,
  params: { token: string; purpose: Purpose; browser: string | undefined },
): Promise<Challenge | undefined> {
  const { keyring } = service
  const row = await service.db
    .updateTable('sign_in_challenges')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', 'in', lookupHashes(keyring, params.token))
    .where('purpose', '=', params.purpose)
    .where('tries', '<', MAX_TRIES)
    .where('expires_at', '>', service.clock.machineNow())
    .returning(['id', 'user_id', 'passkey_challenge', 'methods', 'sso_workspace_id', 'browser_hash', 'tries'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { browser_hash: expected, tries, ...challenge } = row
  if (expected !== null) {
    const hashes = params.browser === undefined ? [] : lookupHashes(keyring, params.browser)
    if (!hashes.some((hash) => isSameSecret(hash, expected))) return undefined
  }
  return { ...challenge, isLastTry: tries >= MAX_TRIES } as Challenge
}

/** False if another request has used it: of two concurrent uses only one succeeds. */
export const spendChallenge = async (tx: Tx, { id }: Pick<Challenge, 'id'>): Promise<boolean> =>
  (await rowsWhere(tx, 'sign_in_challenges', { id }).delete()) === 1
