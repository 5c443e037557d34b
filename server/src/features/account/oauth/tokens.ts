/** Tokens of MCP clients: an access token for an hour and a single-use refresh token. A replayed refresh token ends the consent. */

import { sql } from 'kysely'
import type { Service } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { endConsent } from '../../../platform/access/endings.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import { lookupHash, lookupHashes, mintToken } from '../../../platform/secrets/tokens.ts'
import { revokeAuthorizations } from '../../sources/connections/authorizations.ts'

const ACCESS_SECONDS = 3600
const REFRESH_MS = 30 * DAY_MS

export type TokenResponse = {
  access_token: string
  token_type: 'Bearer'
  scope: string
  expires_in?: number
  refresh_token?: string
  profile_id?: string
  connections_key?: string
}

export async function issueTokens(
  service: Service,
  tx: Tx,
  params: {
    userId: string
    family: string
    clientId: string
    clientName: string
    scopes: string[]
    now: Date
  },
): Promise<TokenResponse> {
  const { now } = params
  const insert = async (kind: 'oauth_access' | 'oauth_refresh', lifetimeMs: number) => {
    const minted = mintToken(kind === 'oauth_access' ? 'access_token' : 'refresh_token')
    await insertRow(tx, 'credentials', {
      id: uuidv7(now),
      kind,
      lookup_hash: lookupHash(service.keyring, minted.token),
      hint: minted.hint,
      name: params.clientName,
      user_id: params.userId,
      authorization_id: params.family,
      scopes: params.scopes,
      detail: JSON.stringify({ client_id: params.clientId }),
      created_at: now,
      expires_at: new Date(now.getTime() + lifetimeMs),
    })
    return minted.token
  }
  return {
    access_token: await insert('oauth_access', ACCESS_SECONDS * 1000),
    token_type: 'Bearer',
    scope: params.scopes.join(' '),
    expires_in: ACCESS_SECONDS,
    refresh_token: await insert('oauth_refresh', REFRESH_MS),
  }
}

type TokenRow = {
  id: string
  kind: string
  user_id: string | null
  app_id: string | null
  authorization_id: string | null
  name: string | null
  scopes: string[]
  client_id: string | null
  expires_at: Date | null
  revoked_at: Date | null
}

async function lockToken(service: Service, tx: Tx, token: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    select c.id, c.kind, c.user_id, c.app_id, c.authorization_id, c.name, c.scopes, c.expires_at, c.revoked_at,
      coalesce(a.client_id, c.detail->>'client_id') as client_id
    from credentials c left join apps a on a.id = c.app_id
    where c.lookup_hash = any(${lookupHashes(service.keyring, token)}::bytea[]) for update of c`.execute(tx)
  return rows[0]
}

export async function refreshTokens(
  service: Service,
  params: { clientId: string; refreshToken: string; scope: string | undefined },
): Promise<TokenResponse | undefined> {
  const now = service.clock.machineNow()
  return service.db.transaction().execute(async (tx) => {
    const row = await lockToken(service, tx, params.refreshToken)
    if (row?.kind !== 'oauth_refresh' || row.client_id !== params.clientId) return undefined
    const family = row.authorization_id!
    if (row.revoked_at !== null) {
      await endConsent(tx, service, { id: family, userId: row.user_id!, name: row.name })
      forgetCredentials(service)
      return undefined
    }
    if (row.expires_at !== null && row.expires_at <= now) return undefined
    const requested = params.scope?.split(' ').filter((scope) => scope !== '') ?? row.scopes
    if (!requested.every((scope) => row.scopes.includes(scope))) return undefined
    await rowsWhere(tx, 'credentials', { id: row.id }).update({ revoked_at: now })
    return issueTokens(service, tx, {
      userId: row.user_id!,
      family,
      clientId: params.clientId,
      clientName: row.name ?? params.clientId,
      scopes: requested,
      now,
    })
  })
}

/** Ignores tokens of other clients, without revealing whether they exist. */
export async function revokeToken(service: Service, params: { clientId: string; token: string }) {
  const now = service.clock.machineNow()
  await service.db.transaction().execute(async (tx) => {
    const row = await lockToken(service, tx, params.token)
    if (row === undefined || row.client_id !== params.clientId || row.authorization_id === null) return
    if (row.kind === 'api_key')
      await revokeAuthorizations(tx, { authorizationIds: [row.authorization_id], now })
    if (row.kind === 'oauth_access' || row.kind === 'oauth_refresh')
      await endConsent(tx, service, { id: row.authorization_id, userId: row.user_id!, name: row.name })
  })
  forgetCredentials(service)
}
