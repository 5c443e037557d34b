import { type Route, route } from '../../../platform/http/route.ts'
import {
  createApiKey,
  createUserToken,
  getApiUsage,
  listApiKeys,
  listUserTokens,
  revokeApiKey,
  revokeUserToken,
  rotateApiKey,
} from './contract.ts'
import type { MintedKey } from './mint.ts'
import * as operations from './operations.ts'
import * as queries from './queries.ts'

const toIso = (date: Date | null) => date?.toISOString() ?? null

const toMinted = (key: MintedKey) => ({
  id: key.id,
  key: key.key,
  hint: key.hint,
  name: key.name,
  profile_id: key.profileId,
  scopes: key.scopes,
  created_at: key.createdAt.toISOString(),
  expires_at: toIso(key.expiresAt),
})

const toUserToken = (row: {
  id: string
  hint: string
  name: string | null
  scopes: string[]
  created_at: Date
  expires_at: Date | null
}) => ({
  id: row.id,
  hint: row.hint,
  name: row.name ?? '',
  scopes: row.scopes,
  created_at: row.created_at.toISOString(),
  expires_at: toIso(row.expires_at),
})

export const apiKeyRoutes: readonly Route[] = [
  route(listApiKeys, async (context, { query }) => {
    const rows = await queries.listApiKeys(context.db, {
      workspaceId: context.workspaceId,
      profileId: query.profile_id ?? null,
      now: context.service.clock.machineNow(),
    })
    return {
      data: rows.map((row) => ({
        id: row.id,
        hint: row.hint,
        name: row.name,
        profile_id: row.profile_id,
        scopes: row.scopes,
        app_id: row.app_id,
        created_at: row.created_at.toISOString(),
        expires_at: toIso(row.expires_at),
        revoked_at: toIso(row.revoked_at),
        last_used_on: row.last_used_on,
      })),
    }
  }),
  route(createApiKey, async (context, { body }) => ({
    data: toMinted(await operations.createApiKey(context, body)),
  })),
  route(revokeApiKey, async (context, { params: { id } }) => ({
    data: { id, revoked_at: (await operations.revokeApiKey(context, id)).toISOString() },
  })),
  route(rotateApiKey, async (context, { params, body }) => {
    const { minted, previous } = await operations.rotateApiKey(context, params.id, body.overlap_seconds)
    return {
      data: {
        ...toMinted(minted),
        previous: { id: previous.id, revoked_at: previous.revokedAt.toISOString() },
      },
    }
  }),
  route(getApiUsage, async (context, { query }) => ({ data: await operations.getApiUsage(context, query) })),
  route(listUserTokens, async (context) => ({
    data: (await operations.listUserTokens(context)).map(toUserToken),
  })),
  route(createUserToken, async (context, { body }) => {
    const { token, ...row } = await operations.createUserToken(context, body)
    return { data: { ...toUserToken(row), token } }
  }),
  route(revokeUserToken, async (context, { params }) => {
    await operations.revokeUserToken(context, params.id)
    return { data: null }
  }),
]
