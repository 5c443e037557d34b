import { afterAll, beforeAll, expect, it } from 'vitest'
import { listApiKeys } from '../src/features/account/api-keys/contract.ts'
import { listProfiles } from '../src/features/account/profiles/contract.ts'
import { firstRunLines, prepareFirstRun } from '../src/features/sharing/demo/first-run.ts'
import { signIn } from '../src/platform/access/contract.ts'
import { startTestApp, type TestApp } from './app.ts'
import { refusalOf, sessionOf } from './make.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('creates a person, a profile, a demo and their keys in an empty database, once', async () => {
  const first = await prepareFirstRun(app.service)
  const { email, password, apiKey, profileId, demo, isNew } = first!
  expect(isNew).toBe(true)
  expect(apiKey).toMatch(/^whence_test_/)
  expect(firstRunLines('http://localhost:4400', first).join('\n')).toContain(password)
  // The banner is shown at every start until the account has been signed in to.
  for (let start = 0; start < 2; start++)
    expect(await prepareFirstRun(app.service)).toEqual({ ...first, isNew: false })
  expect(await refusalOf(app.as()(signIn, { body: { email, password: 'wrong' } }))).toMatchObject({
    status: 401,
  })
  expect(await prepareFirstRun(app.service)).toBeDefined()
  const { data } = await app.as()(signIn, { body: { email, password } })
  const call = app.as(sessionOf(data).token)
  const profiles = await call(listProfiles)
  expect(profiles.data.map((profile) => [profile.id, profile.is_demo])).toEqual(
    expect.arrayContaining([
      [profileId, false],
      [demo!.profileId, true],
    ]),
  )
  for (const { workspace_id: workspaceId } of profiles.data)
    expect((await call(listApiKeys, { params: { workspaceId } })).data).toHaveLength(1)
  expect(await prepareFirstRun(app.service)).toBeUndefined()
  expect(firstRunLines('http://localhost:4400', undefined).join('\n')).not.toContain(apiKey)
})
