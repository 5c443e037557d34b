import type { UserContext, WorkspaceContext } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { revokeFamily } from '../../../platform/access/authorizations.ts'
import { endWhatCredentialMade, endWhatTokensMade } from '../../../platform/access/endings.ts'
import { lockEnding, requireLiveMember } from '../../../platform/access/live-maker.ts'
import { passToKey } from '../../../platform/access/maker-queries.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { defaultKeyScopes, defaultUserTokenScopes } from '../../../platform/contract/access.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lookupHash, mintToken } from '../../../platform/secrets/tokens.ts'
import { type MintedKey, mintApiKey } from './mint.ts'
import {
  countApiKeys,
  countUserTokens,
  insertUserToken,
  listTokensOfUser,
  listUsage,
  lockApiKey,
  profileExists,
  revokeTokenOfUser,
  setKeyRevocation,
} from './queries.ts'

const DEFAULT_USAGE_DAYS = 30
const keyNotFound = () => new ApiError('not_found', 'No such API key.')

export async function createApiKey(
  context: WorkspaceContext,
  body: { profile_id: string; name: string; scopes?: string[] | undefined },
): Promise<MintedKey> {
  const { workspaceId } = context
  const now = context.service.clock.machineNow()
  const profileId = body.profile_id
  return inTransaction(context.db, async (tx) => {
    await requireLiveMember(tx, context)
    if (!(await profileExists(tx, { workspaceId, profileId })))
      throw new ApiError('not_found', 'No such profile in this workspace.')
    await requireBelowLimit(tx, 'api_keys', profileId, () => countApiKeys(tx, { profileId }))
    const scopes = [...new Set(body.scopes ?? defaultKeyScopes)]
    const minted = await mintApiKey(context.service, tx, {
      profileId,
      name: body.name,
      scopes,
      now,
      madeBy: context.caller.userId,
    })
    await recordChange(tx, context, {
      workspaceId,
      profileId,
      action: 'api_key.minted',
      subject: minted.id,
      detail: { name: body.name, scopes },
    })
    return minted
  })
}

export async function revokeApiKey(context: WorkspaceContext, id: string) {
  const { workspaceId } = context
  const now = context.service.clock.machineNow()
  const revokedAt = await inTransaction(context.db, async (tx) => {
    await lockEnding(tx, { credentialId: id })
    const key = await lockApiKey(tx, { workspaceId, id })
    if (key === undefined) throw keyNotFound()
    if (key.revoked_at !== null && key.revoked_at <= now) return key.revoked_at
    await setKeyRevocation(tx, { profileId: key.profile_id, id, revokedAt: now })
    await recordChange(tx, context, {
      workspaceId,
      profileId: key.profile_id,
      action: 'api_key.revoked',
      subject: id,
    })
    await endWhatCredentialMade(tx, context, {
      id,
      name: key.name ?? key.hint,
      workspaceId,
      profileIds: [key.profile_id],
    })
    return now
  })
  forgetCredentials(context.service)
  return { id, revoked_at: revokedAt }
}

/** The new key has the same permissions; the old key works until the overlap ends. */
export async function rotateApiKey(context: WorkspaceContext, id: string, overlapSeconds: number) {
  const { workspaceId } = context
  const now = context.service.clock.machineNow()
  const revokedAt = new Date(now.getTime() + overlapSeconds * 1000)
  const result = await inTransaction(context.db, async (tx) => {
    await requireLiveMember(tx, context)
    await lockEnding(tx, { credentialId: id })
    const key = await lockApiKey(tx, { workspaceId, id })
    if (key === undefined) throw keyNotFound()
    if (key.revoked_at !== null)
      throw new ApiError('invalid_state', 'The key was already rotated or revoked.', {
        reason: key.revoked_at > now ? 'key_already_rotated' : 'key_revoked',
      })
    await setKeyRevocation(tx, { profileId: key.profile_id, id, revokedAt })
    const app =
      key.app_id === null || key.authorization_id === null || key.grant_name === null
        ? undefined
        : { appId: key.app_id, authorizationId: key.authorization_id, grant: key.grant_name }
    const minted = await mintApiKey(context.service, tx, {
      profileId: key.profile_id,
      name: key.name ?? 'API key',
      scopes: key.scopes,
      now,
      madeBy: context.caller.userId,
      app,
    })
    await passToKey(tx, { profileId: key.profile_id, from: id, to: minted.id })
    await recordChange(tx, context, {
      workspaceId,
      profileId: key.profile_id,
      action: 'api_key.rotated',
      subject: id,
      detail: { new_id: minted.id, overlap_seconds: overlapSeconds },
    })
    return minted
  })
  forgetCredentials(context.service)
  return { minted: result, previous: { id, revokedAt } }
}

export async function getApiUsage(
  context: WorkspaceContext,
  query: { profile_id?: string | undefined; days?: number | undefined },
) {
  const to = context.now.toISOString().slice(0, 10)
  const from = addDays(to, 1 - (query.days ?? DEFAULT_USAGE_DAYS))
  const rows = await listUsage(context.db, {
    workspaceId: context.workspaceId,
    profileId: query.profile_id ?? null,
    from,
    to,
  })
  return {
    date_from: from,
    date_to: to,
    keys: rows.map((row) => ({
      ...row,
      requests: row.days.reduce((sum, day) => sum + day.requests, 0),
      errors: row.days.reduce((sum, day) => sum + day.errors, 0),
      last_used_on: row.days.at(-1)?.date ?? null,
    })),
  }
}

/** Lists user tokens and OAuth clients of the person; a client is represented by its refresh token. */
export async function listUserTokens(context: UserContext) {
  const now = context.service.clock.machineNow()
  return listTokensOfUser(context.db, { userId: context.caller.userId, now })
}

export async function createUserToken(
  context: UserContext,
  body: { name: string; scopes?: string[] | undefined },
) {
  const now = context.service.clock.machineNow()
  const minted = mintToken('user_token')
  const row = {
    id: uuidv7(now),
    hint: minted.hint,
    name: body.name,
    scopes: [...new Set(body.scopes ?? defaultUserTokenScopes)],
    created_at: now,
    expires_at: null,
  }
  const { userId } = context.caller
  await inTransaction(context.db, async (tx) => {
    await requireBelowLimit(tx, 'user_tokens', userId, () => countUserTokens(tx, { userId }))
    await insertUserToken(tx, {
      userId,
      lookupHash: lookupHash(context.service.keyring, minted.token),
      row,
    })
  })
  return { ...row, token: minted.token }
}

export async function revokeUserToken(context: UserContext, id: string): Promise<void> {
  const now = context.service.clock.machineNow()
  await inTransaction(context.db, async (tx) => {
    const revoked = await revokeTokenOfUser(tx, { userId: context.caller.userId, id, now })
    if (revoked === undefined) throw new ApiError('not_found', 'No such token.')
    await lockEnding(tx, { credentialId: revoked.authorization_id ?? id })
    if (revoked.authorization_id !== null) await revokeFamily(tx, { family: revoked.authorization_id, now })
    await endWhatTokensMade(tx, context, {
      id: revoked.authorization_id ?? id,
      userId: context.caller.userId,
      name: revoked.name,
    })
  })
  forgetCredentials(context.service)
}
