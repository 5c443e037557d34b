import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  later,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { authenticateBearer, forgetCredentials } from '../../../platform/access/authenticate.ts'
import { getMe } from '../../../platform/access/contract.ts'
import { createWorkspace, listWorkspaces } from '../workspaces/contract.ts'
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

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
})
afterAll(() => app.close())

async function works(token: string): Promise<boolean> {
  forgetCredentials(app.service)
  return (await authenticateBearer(app.service, token)) !== undefined
}

it('mints a key that is shown once and listed by its hint', async () => {
  const { data } = await owner.call(createApiKey, {
    params: { workspaceId },
    body: { profile_id: profileId, name: 'Back office' },
  })
  expect(data).toMatchObject({
    profile_id: profileId,
    scopes: ['analytics:read', 'campaigns:read', 'conversions:read', 'realtime:read'],
    expires_at: null,
  })
  const listed = await owner.call(listApiKeys, { params: { workspaceId }, query: { profile_id: profileId } })
  expect(listed.data).toContainEqual(
    expect.objectContaining({ id: data.id, hint: data.hint, revoked_at: null }),
  )
  expect(JSON.stringify(listed)).not.toContain(data.key)
})

it.each([
  [{ scopes: ['everything'] }, 422, 'validation_error'],
  [{ scopes: ['workspaces:write'] }, 422, 'validation_error'],
  [{ profile_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111' }, 404, 'not_found'],
])('refuses to mint with %j', async (fields, status, code) => {
  const body = { profile_id: profileId, name: 'No', ...fields } as { profile_id: string; name: string }
  expect(await refusalOf(owner.call(createApiKey, { params: { workspaceId }, body }))).toMatchObject({
    status,
    code,
  })
})

it('a revoked key is refused immediately, and revoking it again returns the same time', async () => {
  const minted = await owner.call(createApiKey, {
    params: { workspaceId },
    body: { profile_id: profileId, name: 'Short' },
  })
  expect(await works(minted.data.key)).toBe(true)
  const input = { params: { workspaceId, id: minted.data.id }, body: {} }
  const first = await owner.call(revokeApiKey, input)
  expect(await authenticateBearer(app.service, minted.data.key)).toBeUndefined()
  expect((await owner.call(revokeApiKey, input)).data).toEqual(first.data)
  expect(await refusalOf(owner.call(rotateApiKey, input))).toMatchObject({
    code: 'invalid_state',
    reason: 'key_revoked',
  })
})

it('a rotated key works until its overlap ends', async () => {
  const minted = await owner.call(createApiKey, {
    params: { workspaceId },
    body: { profile_id: profileId, name: 'Rotating', scopes: ['events:write'] },
  })
  const params = { workspaceId, id: minted.data.id }
  const { data } = await owner.call(rotateApiKey, { params, body: { overlap_seconds: 3600 } })
  expect(data).toMatchObject({ name: 'Rotating', scopes: ['events:write'], previous: { id: minted.data.id } })
  expect(await works(minted.data.key)).toBe(true)
  expect(await works(data.key)).toBe(true)
  expect(await refusalOf(owner.call(rotateApiKey, { params, body: {} }))).toMatchObject({
    code: 'invalid_state',
    reason: 'key_already_rotated',
  })
  await later(app, 3_601_000, async () => {
    expect(await works(minted.data.key)).toBe(false)
    expect(await works(data.key)).toBe(true)
  })
  const at = await owner.call(rotateApiKey, {
    params: { workspaceId, id: data.id },
    body: { overlap_seconds: 0 },
  })
  expect(await works(data.key)).toBe(false)
  expect(await works(at.data.key)).toBe(true)
})

it('only owners and admins of the workspace manage keys', async () => {
  const viewer = await makePerson(app, 'Viewer')
  const body = { profile_id: profileId, name: 'No' }
  expect(await refusalOf(viewer.call(createApiKey, { params: { workspaceId }, body }))).toMatchObject({
    status: 404,
  })
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: viewer.id, role: 'viewer', created_at: new Date() })
    .execute()
  expect(await refusalOf(viewer.call(createApiKey, { params: { workspaceId }, body }))).toMatchObject({
    status: 403,
    code: 'forbidden',
  })
})

it('adds up requests and errors per key and day', async () => {
  await makeKey(app, profileId, ['analytics:read'])
  const before = await owner.call(getApiUsage, { params: { workspaceId }, query: { profile_id: profileId } })
  expect(before.data.keys.length).toBeGreaterThan(0)
  await app.service.db
    .insertInto('api_usage')
    .values([
      {
        credential_id: before.data.keys[0]!.api_key_id,
        day: before.data.date_to,
        route: 'a',
        requests: 3,
        errors: 1,
      },
      {
        credential_id: before.data.keys[0]!.api_key_id,
        day: before.data.date_from,
        route: 'b',
        requests: 4,
        errors: 0,
      },
    ])
    .execute()
  const { data } = await owner.call(getApiUsage, { params: { workspaceId } })
  expect(data.keys.find((row) => row.api_key_id === before.data.keys[0]!.api_key_id)).toMatchObject({
    requests: 7,
    errors: 1,
    last_used_on: data.date_to,
    days: [
      { date: data.date_from, requests: 4, errors: 0 },
      { date: data.date_to, requests: 3, errors: 1 },
    ],
  })
})

it('a user token covers all profiles of the person, and writes to workspaces only with the scope', async () => {
  const plain = await owner.call(createUserToken, { body: { name: 'Assistant' } })
  expect(plain.data.scopes).toEqual(['mcp:read'])
  const call = app.as(plain.data.token)
  expect((await call(getMe)).data.id).toBe(owner.id)
  expect((await call(listWorkspaces)).data.length).toBeGreaterThan(0)
  expect(await refusalOf(call(createWorkspace, { body: { name: 'By token' } }))).toMatchObject({
    status: 403,
    code: 'insufficient_scope',
    required_scopes: ['workspaces:write'],
  })
  expect(await refusalOf(call(listUserTokens))).toMatchObject({ status: 401 })
  const wide = await owner.call(createUserToken, { body: { name: 'Wide', scopes: ['workspaces:write'] } })
  expect((await app.as(wide.data.token)(createWorkspace, { body: { name: 'By token' } })).data.created).toBe(
    true,
  )

  const listed = await owner.call(listUserTokens)
  expect(listed.data.map((token) => token.id)).toEqual([plain.data.id, wide.data.id])
  await owner.call(revokeUserToken, { params: { id: plain.data.id } })
  expect(await refusalOf(call(getMe))).toMatchObject({ status: 401, code: 'unauthorized' })
  const stranger = await makePerson(app, 'Stranger')
  expect(await refusalOf(stranger.call(revokeUserToken, { params: { id: wide.data.id } }))).toMatchObject({
    status: 404,
  })
})
