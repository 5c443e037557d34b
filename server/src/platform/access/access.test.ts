import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createCheckedClient } from '../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  isAccepted,
  later,
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../test/make.ts'
import type { AnyContext } from '../../context.ts'
import {
  createApiKey,
  createUserToken,
  getApiUsage,
  revokeApiKey,
} from '../../features/account/api-keys/contract.ts'
import { createProfile, setEntitlement } from '../../features/account/profiles/contract.ts'
import { createWorkspace } from '../../features/account/workspaces/contract.ts'
import { createGoal, listGoals } from '../../features/corrections/goals/contract.ts'
import { sendEvent } from '../../features/facts/events/contract.ts'
import { listConnections } from '../../features/sources/connections/contract.ts'
import { type Endpoint, endpoint } from '../contract/endpoint.ts'
import { authorize } from '../http/authorize.ts'
import { getMe } from './contract.ts'
import { accessJobs } from './jobs.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId)
})
afterAll(() => app.close())

const goal = { display_name: 'Demo booked', conversion_key: 'demo_booked', source_event_names: ['demo'] }

it('a key revoked on one process is refused on another', async () => {
  const twin = await app.startTwin()
  try {
    const { data } = await owner.call(createApiKey, {
      params: { workspaceId },
      body: { profile_id: profileId, name: 'Shared' },
    })
    const call = createCheckedClient({ baseUrl: twin.baseUrl, token: data.key })
    expect((await call(listGoals)).data.length).toBeGreaterThan(0)
    await owner.call(revokeApiKey, { params: { workspaceId, id: data.id }, body: {} })
    const status = () =>
      call(listGoals).then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    await expect.poll(status).toBe(401)
  } finally {
    await twin.close()
  }
})

it('a profile provisioned by an app accepts events only after the app enabled attribution', async () => {
  const partner = await makeApp(app, workspaceId)
  const creation = await partner.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'Dealer', scopes: ['attribution'] },
  })
  const call = app.as(creation.data.api_key)
  const event = { body: { event_name: 'lead_created', user_traits: { email: 'lead@example.com' } } }
  expect(await refusalOf(call(sendEvent, event))).toMatchObject({ status: 409, code: 'entitlement_required' })
  expect((await call(listGoals)).data.length).toBeGreaterThan(0)
  const params = { profileId: creation.data.profile_id, feature: 'attribution' as const }
  await partner.call(setEntitlement, { params, body: { enabled: true } })
  expect((await call(sendEvent, event)).data.status).toBe('accepted')
  await partner.call(setEntitlement, { params, body: { enabled: false } })
  expect(await refusalOf(call(sendEvent, event))).toMatchObject({ code: 'entitlement_required' })
  const direct = app.as(await makeKey(app, profileId, ['events:write']))
  expect((await direct(sendEvent, event)).data.status).toBe('accepted')
})

it('a key of the legacy grant still works on the connection routes, but not elsewhere', async () => {
  const partner = await makeApp(app, workspaceId, ['attribution_write'])
  const creation = await partner.call(createProfile, { body: { workspace_id: workspaceId, name: 'Old' } })
  const call = app.as(creation.data.api_key)
  expect((await call(listConnections)).data).toEqual([])
  expect(await refusalOf(call(sendEvent, { body: { event_name: 'x' } }))).toMatchObject({
    status: 403,
    code: 'insufficient_scope',
    required_scopes: ['events:write'],
  })
  const direct = app.as(await makeKey(app, profileId, ['exports:read']))
  expect(await refusalOf(direct(listConnections))).toMatchObject({ required_scopes: ['connections:read'] })
})

