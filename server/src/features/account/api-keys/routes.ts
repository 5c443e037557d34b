import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import type { MintedKey } from './mint.ts'
import * as operations from './operations.ts'
import * as queries from './queries.ts'

const toMinted = ({ profileId, createdAt, expiresAt, ...key }: MintedKey) => ({
  ...key,
  profile_id: profileId,
  created_at: createdAt,
  expires_at: expiresAt,
})

const toUserToken = <Row extends { name: string | null }>(row: Row) => ({ ...row, name: row.name ?? '' })

export const apiKeyRoutes: readonly Route[] = [
  route(contract.listApiKeys, async (context, { query }) => {
    const rows = await queries.listApiKeys(context.db, {
      workspaceId: context.workspaceId,
      profileId: query.profile_id ?? null,
      now: context.service.clock.machineNow(),
    })
    return {
      data: rows.map(({ authorization_id: _, grant_name: __, ...row }) => row),
    }
  }),
  route(contract.createApiKey, async (context, { body }) => ({
    data: toMinted(await operations.createApiKey(context, body)),
  })),
  ...bind(contract, { revokeApiKey: operations.revokeApiKey }),
  route(contract.rotateApiKey, async (context, { params, body }) => {
    const { minted, previous } = await operations.rotateApiKey(context, params.id, body.overlap_seconds)
    return {
      data: {
        ...toMinted(minted),
        previous: { id: previous.id, revoked_at: previous.revokedAt },
      },
    }
  }),
  ...bind(contract, { getApiUsage: operations.getApiUsage }),
  route(contract.listUserTokens, async (context) => ({
    data: (await operations.listUserTokens(context)).map(toUserToken),
  })),
  route(contract.createUserToken, async (context, { body }) => {
    const { token, ...row } = await operations.createUserToken(context, body)
    return { data: { ...toUserToken(row), token } }
  }),
  ...bind(contract, { revokeUserToken: operations.revokeUserToken }),
]
