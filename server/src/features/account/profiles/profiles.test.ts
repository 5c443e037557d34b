import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { childrenFirst } from '../../../platform/db/foreign-keys.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { createWorkspace } from '../workspaces/contract.ts'
import {
  adoptProfile,
  archiveProfile,
  createProfile,
  listProfiles,
  listWorkspaceProfiles,
  setEntitlement,
  updateProfile,
} from './contract.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
})
afterAll(() => app.close())

const dealer = { name: 'Dealer', timezone: 'America/Bogota', currency: 'cop' }

async function provisionedWorkspace(allowed?: Parameters<typeof makeApp>[2]) {
  const partner = await makeApp(app, await makeWorkspace(owner), allowed)
  const { data } = await partner.call(createWorkspace, {
    body: { email: 'dealer@example.com', plan: 'growth' },
  })
  return { partner, workspaceId: data.workspace_id }
}

it('a profile can be renamed at any time; time zone and currency only change while it has no data', async () => {
  const profileId = await makeProfile(owner, await makeWorkspace(owner))
  const change = (body: { name?: string; timezone?: string; currency?: string }, caller = owner) =>
    caller.call(updateProfile, { params: { profileId }, body })
  const moved = { name: 'Renamed', timezone: 'Asia/Tokyo', currency: 'JPY' }
  expect((await change(moved)).data).toMatchObject(moved)
  expect((await owner.call(listProfiles)).data.find(({ id }) => id === profileId)).toMatchObject(moved)
  const key = await makeKey(app, profileId, ['events:write'])
  await app.as(key)(sendEvent, { body: { event_name: 'visit', anonymous_id: 'a', idempotency_key: 'first' } })
  expect(await refusalOf(change({ timezone: 'UTC' }))).toMatchObject({
    status: 409,
    code: 'invalid_state',
    reason: 'profile_has_data',
  })
  expect((await change({ name: 'Again', timezone: 'Asia/Tokyo' })).data).toMatchObject({
    ...moved,
    name: 'Again',
  })
  const stranger = await makePerson(app, 'Stranger')
  expect(await refusalOf(change({ name: 'Mine' }, stranger))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
})

it('time zone and currency default to those of the workspace', async () => {
  const workspaceId = await makeWorkspace(owner)
  const created = await owner.call(createProfile, { body: { workspace_id: workspaceId, ...dealer } })
  expect(created.data).toMatchObject({
    workspace_id: workspaceId,
    timezone: 'America/Bogota',
    currency: 'COP',
    privacy_mode: 'standard',
    provisioned_by_app_id: null,
  })
  expect(created.data.api_key).toBeUndefined()
  const minimal = await owner.call(createProfile, { body: { workspace_id: workspaceId, name: 'Bare' } })
  expect(minimal.data).toMatchObject({ timezone: 'Europe/Madrid', currency: 'USD' })
  const inWorkspace = await owner.call(listWorkspaceProfiles, { params: { workspaceId } })
  expect(inWorkspace.data.map((profile) => profile.id)).toEqual([created.data.id, minimal.data.id])
})

it('the plan limits the number of profiles, even with concurrent calls', async () => {
  const workspaceId = await makeWorkspace(owner, 'starter')
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => makeProfile(owner, workspaceId)))
  expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
  expect(await refusalOf(makeProfile(owner, workspaceId))).toMatchObject({
    status: 403,
    code: 'profile_limit_reached',
    reason: 'plan_limit_reached',
    upgrade_required: true,
    upgrade: { plan: 'growth' },
  })
})

it('no one creates a profile in a workspace they do not administer', async () => {
  const workspaceId = await makeWorkspace(owner)
  const viewer = await makePerson(app, 'Viewer')
  const body = { workspace_id: workspaceId, name: 'Mine' }
  expect(await refusalOf(viewer.call(createProfile, { body }))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: viewer.id, role: 'editor', created_at: new Date() })
    .execute()
  expect(await refusalOf(viewer.call(createProfile, { body }))).toMatchObject({
    status: 403,
    code: 'forbidden',
  })
})

it('an app provisions a profile, one key per grant', async () => {
  const { partner, workspaceId } = await provisionedWorkspace()
  const { data, meta } = await partner.call(createProfile, {
    body: {
      workspace_id: workspaceId,
      ...dealer,
      user: { email: 'staff@example.com', name: 'Staff' },
      scopes: ['attribution', 'connections'],
    },
  })
  expect(Object.keys(data).sort()).toEqual(['api_key', 'connections_key', 'profile_id', 'workspace_id'])
  expect(data.api_key).toMatch(/^whence_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/)
  expect(meta).toEqual({ client_id: partner.clientId })
  const grants = await app.service.db
    .selectFrom('app_authorizations')
    .select('grant_name')
    .where('profile_id', '=', data.profile_id)
    .orderBy('grant_name')
    .execute()
  expect(grants.map((row) => row.grant_name)).toEqual(['attribution', 'connections'])
  const reached = await partner.call(listProfiles, { query: { workspace_id: workspaceId } })
  expect(reached.data.map((profile) => profile.id)).toEqual([data.profile_id])
})

