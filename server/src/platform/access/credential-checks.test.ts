import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { isAccepted, makeApp, makeKey, makePerson, makeProfile, makeWorkspace } from '../../../test/make.ts'
import { createUserToken } from '../../features/account/api-keys/contract.ts'
import { createProfile } from '../../features/account/profiles/contract.ts'
import { createWorkspace } from '../../features/account/workspaces/contract.ts'
import { createClient } from '../contract/client.ts'
import { lookupHash } from '../secrets/tokens.ts'

let app: TestApp
let workspaceId: string
beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner, 'agency')
  await makeProfile(owner, workspaceId)
})
afterAll(() => app.close())

it('an app secret works only with its own client id', async () => {
  const [partner, other] = [await makeApp(app, workspaceId), await makeApp(app, workspaceId)]
  const as = (clientId: string, secret: string) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
    return createClient({ baseUrl: app.baseUrl, headers: { authorization } })(createWorkspace, {
      body: { email: 'b@example.com' },
    }).then(
      () => 200,
      (error: { status: number }) => error.status,
    )
  }
  expect(await as(other.clientId, partner.secret)).toBe(401)
  expect(await as('', partner.secret)).toBe(401)
  expect(await as(partner.clientId, partner.secret)).toBe(200)
})

it('a key whose authorization was withdrawn is refused, even if the key itself is active', async () => {
  const partner = await makeApp(app, workspaceId)
  const { data } = await partner.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'Of an app' },
  })
  const key = data.api_key!
  expect(await isAccepted(app, key)).toBe(true)
  await app.pool.query('update app_authorizations set revoked_at = now() where app_id = $1', [partner.id])
  expect(await isAccepted(app, key)).toBe(false)
})

it.each(['profiles', 'workspaces'])('no key outlives its archived %s', async (table) => {
  const owner = await makePerson(app)
  const ownWorkspace = await makeWorkspace(owner, 'agency')
  const partner = await makeApp(app, ownWorkspace)
  const { data } = await partner.call(createProfile, { body: { workspace_id: ownWorkspace, name: 'Gone' } })
  const key = data.api_key!
  expect(await isAccepted(app, key)).toBe(true)
  const id = table === 'profiles' ? data.profile_id : ownWorkspace
  await app.pool.query(`update ${table} set archived_at = now() where id = $1`, [id])
  expect(await isAccepted(app, key)).toBe(false)
})

it.each(['key', 'token', 'session'])('a %s that has expired is refused', async (kind) => {
  const owner = await makePerson(app)
  const profileId = await makeProfile(owner, await makeWorkspace(owner))
  const mint = async () => {
    if (kind === 'key') return makeKey(app, profileId, ['analytics:read'])
    const person = await makePerson(app)
    if (kind === 'session') return person.token
    return (await person.call(createUserToken, { body: { name: 'Expiring' } })).data.token
  }
  for (const [expiresAt, isLive] of [
    [new Date(Date.now() + 3_600_000), true],
    [new Date(Date.now() - 1000), false],
  ] as const) {
    const token = await mint()
    // Before its first use, so that no process has cached it.
    await app.pool.query('update credentials set expires_at = $2 where lookup_hash = $1', [
      lookupHash(app.service.keyring, token),
      expiresAt,
    ])
    expect([kind, await isAccepted(app, token)]).toEqual([kind, isLive])
  }
})
