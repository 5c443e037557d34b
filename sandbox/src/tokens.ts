/**
 * The OAuth token endpoint that all sandboxes share. Codes and tokens are self-contained and signed,
 * so that they survive a restart of the service; only used codes and revocations are stored.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

export type CodeRequest = {
  accountIds: string[]
  scopes: string[]
  redirectUri: string
  codeChallenge: string | null
  manner: 'good' | 'refused' | 'slow'
}

export type Grant = { id: string; accountIds: string[]; scopes: string[]; grantedAt: number }

export type IssuedTokens = {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  grant: Grant
  /** Delay of the response if the person chose a slow provider. */
  delayMs: number
}

/** An OAuth 2.0 error code with its description. */
export type TokenRefusal = { error: string; description: string }

export type TokenServerOptions = {
  seed: string
  now: () => Date
  clientId: string
  clientSecret: string
  accessTtlSeconds: number
  /** Lifetime of an unused refresh token; unlimited by default. */
  refreshTtlSeconds?: number
  /** Each refresh issues a new refresh token and invalidates the old one. */
  rotates: boolean
  slowMs?: number
}

type Sealed = Grant & {
  kind: 'code' | 'access' | 'refresh'
  serial: string
  issuedAt: number
  expiresAt: number | null
  redirectUri?: string
  codeChallenge?: string | null
  manner?: CodeRequest['manner']
}

const codeTtlMs = 600_000

export class TokenServer {
  readonly #options: TokenServerOptions
  readonly #spent = new Set<string>()
  readonly #revokedGrants = new Set<string>()
  readonly #revokedAccounts = new Map<string, number>()
  #newestGrant: string | null = null
  #revokedUpTo = 0
  #accessEndedUpTo = 0
  #lastTick = 0
  #accessTtlSeconds: number

  constructor(options: TokenServerOptions) {
    this.#options = options
    this.#accessTtlSeconds = options.accessTtlSeconds
  }

