import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
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
import { getMe } from '../../../platform/access/contract.ts'
import { job } from '../../../platform/contract/job.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { listWorkspaceProfiles } from '../profiles/contract.ts'
import { archiveWorkspace, createWorkspace, getSubscription, listWorkspaces } from './contract.ts'

let app: TestApp
let owner: Person
let stranger: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  stranger = await makePerson(app, 'Stranger')
})
afterAll(() => app.close())

const unknownId = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'

it('a person becomes owner, and the same name within ten minutes is the same workspace', async () => {
  const first = await owner.call(createWorkspace, { body: { name: 'Acme', timezone: 'Europe/Madrid' } })
  expect(first.data).toMatchObject({ name: 'Acme', created: true, checkout: null })
  expect(first.data.warnings).toBeUndefined()
  const repeated = await owner.call(createWorkspace, { body: { name: ' Acme ' } })
  expect(repeated.data).toEqual({ ...first.data, created: false })
  const other = await stranger.call(createWorkspace, { body: { name: 'Acme' } })
  expect(other.data.workspace_id).not.toBe(first.data.workspace_id)
  const { data } = await owner.call(listWorkspaces)
  expect(data).toContainEqual(
    expect.objectContaining({
      id: first.data.workspace_id,
      role: 'owner',
      plan: 'starter',
      archived_at: null,
    }),
  )
})

it('ten concurrent equal creations create one workspace', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => owner.call(createWorkspace, { body: { name: 'At once' } })),
  )
  expect(new Set(replies.map(({ data }) => data.workspace_id)).size).toBe(1)
  expect(replies.filter(({ data }) => data.created)).toHaveLength(1)
})

it('after the window the same name creates a new workspace', async () => {
  const first = await owner.call(createWorkspace, { body: { name: 'Later' } })
  await app.service.db
    .updateTable('workspaces')
    .set({ created_at: new Date(Date.now() - 601_000) })
    .where('id', '=', first.data.workspace_id)
    .execute()
  const second = await owner.call(createWorkspace, { body: { name: 'Later' } })
  expect(second.data).toMatchObject({ created: true })
  expect(second.data.workspace_id).not.toBe(first.data.workspace_id)
})

it('a paid plan starts with a trial of 14 days, and a missing checkout is a warning', async () => {
  const { data } = await owner.call(createWorkspace, { body: { name: 'Grown', plan: 'growth' } })
  expect(data.checkout).toBeNull()
  expect(data.warnings).toEqual([{ code: 'checkout_unavailable', message: expect.any(String) }])
  const subscription = await owner.call(getSubscription, { params: { workspaceId: data.workspace_id } })
  expect(subscription.data).toMatchObject({
    plan: 'growth',
    status: 'trialing',
    active_profiles: { used: 0, limit: 10 },
  })
  const { trial_ends_at, current_period_start } = subscription.data
  expect(Date.parse(trial_ends_at!) - Date.parse(current_period_start)).toBe(14 * 86_400_000)
  expect(subscription.meta).toEqual({ workspace_id: data.workspace_id })
})

it.each([
  [{}, 'name'],
  [{ name: 'x', plan: 'enterprise' }, 'plan'],
  [{ name: 'x', timezone: 'Mars/Olympus' }, 'timezone'],
  [{ name: '   ' }, 'name'],
  [{ name: 'x', email: 'a@b.co' }, 'email'],
])('refuses the body %j, naming %s', async (body, field) => {
  const refusal = await refusalOf(owner.call(createWorkspace, { body: body as { name: string } }))
  expect(refusal).toMatchObject({
    status: 422,
    code: 'validation_error',
    message: expect.stringContaining(field),
  })
})

it('an app creates a bare workspace for a person on every call', async () => {
  const partner = await makeApp(app, await makeWorkspace(owner))
  const body = { email: 'Dealer@Example.com', name: 'Dealer' }
  const first = await partner.call(createWorkspace, { body })
  const second = await partner.call(createWorkspace, { body })
  expect(first.data).toMatchObject({ created: true, checkout: null })
  expect(second.data).toMatchObject({ created: true })
  expect(first.data.workspace_id).not.toBe(second.data.workspace_id)
  expect(first.meta).toEqual({ client_id: partner.clientId })
  const owners = await app.service.db
    .selectFrom('workspace_members')
    .innerJoin('users', 'users.id', 'workspace_members.user_id')
    .select(['email_lower', 'role'])
    .where('workspace_id', '=', first.data.workspace_id)
    .execute()
  expect(owners).toEqual([{ email_lower: 'dealer@example.com', role: 'owner' }])
})

it('archives once, returns the counts, and changes nothing when repeated', async () => {
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId)
  await makeProfile(owner, workspaceId)
  const key = await makeKey(app, profileId, ['analytics:read'])
  await app.service.db
    .insertInto('pii_access_log')
    .values({
      profile_id: profileId,
      id: unknownId,
      workspace_id: workspaceId,
      actor_kind: 'user',
      route: 'test',
      customer_ids: [],
      row_count: 0,
      occurred_at: new Date(),
    })
    .execute()
  const viewer = await makePerson(app, 'Viewer')
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: viewer.id, role: 'admin', created_at: new Date() })
    .execute()
  const waitingJob = job({ name: 'test.waits', payload: z.object({}), run: async () => {} })
  await enqueue(app.service.db, waitingJob, {}, { profileId })

  const params = { workspaceId }
  expect(await refusalOf(viewer.call(archiveWorkspace, { params }))).toMatchObject({
    status: 403,
    code: 'forbidden',
  })
  const strangerRefusal = await refusalOf(stranger.call(archiveWorkspace, { params }))
  const unknown = await refusalOf(stranger.call(archiveWorkspace, { params: { workspaceId: unknownId } }))
  expect({ ...strangerRefusal, request_id: '' }).toEqual({ ...unknown, request_id: '' })
  expect(strangerRefusal).toMatchObject({ status: 404, code: 'not_found' })
  expect((await refusalOf(app.as(key)(archiveWorkspace, { params }))).code).toBe('unauthorized')

  const { data, meta } = await owner.call(archiveWorkspace, { params })
  expect(data).toMatchObject({
    workspace_id: workspaceId,
    archived: true,
    counts: {
      profiles_archived: 2,
      memberships_removed: 2,
      invitations_revoked: 0,
      api_keys_revoked: 1,
      webhook_subscriptions_paused: 0,
      retained_conversion_exports: 0,
      retained_signal_audit_rows: 0,
    },
    profiles_purged: 2,
  })
  expect(meta).toEqual({ workspace_id: workspaceId })
  const jobs = await app.service.db
    .selectFrom('jobs')
    .select('id')
    .where('profile_id', '=', profileId)
    .execute()
  expect(jobs).toEqual([])

  const repeated = await owner.call(archiveWorkspace, { params })
  expect(repeated.data).toMatchObject({ archived: false, archived_at: data.archived_at, profiles_purged: 0 })
  expect(await refusalOf(viewer.call(archiveWorkspace, { params }))).toMatchObject({ status: 404 })
  expect(await refusalOf(owner.call(listWorkspaceProfiles, { params }))).toMatchObject({ status: 404 })
  expect(await refusalOf(owner.call(getSubscription, { params }))).toMatchObject({ status: 404 })
  const { data: workspaces } = await owner.call(listWorkspaces)
  expect(workspaces.map((workspace) => workspace.id)).not.toContain(workspaceId)
  expect((await refusalOf(app.as(key)(getMe))).code).toBe('unauthorized')
})