it('an app provisions workspace and profile in one call for a user', async () => {
  const partner = await makeApp(app, await makeWorkspace(owner))
  const { data } = await partner.call(createProfile, {
    body: { ...dealer, user: { email: 'alone@example.com' }, scopes: ['analytics'] },
  })
  expect(data.connections_key).toBeUndefined()
  const second = partner.call(createProfile, { body: { workspace_id: data.workspace_id, name: 'Two' } })
  expect(await refusalOf(second)).toMatchObject({ status: 403, code: 'profile_limit_reached' })
})

it.each([
  [{ scopes: ['nonsense'] }, 422, 'validation_error'],
  [{ scopes: ['attribution'] }, 403, 'insufficient_scope'],
  [{ scopes: ['payments:write'] }, 403, 'insufficient_scope'],
  [{ scopes: ['workspaces:write'] }, 422, 'validation_error'],
])('an app registered for analytics only is refused %j', async (fields, status, code) => {
  const { partner, workspaceId } = await provisionedWorkspace(['analytics'])
  const call = partner.call(createProfile, { body: { workspace_id: workspaceId, ...dealer, ...fields } })
  expect(await refusalOf(call)).toMatchObject({ status, code })
  expect((await partner.call(listProfiles)).data).toEqual([])
})

it('a grant on a healthcare profile never includes person-level scopes', async () => {
  const { partner, workspaceId } = await provisionedWorkspace()
  await app.service.db
    .updateTable('workspaces')
    .set({ healthcare: true })
    .where('id', '=', workspaceId)
    .execute()
  const provision = (scopes: string[]) =>
    partner.call(createProfile, { body: { workspace_id: workspaceId, ...dealer, scopes } })
  expect(await refusalOf(provision(['analytics_pii']))).toMatchObject({
    status: 403,
    code: 'healthcare_scope_forbidden',
  })
  expect((await partner.call(listProfiles)).data).toEqual([])
  expect((await provision(['analytics'])).data.profile_id).toBeDefined()
})

it('only the app that provisioned a profile archives it or switches its features', async () => {
  const { partner, workspaceId } = await provisionedWorkspace()
  const { partner: other } = await provisionedWorkspace()
  const { data } = await partner.call(createProfile, { body: { workspace_id: workspaceId, ...dealer } })
  const params = { profileId: data.profile_id }
  const entitlement = { params: { ...params, feature: 'attribution' as const }, body: { enabled: true } }
  expect(await refusalOf(other.call(archiveProfile, { params }))).toMatchObject({ status: 404 })
  expect(await refusalOf(other.call(setEntitlement, entitlement))).toMatchObject({ status: 404 })
  expect(await refusalOf(other.call(adoptProfile, { params, body: {} }))).toMatchObject({ status: 404 })
  expect((await partner.call(setEntitlement, entitlement)).data).toMatchObject({ enabled: true })
  const first = await partner.call(archiveProfile, { params })
  expect(first.data.archived).toBe(true)
  const repeated = await partner.call(archiveProfile, { params })
  expect(repeated.data).toEqual({ ...first.data, archived: false })
  expect(await refusalOf(partner.call(setEntitlement, entitlement))).toMatchObject({ status: 404 })
})

it('an app adopts a profile that a person created in a workspace it provisioned, once', async () => {
  const { partner, workspaceId } = await provisionedWorkspace()
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: owner.id, role: 'owner', created_at: new Date() })
    .execute()
  const profileId = await makeProfile(owner, workspaceId)
  const { data } = await partner.call(adoptProfile, {
    params: { profileId },
    body: { scopes: ['analytics'] },
  })
  expect(data).toMatchObject({ profile_id: profileId, adopted: true, api_key: expect.any(String) })
  const repeated = await partner.call(adoptProfile, { params: { profileId }, body: {} })
  expect(repeated.data).toEqual({ profile_id: profileId, workspace_id: workspaceId, adopted: false })
})

it('purges a table before the tables that its foreign keys reference', () => {
  const keys = [
    { child: 'credits', parent: 'conversions' },
    { child: 'conversions', parent: 'events' },
    { child: 'exports', parent: 'conversions' },
  ]
  const order = childrenFirst(['events', 'conversions', 'credits'], keys)
  expect(order).toEqual(['credits', 'conversions', 'events'])
  expect(() =>
    childrenFirst(['a', 'b'], [...keys, { child: 'a', parent: 'b' }, { child: 'b', parent: 'a' }]),
  ).toThrow(/cycle/)
})
