/** Webhooks, destinations and keys whose maker lost the permission, and what a weaker caller may make of them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { endDuring, holdLock, untilWaiting } from '../../../../test/in-flight.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import {
  makeApp,
  makeKey,
  makeOwnProfile,
  makePerson,
  makeWorkspace,
  type OwnProfile,
  type Person,
  provision,
  refusalOf,
} from '../../../../test/make.ts'
import { mailedToken, mailsTo } from '../../../../test/outbox.ts'
import { type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { recordOutcome } from '../../../../test/record-outcome.ts'
import type { Dispatcher } from '../../../context.ts'
import { accessJobs } from '../../../platform/access/jobs.ts'
import { listGoals } from '../../corrections/goals/contract.ts'
import { createDataDestination, listDataDestinations } from '../../outgoing/data-exports/contract.ts'
import {
  createExportDestination,
  listExportDestinations,
} from '../../outgoing/exports/destinations/contract.ts'
import {
  createWebhookSubscription,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  replayWebhookDelivery,
  updateWebhookSubscription,
} from '../../outgoing/webhooks/contract.ts'
import { createDispatcher } from '../../outgoing/webhooks/delivery/dispatcher.ts'
import { createLiveLink } from '../../sharing/live-links/contract.ts'
import {
  createApiKey,
  createUserToken,
  revokeApiKey,
  revokeUserToken,
  rotateApiKey,
} from '../api-keys/contract.ts'
import { acceptInvitation, inviteMember, listInvitations, putMember, removeMember } from './contract.ts'

let app: TestApp
let receiver: Receiver
let dispatcher: Dispatcher
beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', SANDBOX: 'on' })
  receiver = await startReceiver()
  dispatcher = createDispatcher(app.service, { pollMs: 20, lookMs: 20, chance: () => 0.5 })
  dispatcher.start()
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await app.close()
})

/** Outcomes are sent on profiles that an app provisioned. */
async function makeOutcomeProfile(): Promise<OwnProfile> {
  const profile = await makeOwnProfile(app)
  const partner = await makeApp(app, await makeWorkspace(await makePerson(app, 'Partner')))
  await provision(app, profile.profileId, partner)
  return profile
}

type Member = Person & { on: TestClient }

const onProfile = (profile: OwnProfile, call: TestClient) =>
  ((entry, input = {}) =>
    call(entry, {
      ...input,
      query: { ...(input.query as object), profile_id: profile.profileId },
    })) as TestClient

/** A member of the workspace, with `on` for calls on its profile. */
async function member(profile: OwnProfile, role: 'admin' | 'editor'): Promise<Member> {
  const person = await makePerson(app, role)
  const { workspaceId: workspace_id } = profile
  const row = { workspace_id, user_id: person.id, role, created_at: new Date() }
  await app.service.db.insertInto('workspace_members').values(row).execute()
  return { ...person, on: onProfile(profile, person.call) }
}

const remove = (profile: OwnProfile, person: Person) =>
  profile.owner.call(removeMember, { params: { workspaceId: profile.workspaceId, userId: person.id } })

const hook = (name: string) => `${receiver.url}/${name}-${crypto.randomUUID()}`
const outcomes = (url: string) => ({
  body: { url, events: ['outcome.recorded'], providers: ['platform'] } as const,
})
const requestsTo = (url: string) => receiver.requests.filter(({ path }) => url.endsWith(path))

/** The contact that the subscription's receiver gets with a new outcome. */
async function contactSentTo(profile: OwnProfile, url: string): Promise<unknown> {
  const id = crypto.randomUUID()
  await recordOutcome(app, profile.profileId, id)
  const isThis = ({ body }: { body: string }) => JSON.parse(body).data.external_id === id
  await receiver.until(() => requestsTo(url).some(isThis))
  return JSON.parse(requestsTo(url).find(isThis)!.body).data.contact
}

const mailsAbout = async (profile: OwnProfile, subject: string) => {
  await drainJobs(app.service, accessJobs)
  return (await mailsTo(app, profile.owner.email)).filter((mail) => mail.subject.includes(subject))
}

