/** Authorization codes: valid once, for 60 seconds. A replayed code revokes everything issued with it. */
import { sql } from 'kysely'
import type { Service } from '../../../context.ts'
import { isHealthcare } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { endConsent } from '../../../platform/access/endings.ts'
import { findMembership, findProfileRef } from '../../../platform/access/queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { personScopes } from '../../../platform/contract/access.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import { lookupHash, lookupHashes, mintToken } from '../../../platform/secrets/tokens.ts'
import { revokeAuthorizations } from '../../sources/connections/authorizations.ts'
import { grantToApp } from '../apps/grants.ts'
import { getApp } from '../apps/queries.ts'
import type { GrantPlan } from '../apps/rules.ts'
import { type AuthorizationRequest, type Client, matchesChallenge } from './rules.ts'
import { issueTokens, type TokenResponse } from './tokens.ts'

const CODE_LIFETIME_MS = 60_000

type Detail = {
  client_id: string
  redirect_uri: string
  code_challenge: string
  scopes: string[]
  plan: GrantPlan | null
  client_name: string
  authorization_ids?: string[]
}

export async function issueCode(
  service: Service,
  client: Client,
  request: AuthorizationRequest,
  grantedBy: { userId: string; profileId: string | null },
): Promise<string> {
  const now = service.clock.machineNow()
  const minted = mintToken('authorization_code')
  const detail: Detail = {
    client_id: client.clientId,
    redirect_uri: request.redirectUri,
    code_challenge: request.codeChallenge,
    scopes: request.scopes,
    plan: request.plan,
    client_name: client.name,
  }
  await insertRow(service.db, 'credentials', {
    id: uuidv7(now),
    kind: 'oauth_code',
    lookup_hash: lookupHash(service.keyring, minted.token),
    hint: minted.hint,
    user_id: grantedBy.userId,
    profile_id: grantedBy.profileId,
    app_id: client.kind === 'partner' ? client.appId : null,
    // Token family of a public client.
    authorization_id: client.kind === 'public' ? uuidv7(now) : null,
    detail: JSON.stringify(detail),
    created_at: now,
    expires_at: new Date(now.getTime() + CODE_LIFETIME_MS),
  })
  return minted.token
}

type CodeRow = {
  id: string
  user_id: string
  profile_id: string | null
  app_id: string | null
  authorization_id: string | null
  detail: Detail
  expires_at: Date
  revoked_at: Date | null
}

/** Undefined means `invalid_grant`, whatever the reason. */
export async function exchangeCode(
  service: Service,
  params: { clientId: string; code: string; redirectUri: string; verifier: string },
): Promise<TokenResponse | undefined> {
  const now = service.clock.machineNow()
  const tokens = await service.db.transaction().execute(async (tx) => {
    const row = await lockCode(tx, lookupHashes(service.keyring, params.code))
    if (row === undefined || row.detail.client_id !== params.clientId) return undefined
    if (row.revoked_at !== null) {
      await revokeIssued(service, tx, row, now)
      return undefined
    }
    await rowsWhere(tx, 'credentials', { id: row.id }).update({ revoked_at: now })
    if (row.expires_at <= now || row.detail.redirect_uri !== params.redirectUri) return undefined
    if (!matchesChallenge(params.verifier, row.detail.code_challenge)) return undefined
    return row.app_id === null
      ? issuePersonTokens(service, tx, row, now)
      : issueProfileKeys(service, tx, row, now)
  })
  forgetCredentials(service)
  return tokens
}

async function lockCode(tx: Tx, hashes: Buffer[]): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`
    select id, user_id, profile_id, app_id, authorization_id, detail, expires_at, revoked_at
    from credentials
    where lookup_hash = any(${hashes}::bytea[]) and kind = 'oauth_code' for update`.execute(tx)
  return rows[0]
}

/** A replay means that the code leaked, so everything issued with it is revoked. */
async function revokeIssued(service: Service, tx: Tx, row: CodeRow, now: Date): Promise<void> {
  await revokeAuthorizations(tx, { authorizationIds: row.detail.authorization_ids ?? [], now })
  if (row.authorization_id !== null)
    await endConsent(tx, service, {
      id: row.authorization_id,
      userId: row.user_id,
      name: row.detail.client_name,
    })
}

async function issuePersonTokens(service: Service, tx: Tx, row: CodeRow, now: Date): Promise<TokenResponse> {
  return issueTokens(service, tx, {
    userId: row.user_id,
    family: row.authorization_id!,
    clientId: row.detail.client_id,
    clientName: row.detail.client_name,
    scopes: row.detail.scopes,
    now,
  })
}

/** The partner's access token is an API key of the profile. The person's permissions are checked again. */
async function issueProfileKeys(
  service: Service,
  tx: Tx,
  row: CodeRow,
  now: Date,
): Promise<TokenResponse | undefined> {
  const { plan } = row.detail
  if (plan === null || row.profile_id === null || row.app_id === null) return undefined
  const profileId = row.profile_id
  const verdict = await canGrant(tx, { userId: row.user_id, profileId, plan })
  if (!verdict.ok) return undefined
  const keys = await grantToApp(service, tx, {
    app: await getApp(tx, row.app_id),
    profileId,
    userId: row.user_id,
    plan,
    allowsAdoption: plan.adoption,
    now,
  })
  const detail: Detail = { ...row.detail, authorization_ids: keys.authorizationIds }
  await rowsWhere(tx, 'credentials', { id: row.id }).update({ detail: JSON.stringify(detail) })
  await recordChange(
    tx,
    { now },
    {
      workspaceId: verdict.workspaceId,
      profileId,
      action: 'app.authorized',
      subject: row.app_id,
      detail: { user_id: row.user_id, scopes: row.detail.scopes },
    },
  )
  return {
    access_token: keys.apiKey,
    token_type: 'Bearer',
    scope: row.detail.scopes.join(' '),
    profile_id: profileId,
    ...(keys.connectionsKey === null ? {} : { connections_key: keys.connectionsKey }),
  }
}

export type GrantVerdict =
  | { ok: true; workspaceId: string }
  | {
      ok: false
      reason:
        | 'not_found'
        | 'forbidden'
        | 'permission_missing'
        | 'adoption_forbidden'
        | 'healthcare_scope_forbidden'
    }

/** Editors and above can grant an app permissions on a profile; adoption requires an admin or owner. On healthcare profiles person-level scopes are never granted. */
export async function canGrant(
  db: Service['db'] | Tx,
  params: { userId: string; profileId: string; plan: GrantPlan },
): Promise<GrantVerdict> {
  const profile = await findProfileRef(db, { profileId: params.profileId })
  if (profile === undefined) return { ok: false, reason: 'not_found' }
  const { workspaceId } = profile
  const member = await findMembership(db, { profile, userId: params.userId })
  if (member === undefined) return { ok: false, reason: 'not_found' }
  const { role, permissions } = member
  if (role === 'viewer') return { ok: false, reason: 'forbidden' }
  if (params.plan.adoption && role !== 'owner' && role !== 'admin')
    return { ok: false, reason: 'adoption_forbidden' }
  const requested = [...(params.plan.data?.scopes ?? []), ...(params.plan.connections?.scopes ?? [])]
  // A person cannot grant more than their own permissions.
  if (permissions.length > 0 && !requested.every((scope) => permissions.includes(scope)))
    return { ok: false, reason: 'permission_missing' }
  if (isHealthcare(profile) && requested.some((scope) => personScopes.includes(scope)))
    return { ok: false, reason: 'healthcare_scope_forbidden' }
  return { ok: true, workspaceId }
}
