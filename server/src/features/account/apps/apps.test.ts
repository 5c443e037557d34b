import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCheckedClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace, type Person, refusalOf } from '../../../../test/make.ts'
import { authenticateBearer, forgetCredentials } from '../../../platform/access/authenticate.ts'
import { createProfile, listProfiles } from '../profiles/contract.ts'
import {
  acceptDpa,
  createOAuthApp,
  listConnectedApps,
  listOAuthApps,
  revokeConnectedApp,
  rotateOAuthAppSecret,
  updateOAuthApp,
  withdrawDpa,
} from './contract.ts'
import { planGrants } from './rules.ts'

let app: TestApp
let owner: Person
let workspaceId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
})
afterAll(() => app.close())

const registration = {
  name: 'Dealer suite',
  redirect_uris: ['https://suite.example/callback'],
  allowed_scopes: ['attribution' as const, 'connections' as const],
}

const register = () => owner.call(createOAuthApp, { params: { workspaceId }, body: registration })

function basic(clientId: string, secret: string) {
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  return createCheckedClient({ baseUrl: app.baseUrl, fetch: app.fetch, headers: { authorization } })
}

it('registers an app whose secret works immediately and is never shown again', async () => {
  const { data } = await register()
  expect(data.client_id).toMatch(/^[A-Za-z0-9_-]{3,64}$/)
  expect((await basic(data.client_id, data.client_secret)(listProfiles)).data).toEqual([])
  expect(await refusalOf(basic(data.client_id, `${data.client_secret}x`)(listProfiles))).toMatchObject({
    status: 401,
  })
  expect(await refusalOf(basic('app_other', data.client_secret)(listProfiles))).toMatchObject({ status: 401 })
  const listed = await owner.call(listOAuthApps, { params: { workspaceId } })
  expect(listed.data.find((row) => row.id === data.id)).toMatchObject({ ...registration, logo_url: null })
  expect(JSON.stringify(listed)).not.toContain(data.client_secret)
})

it.each([
  [{ redirect_uris: ['http://suite.example/cb'] }, 'redirect_uris'],
  [{ redirect_uris: ['https://suite.example/cb#x'] }, 'redirect_uris'],
  [{ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
  [{ allowed_return_origins: ['https://suite.example/path'] }, 'allowed_return_origins'],
  [{ allowed_scopes: ['workspaces:write'] }, 'allowed_scopes'],
  [{ logo_url: 'http://suite.example/logo.png' }, 'logo_url'],
])('refuses the registration %j', async (fields, field) => {
  const body = { ...registration, ...fields } as typeof registration
  const refusal = await refusalOf(owner.call(createOAuthApp, { params: { workspaceId }, body }))
  expect(refusal).toMatchObject({
    status: 422,
    code: 'validation_error',
    message: expect.stringContaining(field),
  })
})

it('changes only the fields that are sent', async () => {
  const { data } = await register()
  const params = { workspaceId, appId: data.id }
  const changed = await owner.call(updateOAuthApp, {
    params,
    body: { allowed_return_origins: ['http://localhost:3000'] },
  })
  expect(changed.data).toMatchObject({ ...registration, allowed_return_origins: ['http://localhost:3000'] })
  const otherParams = { workspaceId: await makeWorkspace(owner), appId: data.id }
  expect(await refusalOf(owner.call(updateOAuthApp, { params: otherParams, body: {} }))).toMatchObject({
    status: 404,
  })
})

it('never has more than two valid secrets', async () => {
  const { data } = await register()
  const params = { workspaceId, appId: data.id }
  const works = async (secret: string) => {
    forgetCredentials(app.service)
    return basic(
      data.client_id,
      secret,
    )(listProfiles).then(
      () => true,
      () => false,
    )
  }
  const second = await owner.call(rotateOAuthAppSecret, { params, body: {} })
  expect(Date.parse(second.data.previous_expires_at!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  expect([await works(data.client_secret), await works(second.data.client_secret)]).toEqual([true, true])
  const third = await owner.call(rotateOAuthAppSecret, { params, body: {} })
  expect(await works(data.client_secret)).toBe(false)
  expect([await works(second.data.client_secret), await works(third.data.client_secret)]).toEqual([
    true,
    true,
  ])
  const last = await owner.call(rotateOAuthAppSecret, { params, body: { grace_days: 0 } })
  expect([await works(third.data.client_secret), await works(last.data.client_secret)]).toEqual([false, true])
})

it('shows the agreement as accepted, then withdrawn', async () => {
  const { data } = await register()
  const input = { params: { workspaceId, appId: data.id }, body: {} }
  expect(data.dpa.status).toBe('not_accepted')
  expect(await refusalOf(owner.call(withdrawDpa, input))).toMatchObject({ code: 'invalid_state' })
  const accepted = await owner.call(acceptDpa, input)
  expect(accepted.data).toMatchObject({ app_id: data.id, status: 'accepted', withdrawn_at: null })
  expect((await owner.call(acceptDpa, input)).data).toEqual(accepted.data)
  expect((await owner.call(withdrawDpa, input)).data.status).toBe('withdrawn')
  expect((await owner.call(acceptDpa, input)).data.status).toBe('accepted')
})

it('revoking an authorization ends every key it minted', async () => {
  const { data } = await register()
  const partner = basic(data.client_id, data.client_secret)
  const created = await partner(createProfile, { body: { workspace_id: workspaceId, name: 'Dealer' } })
  const connected = await owner.call(listConnectedApps, { params: { workspaceId } })
  expect(connected.data.map((row) => [row.grant, row.profile_id])).toEqual([
    ['attribution', created.data.profile_id],
    ['connections', created.data.profile_id],
  ])
  const [first] = connected.data
  await owner.call(revokeConnectedApp, { params: { workspaceId, id: first!.id } })
  expect(await authenticateBearer(app.service, created.data.api_key!)).toBeUndefined()
  expect(await authenticateBearer(app.service, created.data.connections_key!)).toMatchObject({
    grant: 'connections',
  })
  const params = { workspaceId, id: first!.id }
  expect(await refusalOf(owner.call(revokeConnectedApp, { params }))).toMatchObject({ status: 404 })
})

it('a profile created by a person has no governing app', async () => {
  const { data } = await register()
  await makeProfile(owner, workspaceId)
  expect((await basic(data.client_id, data.client_secret)(listProfiles)).data).toEqual([])
})

it('plans one key for data and one for connections', () => {
  const planned = planGrants(
    ['analytics', 'connections', 'events:write'],
    ['attribution', 'analytics', 'connections'],
  )
  expect(planned).toEqual({
    ok: true,
    plan: {
      data: {
        grant: 'analytics',
        scopes: ['analytics:read', 'campaigns:read', 'conversions:read', 'events:write'],
      },
      connections: { grant: 'connections', scopes: ['connections:read', 'connections:write'] },
      adoption: false,
    },
  })
  expect(planGrants(['analytics_pii'], ['analytics'])).toMatchObject({ ok: false, problem: 'not_allowed' })
  expect(planGrants(['analytics', 'adoption'], ['analytics'])).toMatchObject({
    ok: false,
    names: ['adoption'],
  })
  expect(planGrants(['adoption'], ['adoption'])).toMatchObject({ ok: false, problem: 'nothing' })
  expect(planGrants(['toString'], ['analytics'])).toMatchObject({ ok: false, problem: 'unknown' })
})