it('a webhook carries no contacts once a caller without customers:read has changed it', async () => {
  const profile = await makeOutcomeProfile()
  const owner = onProfile(profile, profile.owner.call)
  const strong = hook('strong')
  const { data: webhook } = await owner(createWebhookSubscription, outcomes(strong))
  expect(await contactSentTo(profile, strong)).toMatchObject({ email: 'ana@example.com' })
  const weak = app.as(await makeKey(app, profile.profileId, ['webhooks:read', 'webhooks:write']))
  const params = { id: webhook.id }
  const taken = hook('taken')
  await weak(updateWebhookSubscription, { params, body: { url: taken } })
  expect(await contactSentTo(profile, taken)).toBeNull()
  // Old deliveries were made while the webhook carried contacts; a replay follows what it may carry now.
  const [delivery] = (
    await weak(listWebhookDeliveries, { query: { subscription_id: webhook.id } })
  ).data.slice(-1)
  const { data: replay } = await weak(replayWebhookDelivery, { params: { id: delivery!.id } })
  const replayed = () => requestsTo(taken).filter(({ headers }) => headers['webhook-id'] === replay.event_id)
  await receiver.until(() => replayed().length > 0)
  for (const { body } of replayed())
    expect(JSON.parse(body).data).toMatchObject({ contact: null, contact_withheld: true })
  // Another change by the owner does not reopen it, because the address is still the weaker caller's.
  await owner(updateWebhookSubscription, { params, body: { providers: ['platform', 'cardpay'] } })
  expect(await contactSentTo(profile, taken)).toBeNull()
  const again = hook('again')
  await owner(updateWebhookSubscription, { params, body: { url: again } })
  expect(await contactSentTo(profile, again)).toMatchObject({ email: 'ana@example.com' })
})

it('a webhook that a weaker caller created carries no contacts after a change by a stronger key', async () => {
  const profile = await makeOutcomeProfile()
  const weak = app.as(await makeKey(app, profile.profileId, ['webhooks:read', 'webhooks:write']))
  const strong = app.as(
    await makeKey(app, profile.profileId, ['webhooks:read', 'webhooks:write', 'customers:read']),
  )
  const url = hook('weak')
  const { data: webhook } = await weak(createWebhookSubscription, outcomes(url))
  const moved = hook('moved')
  for (const body of [{ events: ['outcome.recorded', 'connection.connected'] }, { url: moved }] as const)
    await strong(updateWebhookSubscription, { params: { id: webhook.id }, body })
  expect(await contactSentTo(profile, moved)).toBeNull()
})

it('what sends data to a place that a removed member chose stops, what others use passes to the owners, with a mail', async () => {
  const profile = await makeOwnProfile(app)
  const { workspaceId, profileId } = profile
  const owner = onProfile(profile, profile.owner.call)
  const params = { workspaceId }
  const admin = await member(profile, 'admin')
  const staying = await member(profile, 'admin')
  const { data: webhook } = await admin.on(createWebhookSubscription, outcomes(hook('removed')))
  const { data: other } = await staying.on(createWebhookSubscription, outcomes(hook('staying')))
  const shortvideo = {
    kind: 'shortvideo',
    shortvideo_pixel_code: 'CGONE0123456789',
    access_token: 'x',
  } as const
  await admin.on(createExportDestination, { body: shortvideo })
  const bucket = {
    endpoint: 'https://s3.example.com',
    region: 'eu',
    bucket: 'bucket-of-the-admin',
    prefix: '',
    path_style: true,
    access_key_id: 'a',
    secret_access_key: 's',
  }
  await admin.on(createDataDestination, { body: { kind: 's3', name: 'Warehouse', target: bucket } })
  const { data: key } = await admin.call(createApiKey, {
    params,
    body: { profile_id: profileId, name: 'Shop server' },
  })
  await admin.call(createLiveLink, { params, body: { profile_id: profileId, name: 'For the client' } })
  const friend = await makePerson(app, 'Friend')
  await admin.call(inviteMember, { params, body: { email: friend.email, role: 'admin' } })
  const token = await mailedToken(app, friend.email)

  await remove(profile, admin)
  const webhooks = new Map((await owner(listWebhookSubscriptions)).data.map((row) => [row.id, row]))
  expect(webhooks.get(webhook.id)).toMatchObject({ status: 'paused' })
  expect(webhooks.get(webhook.id)!.status_reason).toContain('lost the permission')
  expect(webhooks.get(other.id)).toMatchObject({ status: 'active' })
  expect((await owner(listExportDestinations)).data[0]).toMatchObject({
    enabled: false,
    status_reason: 'maker_ended',
  })
  expect((await owner(listDataDestinations)).data[0]).toMatchObject({ enabled: false, next_run_at: null })
  expect((await profile.owner.call(listInvitations, { params })).data).toEqual([])
  expect((await refusalOf(friend.call(acceptInvitation, { body: { token } }))).status).toBeGreaterThanOrEqual(
    400,
  )
  expect((await refusalOf(admin.on(listWebhookSubscriptions))).status).toBe(404)
  // The key goes on, because a server uses it; the owners know.
  await app.as(key.key)(listGoals)
  const [mail, ...more] = await mailsAbout(profile, `What ${admin.email} created`)
  expect(more).toEqual([])
  const [stopped, passed] = mail!.text.split('Still in use')
  for (const name of ['/removed-', 'CGONE', 'Warehouse', friend.email]) expect(stopped).toContain(name)
  for (const name of ['Shop server', 'For the client']) expect(passed).toContain(name)

  await owner(updateWebhookSubscription, { params: { id: webhook.id }, body: { status: 'active' } })
  await remove(profile, staying)
  expect((await owner(listWebhookSubscriptions)).data.find(({ id }) => id === webhook.id)).toMatchObject({
    status: 'active',
  })
})