it('a partner key cannot read people as soon as the profile is a healthcare one; a direct key can', async () => {
  const reading = (personLevel: boolean) =>
    endpoint({
      name: 'people',
      method: 'GET',
      path: '/people',
      summary: 'People',
      tag: 'test',
      access: { kind: 'profile', scopes: ['conversions:read'] },
      reply: z.null(),
      ...(personLevel ? { personLevel: 'refused' as const } : {}),
    }) as unknown as Endpoint
  const clinic = await makeProfile(owner, workspaceId)
  const attempt = (appId: string | null, personLevel = true) => {
    const caller = {
      kind: 'key' as const,
      credentialId: clinic,
      profileId: clinic,
      scopes: ['conversions:read'],
      grant: null,
      appId,
      authorizationId: null,
      lacksDpa: false,
      withheldScopes: [],
    }
    const context = { service: app.service, db: app.service.db, caller } as unknown as AnyContext
    return authorize(context, reading(personLevel), { params: {}, query: {} })
  }
  for (const personLevel of [true, false])
    await expect(attempt(owner.id, personLevel)).resolves.toMatchObject({ profile: { id: clinic } })
  // Written directly, as by another process, so that this process cannot know.
  await app.pool.query(`update profiles set privacy_mode = 'hipaa' where id = $1`, [clinic])
  await expect(attempt(owner.id)).rejects.toMatchObject({ code: 'healthcare_scope_forbidden' })
  await expect(attempt(null)).resolves.toMatchObject({ profile: { id: clinic } })
})

it('a token never has more permissions than its owner', async () => {
  const viewer = await makePerson(app, 'Viewer')
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: viewer.id, role: 'viewer', created_at: new Date() })
    .execute()
  const { data } = await viewer.call(createUserToken, {
    body: { name: 'Writer', scopes: ['mcp:read', 'mcp:write', 'workspaces:write'] },
  })
  const call = app.as(data.token)
  const query = { profile_id: profileId }
  expect((await call(listGoals, { query })).data.length).toBeGreaterThan(0)
  const write = call(createGoal, {
    query,
    body: { ...goal, outcome_type: 'demo_booked', revenue_type: 'pipeline' },
  })
  expect(await refusalOf(write)).toMatchObject({ status: 403, code: 'forbidden' })
})

it('a session ends after twelve idle hours and after thirty days at most', async () => {
  const hours = 3_600_000
  const at = (offset: number) => later(app, offset, () => isAccepted(app, person.token))
  const person = await makePerson(app, 'Sleeper')
  expect(await at(11 * hours)).toBe(true)
  expect(await at(22 * hours)).toBe(true)
  expect(await at(35 * hours)).toBe(false)
  const worker = await makePerson(app, 'Worker')
  let alive = 0
  const stillIn = (offset: number) => later(app, offset, () => isAccepted(app, worker.token))
  while (await stillIn(alive)) alive += 11 * hours
  expect(alive).toBeGreaterThan(29 * 24 * hours)
  expect(alive).toBeLessThanOrEqual(30 * 24 * hours + 11 * hours)
})

it('counts the requests and errors of each key', async () => {
  const { data } = await owner.call(createApiKey, {
    params: { workspaceId },
    body: { profile_id: profileId, name: 'Counted', scopes: ['conversions:read'] },
  })
  const call = app.as(data.key)
  await call(listGoals)
  await call(listGoals)
  await refusalOf(call(sendEvent, { body: { event_name: 'x' } }))
  const usage = async () => {
    const apiUsage = await owner.call(getApiUsage, { params: { workspaceId } })
    const row = apiUsage.data.keys.find((key) => key.api_key_id === data.id)
    return [row?.requests, row?.errors]
  }
  await expect.poll(usage, { timeout: 20_000, interval: 200 }).toEqual([3, 1])
})

it('HTTP Basic credentials of an app work only on app routes', async () => {
  const partner = await makeApp(app, workspaceId)
  expect(await refusalOf(partner.call(getMe))).toMatchObject({ status: 401, code: 'unauthorized' })
  expect((await partner.call(createWorkspace, { body: { email: 'b@example.com' } })).data.created).toBe(true)
})

it('long expired credentials are removed, recent ones are kept', async () => {
  const person = await makePerson(app, 'Gone')
  const { service, pool } = app
  await pool.query(`update credentials set expires_at = now() - interval '8 days' where user_id = $1`, [
    person.id,
  ])
  const unexpired = await makePerson(app, 'Kept')
  await pool.query(`update credentials set expires_at = now() - interval '6 days' where user_id = $1`, [
    unexpired.id,
  ])
  const removeExpired = accessJobs[0]!
  const context = { service, db: service.db, now: service.clock.now() } as Parameters<
    typeof removeExpired.run
  >[0]
  await removeExpired.run(context, {})
  const { rows } = await pool.query('select user_id from credentials where user_id = any($1)', [
    [person.id, unexpired.id],
  ])
  expect(rows).toEqual([{ user_id: unexpired.id }])
})
