/** The sandbox can move the service's clock. Security guards use the machine's clock. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../src/app.ts'
import type { JobContext } from '../src/context.ts'
import {
  createApiKey,
  createUserToken,
  listUserTokens,
  revokeApiKey,
  revokeUserToken,
  rotateApiKey,
} from '../src/features/account/api-keys/contract.ts'
import { createOAuthApp, rotateOAuthAppSecret } from '../src/features/account/apps/contract.ts'
import { archiveWorkspace } from '../src/features/account/workspaces/contract.ts'
import { issueTrackingKey, revokeTrackingKey } from '../src/features/sources/tracking/contract.ts'
import { changePassword, getMe, signIn, signOut } from '../src/platform/access/contract.ts'
import { startTestApp, type TestApp } from './app.ts'
import {
  isAccepted,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  PASSWORD,
  refusalOf,
  sessionOf,
} from './make.ts'
import { moveClock } from './make-shop.ts'

const DAY = 86_400
const YEARS = 5 * 365 * DAY

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '50' })
})
afterAll(() => app.close())

it('sessions and keys survive a clock moved by years, and end immediately when revoked', async () => {
  const person = await makePerson(app)
  const workspaceId = await makeWorkspace(person)
  const profileId = await makeProfile(person, workspaceId)
  const params = { workspaceId }
  const body = { profile_id: profileId, name: 'Key' }
  const rotating = (await person.call(createApiKey, { params, body })).data
  const partner = (
    await person.call(createOAuthApp, {
      params,
      body: { name: 'App', redirect_uris: ['https://a.example/'] },
    })
  ).data
  await person.call(rotateApiKey, { params: { workspaceId, id: rotating.id }, body: { overlap_seconds: 60 } })

  await moveClock(app, YEARS)
  for (const token of [person.token, rotating.key]) expect(await isAccepted(app, token)).toBe(true)
  const { data } = await app.as()(signIn, { body: { email: person.email, password: PASSWORD } })
  const signedIn = sessionOf(data)
  const { data: key } = await person.call(createApiKey, { params, body })
  const { data: token } = await person.call(createUserToken, { body: { name: 'Token' } })
  const { data: tracking } = await person.call(issueTrackingKey, { query: { profile_id: profileId } })
  await person.call(rotateOAuthAppSecret, {
    params: { workspaceId, appId: partner.id },
    body: { grace_days: 1 },
  })
  await person.call(revokeApiKey, { params: { workspaceId, id: key.id } })
  await person.call(revokeUserToken, { params: { id: token.id } })
  await person.call(revokeTrackingKey, { params: { id: tracking.id }, query: { profile_id: profileId } })
  await app.as(signedIn.token)(signOut)
  for (const ended of [key.key, token.token, signedIn.token]) expect(await isAccepted(app, ended)).toBe(false)
  expect((await person.call(listUserTokens)).data).toEqual([])

  const other = await app.as()(signIn, { body: { email: person.email, password: PASSWORD } })
  await person.call(changePassword, { body: { current_password: PASSWORD, new_password: `${PASSWORD} 2` } })
  expect(await isAccepted(app, sessionOf(other.data).token)).toBe(false)

  const last = await makeKey(app, profileId, ['conversions:read'])
  await person.call(archiveWorkspace, { params })
  expect(await isAccepted(app, last)).toBe(false)

  // Written while the clock was ahead: credentials have no times of that clock, except their creation.
  const { rows } = await app.pool.query(
    `select kind, expires_at, revoked_at from credentials
     where expires_at > now() + interval '60 days' or revoked_at > now() + interval '2 minutes'`,
  )
  expect(rows).toEqual([])
  expect((await person.call(getMe)).data.id).toBe(person.id)
})

it('credentials that expired only by the moved clock are not deleted', async () => {
  const person = await makePerson(app)
  await moveClock(app, YEARS)
  const clear = jobs.find((job) => job.name === 'access.remove_lapsed')!
  const { service } = app
  await clear.run({ service, db: service.backgroundDb, now: service.clock.now() } as JobContext, {})
  expect(await isAccepted(app, person.token)).toBe(true)
  expect((await app.pool.query('select 1 from rate_buckets')).rowCount).toBeGreaterThan(0)
})

it('the limits of sign-ins and of credentials are not reset', async () => {
  const body = { email: 'unknown@example.com', password: 'wrong password' }
  const tries = async () => (await refusalOf(app.as()(signIn, { body }))).status
  let status = await tries()
  for (let turn = 0; turn < 12 && status === 401; turn++) {
    await moveClock(app, DAY)
    status = await tries()
  }
  expect(status).toBe(429)

  const { token } = await makePerson(app)
  const replies: number[] = []
  for (let turn = 0; turn < 60; turn++) {
    if (turn % 20 === 0) await moveClock(app, DAY)
    const reply = await fetch(`${app.baseUrl}/api/v1/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    })
    replies.push(reply.status)
  }
  expect(replies).toContain(429)
})

it('a clock that a sandbox moved does not outlive the sandbox', async () => {
  await moveClock(app, YEARS)
  const twin = await app.startTwin({ env: { SANDBOX: 'off' } })
  try {
    expect(Math.abs(twin.service.clock.now().getTime() - Date.now())).toBeLessThan(60_000)
    const { rows } = await app.pool.query('select offset_ms from service_clock where offset_ms <> 0')
    expect(rows).toEqual([])
  } finally {
    await twin.close()
  }
})