it('a lowered role ends what the member may no longer create, and a role that stays high ends nothing', async () => {
  const profile = await makeOwnProfile(app)
  const owner = onProfile(profile, profile.owner.call)
  const editor = await member(profile, 'admin')
  const { data: webhook } = await editor.on(createWebhookSubscription, outcomes(hook('lowered')))
  const lower = (role: 'editor' | 'viewer') =>
    profile.owner.call(putMember, {
      params: { workspaceId: profile.workspaceId },
      body: { email: editor.email, role },
    })
  const status = async () =>
    (await owner(listWebhookSubscriptions)).data.find(({ id }) => id === webhook.id)!.status
  await lower('editor')
  expect(await status()).toBe('active')
  await lower('viewer')
  expect(await status()).toBe('paused')
})

it('what a key or a user token created ends with it, and passes to its successor when it is rotated', async () => {
  const profile = await makeOwnProfile(app)
  const { workspaceId, profileId } = profile
  const owner = onProfile(profile, profile.owner.call)
  const params = { workspaceId }
  const scopes = ['webhooks:read', 'webhooks:write', 'customers:read']
  const mint = await profile.owner.call(createApiKey, {
    params,
    body: { profile_id: profileId, name: 'Script', scopes: scopes as never },
  })
  const { data: webhook } = await app.as(mint.data.key)(createWebhookSubscription, outcomes(hook('key')))
  const { data: rotated } = await profile.owner.call(rotateApiKey, {
    params: { ...params, id: mint.data.id },
    body: { overlap_seconds: 0 },
  })
  const status = async (id: string) =>
    (await owner(listWebhookSubscriptions)).data.find((row) => row.id === id)!.status
  expect(await status(webhook.id)).toBe('active')
  await profile.owner.call(revokeApiKey, { params: { ...params, id: rotated.id }, body: {} })
  expect(await status(webhook.id)).toBe('paused')
  expect(await mailsAbout(profile, 'What the key Script created')).toHaveLength(1)

  const { data: token } = await profile.owner.call(createUserToken, {
    body: { name: 'Laptop', scopes: ['webhooks:read', 'webhooks:write'] },
  })
  const made = await onProfile(profile, app.as(token.token))(
    createWebhookSubscription,
    outcomes(hook('token')),
  )
  await profile.owner.call(revokeUserToken, { params: { id: token.id } })
  expect(await status(made.data.id)).toBe('paused')
})

const pixel = (code: string) => ({
  body: { kind: 'shortvideo', shortvideo_pixel_code: code, access_token: 'pasted' } as const,
})