  issueCode(request: CodeRequest): string {
    return this.#seal({
      kind: 'code',
      id: randomUUID(),
      accountIds: request.accountIds,
      scopes: request.scopes,
      grantedAt: this.#tick(),
      expiresAt: this.#options.now().getTime() + codeTtlMs,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      manner: request.manner,
    })
  }

  /** Whether the caller is the registered client. */
  knowsClient(clientId: string | null, clientSecret: string | null): boolean {
    return clientId === this.#options.clientId && clientSecret === this.#options.clientSecret
  }

  redeemCode(args: {
    code: string
    /** Null if the provider's protocol does not repeat it at the exchange. */
    redirectUri: string | null
    codeVerifier: string | null
  }): IssuedTokens | TokenRefusal {
    const code = this.#open(args.code, 'code')
    if (!code || code.manner === 'refused') return refusal('The code is not valid.')
    if (this.#spent.has(code.serial)) {
      // A code that is used twice may have leaked, so its grant is revoked.
      this.#revokedGrants.add(code.id)
      return refusal('The code was used before.')
    }
    if (args.redirectUri !== null && code.redirectUri !== args.redirectUri)
      return refusal('The redirect_uri is another one.')
    if (code.codeChallenge && !verifies(code.codeChallenge, args.codeVerifier)) {
      return refusal('The code_verifier does not match.')
    }
    this.#spent.add(code.serial)
    this.#newestGrant = code.id
    return this.#issue(code, code.manner === 'slow' ? (this.#options.slowMs ?? 3_000) : 0)
  }

  refresh(refreshToken: string): IssuedTokens | TokenRefusal {
    const sealed = this.#open(refreshToken, 'refresh')
    if (!sealed || this.#spent.has(sealed.serial)) return refusal('The refresh token is not valid.')
    if (!this.#options.rotates) return { ...this.#issue(sealed, 0), refreshToken }
    this.#spent.add(sealed.serial)
    return this.#issue(sealed, 0)
  }

  /** Exchanges a valid access token for a new one, for providers without refresh tokens. */
  extend(accessToken: string, ttlSeconds: number): IssuedTokens | TokenRefusal {
    const sealed = this.#open(accessToken, 'access')
    return sealed ? this.#issue(sealed, 0, ttlSeconds) : refusal('The access token is not valid.')
  }

  /** An access token of the same grant for some of its accounts. */
  narrow(accessToken: string, accountIds: string[]): IssuedTokens | TokenRefusal {
    const sealed = this.#open(accessToken, 'access')
    return sealed ? this.#issue({ ...sealed, accountIds }, 0) : refusal('The access token is not valid.')
  }

  /** The grant of a valid access token. */
  authenticate(accessToken: string | null): Grant | null {
    const sealed = accessToken === null ? null : this.#open(accessToken, 'access')
    return sealed ? grantOf(sealed) : null
  }

  /** Revokes the grant of a token; false if the token is unknown. */
  revoke(token: string): boolean {
    const sealed = this.#open(token, 'access') ?? this.#open(token, 'refresh')
    if (sealed) this.#revokedGrants.add(sealed.id)
    return sealed !== null
  }

  /** Revokes the grant whose code was redeemed last. */
  revokeNewest(): void {
    if (this.#newestGrant !== null) this.#revokedGrants.add(this.#newestGrant)
  }

  /** Revokes all existing grants that include the account. */
  revokeAccount(accountId: string): void {
    this.#revokedAccounts.set(accountId, this.#tick())
  }

  /** Revokes all existing grants. */
  revokeAll(): void {
    this.#revokedUpTo = this.#tick()
  }

  /** Expires all existing access tokens; refresh tokens remain valid. */
  expireAccessTokens(): void {
    this.#accessEndedUpTo = this.#tick()
  }

  /** Sets the lifetime of access tokens issued from now on. */
  setAccessTtl(seconds: number): void {
    this.#accessTtlSeconds = seconds
  }

  resetAccessTtl(): void {
    this.#accessTtlSeconds = this.#options.accessTtlSeconds
  }

  /** A strictly increasing time, so that a grant is clearly before or after a revocation. */
  #tick(): number {
    this.#lastTick = Math.max(this.#lastTick + 1, this.#options.now().getTime())
    return this.#lastTick
  }

  #issue(from: Sealed, delayMs: number, ttlSeconds = this.#accessTtlSeconds): IssuedTokens {
    const grant = grantOf(from)
    const expiresAt = this.#options.now().getTime() + ttlSeconds * 1000
    return {
      accessToken: this.#seal({ ...grant, kind: 'access', expiresAt }),
      refreshToken: this.#seal({ ...grant, kind: 'refresh', expiresAt: this.#refreshEnd() }),
      expiresInSeconds: ttlSeconds,
      grant,
      delayMs,
    }
  }

  #refreshEnd(): number | null {
    const { refreshTtlSeconds, now } = this.#options
    return refreshTtlSeconds === undefined ? null : now().getTime() + refreshTtlSeconds * 1000
  }

  #seal(content: Omit<Sealed, 'serial' | 'issuedAt'>): string {
    const sealed = { ...content, serial: randomUUID(), issuedAt: this.#tick() }
    const payload = Buffer.from(JSON.stringify(sealed)).toString('base64url')
    return `${payload}.${this.#sign(payload)}`
  }

  #open(token: string, kind: Sealed['kind']): Sealed | null {
    const [payload = '', signature = ''] = token.split('.')
    const expected = Buffer.from(this.#sign(payload))
    const actual = Buffer.from(signature)
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return null
    const sealed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Sealed
    if (sealed.kind !== kind) return null
    if (kind === 'access' && sealed.issuedAt <= this.#accessEndedUpTo) return null
    if (this.#revokedGrants.has(sealed.id) || sealed.grantedAt <= this.#revokedUpTo) return null
    if (sealed.accountIds.some((id) => sealed.grantedAt <= (this.#revokedAccounts.get(id) ?? 0))) return null
    if (sealed.expiresAt !== null && sealed.expiresAt <= this.#options.now().getTime()) return null
    return sealed
  }

  #sign(payload: string): string {
    return createHmac('sha256', `${this.#options.seed} ${this.#options.clientSecret}`)
      .update(payload)
      .digest('base64url')
  }
}

const grantOf = ({ id, accountIds, scopes, grantedAt }: Grant): Grant => ({
  id,
  accountIds,
  scopes,
  grantedAt,
})

const refusal = (description: string): TokenRefusal => ({ error: 'invalid_grant', description })

function verifies(challenge: string, verifier: string | null): boolean {
  return verifier !== null && createHash('sha256').update(verifier).digest('base64url') === challenge
}