it('what is being created while its maker loses the access ends too', async () => {
  const profile = await makeOwnProfile(app)
  const { workspaceId, profileId, owner } = profile
  const params = { workspaceId }
  const enabled = async () =>
    (await onProfile(profile, owner.call)(listExportDestinations)).data.map((row) => row.enabled)
  const lock = `limit export_destinations ${profileId}`

  const removed = await member(profile, 'admin')
  const endLock = `member ${workspaceId} ${removed.id}`
  const creation = () => removed.on(createExportDestination, pixel('CGONE'))
  await endDuring(app, { lock, creation, end: () => remove(profile, removed), endLock })
  expect(await enabled()).toEqual([false])

  const lowered = await member(profile, 'editor')
  await endDuring(app, {
    lock,
    creation: () => lowered.on(createExportDestination, pixel('CLOW')),
    end: () => owner.call(putMember, { params, body: { email: lowered.email, role: 'viewer' } }),
    endLock: `member ${workspaceId} ${lowered.id}`,
  })
  expect(await enabled()).toEqual([false, false])

  const { data: key } = await owner.call(createApiKey, {
    params,
    body: { profile_id: profileId, name: 'Script', scopes: ['exports:write'] },
  })
  await endDuring(app, {
    lock,
    creation: () => app.as(key.key)(createExportDestination, pixel('CKEY')),
    end: () => owner.call(revokeApiKey, { params: { ...params, id: key.id }, body: {} }),
    endLock: `credential ${key.id}`,
  })
  expect(await enabled()).toEqual([false, false, false])
})

it('a key that is being created while its maker is removed is named to the owners', async () => {
  const profile = await makeOwnProfile(app)
  const { workspaceId, profileId } = profile
  const admin = await member(profile, 'admin')
  await endDuring(app, {
    lock: `limit api_keys ${profileId}`,
    creation: () =>
      admin.call(createApiKey, {
        params: { workspaceId },
        body: { profile_id: profileId, name: 'Late key' },
      }),
    end: () => remove(profile, admin),
    endLock: `member ${workspaceId} ${admin.id}`,
  })
  const [mail] = await mailsAbout(profile, `What ${admin.email} created`)
  expect(mail!.text).toContain('Late key')
})

it('a request that was admitted before its maker lost the access creates nothing after it', async () => {
  const profile = await makeOwnProfile(app)
  const { workspaceId, profileId } = profile
  const [removed, lowered, inviting] = [
    await member(profile, 'admin'),
    await member(profile, 'editor'),
    await member(profile, 'admin'),
  ]
  const key = await makeKey(app, profileId, ['exports:write'])
  const { rows } = await app.pool.query<{ id: string }>(
    `select id from credentials where profile_id = $1 and kind = 'api_key' order by created_at desc, id desc limit 1`,
    [profileId],
  )
  const keyId = rows[0]!.id
  /** The refusal of the creation that waits for the lock while the statement is committed. */
  const refusedAfter = async (
    lock: string,
    creation: () => Promise<unknown>,
    statement: string,
    values: unknown[],
  ) => {
    const held = await holdLock(app, lock)
    const refusal = refusalOf(creation())
    await untilWaiting(app, lock)
    await held.release(statement, values)
    return (await refusal).status
  }
  const ofMember = (person: Member, creation: () => Promise<unknown>, change: string) =>
    refusedAfter(
      `member ${workspaceId} ${person.id}`,
      creation,
      `${change} where workspace_id = $1 and user_id = $2`,
      [workspaceId, person.id],
    )
  const create = (call: TestClient) => () => call(createExportDestination, pixel('CLATE'))
  const lowerTo = (role: string) => `update workspace_members set role = '${role}'`
  const invitation = { email: 'late@example.com', role: 'admin' } as const
  const invite = () => inviting.call(inviteMember, { params: { workspaceId }, body: invitation })
  expect(await ofMember(removed, create(removed.on), 'delete from workspace_members')).toBe(404)
  expect(await ofMember(lowered, create(lowered.on), lowerTo('viewer'))).toBe(403)
  expect(await ofMember(inviting, invite, lowerTo('editor'))).toBe(403)
  const revoke = `update credentials set revoked_at = '2000-01-01' where id = $1`
  expect(await refusedAfter(`credential ${keyId}`, create(app.as(key)), revoke, [keyId])).toBe(401)
  expect((await onProfile(profile, profile.owner.call)(listExportDestinations)).data).toEqual([])
})

it('a key with the id of another profile is refused instead of acting on its own', async () => {
  const [one, two] = [await makeOwnProfile(app, ['conversions:read']), await makeOwnProfile(app)]
  const ask = (id: string) => one.call(listGoals, { query: { profile_id: id } as never })
  for (const id of [two.profileId, crypto.randomUUID(), 'not-an-id', ''])
    expect(await refusalOf(ask(id)), id).toMatchObject({ status: 404, code: 'not_found' })
  for (const id of [one.profileId, one.profileId.toUpperCase()])
    expect((await ask(id)).data.length).toBeGreaterThan(0)
})
