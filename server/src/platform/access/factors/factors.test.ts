/** Second factors, and what an attacker tries against them. */
import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import {
  isAccepted,
  makePerson,
  makeWorkspace,
  PASSWORD,
  type Person,
  refusalOf,
  sessionOf,
} from '../../../../test/make.ts'
import { mailedToken, mailsTo } from '../../../../test/outbox.ts'
import { resetFromCommand } from '../../../commands/reset-password.ts'
import { createApiKey, createUserToken } from '../../../features/account/api-keys/contract.ts'
import { listMembers } from '../../../features/account/members/contract.ts'
import { createProfile } from '../../../features/account/profiles/contract.ts'
import {
  getSignInPolicy,
  resetMemberFactors,
  updateSignInPolicy,
} from '../../../features/account/sign-in-policy/contract.ts'
import { archiveWorkspace, updateComplianceOverview } from '../../../features/account/workspaces/contract.ts'
import { requestSignInLink, signIn, signInByLink } from '../contract.ts'
import { accessJobs } from '../jobs.ts'
import * as contract from './contract.ts'
import { matchStep, stepAt, toBase32, totpCode } from './totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const sendMails = () => drainJobs(app.service, accessJobs)
let network = 0
/** Each from a different IP address, so that only the account's limit applies. */
const from = () => ({
  headers: { 'x-forwarded-for': `10.8.${Math.floor(network / 250)}.${(network++ % 250) + 1}` },
})

type Enrolled = Person & { secret: string; recoveryCodes: string[]; factorId: string }

/** An independent implementation computes the codes. `step` counts from now: each step's code works once. */
const codeOf = (secret: string, step = 1) =>
  generateSync({
    secret,
    epoch: Math.floor(app.service.clock.machineNow().getTime() / 1000) + step * 30,
  })

async function enrolled(person?: Person): Promise<Enrolled> {
  const own = person ?? (await makePerson(app))
  const { data: added } = await own.call(contract.addFactor, { body: { kind: 'totp', name: 'Phone' } })
  const secret = added.secret!
  const params = { factorId: added.id }
  // The next step's code is left for the test. Both are accepted also if a step ends meanwhile.
  const { data } = await own.call(contract.confirmFactor, { params, body: { code: codeOf(secret, 0) } })
  return { ...own, secret, recoveryCodes: data.recovery_codes!, factorId: added.id }
}

async function challengeOf(person: Person, headers: Record<string, string> = {}) {
  const { data } = await app.as()(signIn, {
    body: { email: person.email, password: PASSWORD },
    headers: { ...from().headers, ...headers },
  })
  if (!('second_factor' in data)) throw new Error('The answer names no second factor')
  return data.second_factor
}

const finish = (body: Parameters<typeof finishRequest>[0], headers: Record<string, string> = {}) =>
  finishRequest(body, headers)
const finishRequest = (
  body: { challenge: string; code?: string; recovery_code?: string; remember_device?: boolean },
  headers: Record<string, string>,
) => app.as()(contract.finishSignIn, { body, headers: { ...from().headers, ...headers } })

it('computes the codes of RFC 6238, and each step works once', () => {
  const secret = Buffer.from('12345678901234567890')
  const published: [number, string][] = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ]
  for (const [seconds, code] of published) {
    const now = new Date(seconds * 1000)
    expect(totpCode(secret, stepAt(now))).toBe(code)
    expect(generateSync({ secret: toBase32(secret), epoch: seconds })).toBe(code)
    const step = stepAt(now)
    expect(matchStep(secret, code, { now, lastStep: 0 })).toBe(step)
    expect(matchStep(secret, code, { now, lastStep: step })).toBeUndefined()
    const at = (shift: number) => new Date(now.getTime() + shift * 30_000)
    expect(matchStep(secret, code, { now: at(1), lastStep: 0 })).toBe(step)
    expect(matchStep(secret, code, { now: at(2), lastStep: 0 })).toBeUndefined()
  }
})

it('a password alone opens no session once the account has a second factor', async () => {
  const other = await makePerson(app)
  const { data: before } = await app.as()(signIn, {
    body: { email: other.email, password: PASSWORD },
    ...from(),
  })
  const person = await enrolled(other)
  // Sessions from before the enrolment ended.
  expect(await isAccepted(app, sessionOf(before).token)).toBe(false)
  expect(await isAccepted(app, person.token)).toBe(true)
  const { challenge, kinds } = await challengeOf(person)
  expect(kinds).toEqual(['totp', 'recovery_code'])
  const { data } = await finish({ challenge, code: codeOf(person.secret) })
  expect(await isAccepted(app, data.token)).toBe(true)
  await sendMails()
  expect((await mailsTo(app, person.email)).map(({ text }) => text).join()).toContain(
    'second factor was added',
  )
})

it('a session that an older process opened without the second factor is refused', async () => {
  const person = await enrolled()
  await app.pool.query('delete from session_details where user_id = $1', [person.id])
  expect(await isAccepted(app, person.token)).toBe(false)
})

it('a code works once, also in two requests at the same time', async () => {
  const person = await enrolled()
  const code = codeOf(person.secret)
  const challenges = await Promise.all([challengeOf(person), challengeOf(person), challengeOf(person)])
  const results = await Promise.allSettled(challenges.map(({ challenge }) => finish({ challenge, code })))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
})

it('a challenge works once, also with two different codes at the same time', async () => {
  const person = await enrolled()
  const { challenge } = await challengeOf(person)
  const results = await Promise.allSettled([
    finish({ challenge, code: codeOf(person.secret) }),
    finish({ challenge, recovery_code: person.recoveryCodes[0]! }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('a challenge ends after five wrong codes, and the person gets a mail', async () => {
  const person = await enrolled()
  const { challenge } = await challengeOf(person)
  for (let i = 0; i < 5; i++)
    expect(await refusalOf(finish({ challenge, code: '000000' }))).toMatchObject({ status: 401 })
  const right = finish({ challenge, recovery_code: person.recoveryCodes[0]! })
  expect(await refusalOf(right)).toMatchObject({ status: 401 })
  await sendMails()
  expect((await mailsTo(app, person.email)).map(({ text }) => text).join()).toContain('several wrong codes')
})

it('codes by the thousand: ten tries per account, however many sign-ins and networks', async () => {
  const person = await enrolled()
  const statuses: number[] = []
  for (let round = 0; round < 3; round++) {
    const { challenge } = await challengeOf(person)
    for (let i = 0; i < 4; i++) statuses.push((await refusalOf(finish({ challenge, code: '000000' }))).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
})

it('a challenge works only in the browser that began', async () => {
  const person = await enrolled()
  const console = { 'x-whence-console': '1' }
  const reply = await fetch(`${app.baseUrl}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...console },
    body: JSON.stringify({ email: person.email, password: PASSWORD }),
  })
  const cookie = reply.headers.getSetCookie().find((value) => value.includes('whence_challenge='))!
  const { data } = (await reply.json()) as { data: { second_factor: { challenge: string } } }
  const { challenge } = data.second_factor
  const code = codeOf(person.secret)
  expect(await refusalOf(finish({ challenge, code }, console))).toMatchObject({ status: 401 })
  const stolen = { ...console, cookie: cookie.split(';')[0]!.replace(/=.*/, '=forged') }
  expect(await refusalOf(finish({ challenge, code }, stolen))).toMatchObject({ status: 401 })
  await finish({ challenge, code }, { ...console, cookie: cookie.split(';')[0]! })
})

it('a recovery code works once; new ones replace the old ones', async () => {
  const person = await enrolled()
  const [first, second] = person.recoveryCodes
  const use = async (recovery_code: string) => {
    const { challenge } = await challengeOf(person)
    return finish({ challenge, recovery_code })
  }
  const { data } = await use(first!)
  expect(await refusalOf(use(first!))).toMatchObject({ status: 401 })
  const again = app.as(data.token)
  expect((await again(contract.getFactors)).data.recovery_codes_left).toBe(9)
  const { data: renewed } = await again(contract.createRecoveryCodes)
  expect(renewed.codes).toHaveLength(10)
  expect(await refusalOf(use(second!))).toMatchObject({ status: 401 })
  await use(renewed.codes[0]!.toLowerCase())
})

it('a remembered device needs no second factor for 30 days, but proves nothing for sensitive actions', async () => {
  const person = await enrolled()
  const browser = { 'x-whence-console': '1' }
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${app.baseUrl}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...browser, cookie },
      body: JSON.stringify(body),
    })
  const cookiesOf = (reply: Response) => reply.headers.getSetCookie().map((value) => value.split(';')[0]!)
  const password = { email: person.email, password: PASSWORD }
  const begun = await post('sign-in', password)
  const { challenge } = ((await begun.json()) as { data: { second_factor: { challenge: string } } }).data
    .second_factor
  const remember = { challenge, code: codeOf(person.secret), remember_device: true }
  const done = await post('second-factor', remember, cookiesOf(begun).join('; '))
  const remembered = cookiesOf(done).find((cookie) => cookie.includes('whence_remembered='))!
  const again = await post('sign-in', password, remembered)
  const { data } = (await again.json()) as { data: { token: string } }
  const call = app.as(data.token)
  expect((await call(contract.listSessions)).data.find(({ is_current }) => is_current)!.methods).toEqual([
    'password',
    'remembered_device',
  ])
  expect(await refusalOf(call(createUserToken, { body: { name: 'T' } }))).toMatchObject({
    status: 403,
    reason: 'reauthentication_required',
  })
  // Of another person, expired or forgotten it is worth nothing.
  const other = await enrolled()
  const asked = async (email: string, cookie: string) =>
    JSON.stringify(await (await post('sign-in', { email, password: PASSWORD }, cookie)).json())
  expect(await asked(other.email, remembered)).toContain('second_factor')
  await call(contract.forgetDevices)
  expect(await asked(person.email, remembered)).toContain('second_factor')
})

it('keys, exports, erasures, billing and factors need a fresh proof; the password is none if there is a factor', async () => {
  const person = await enrolled(await makePerson(app))
  const workspaceId = await makeWorkspace(person)
  const { data: profile } = await person.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'P', timezone: 'UTC', currency: 'EUR' },
  })
  const createKey = () =>
    person.call(createApiKey, {
      params: { workspaceId },
      body: { profile_id: profile.profile_id, name: 'K' },
    })
  await createKey()
  await app.pool.query(`update session_details set proved_at = proved_at - interval '11 minutes'`)
  const stale = { status: 403, reason: 'reauthentication_required' }
  expect(await refusalOf(createKey())).toMatchObject(stale)
  expect(await refusalOf(person.call(contract.createRecoveryCodes))).toMatchObject(stale)
  const again = async (proof: object) => {
    const { data } = await person.call(contract.offerReauthentication)
    return person.call(contract.reauthenticate, { body: { challenge: data.challenge, ...proof } })
  }
  expect(await refusalOf(again({ password: PASSWORD }))).toMatchObject({
    status: 403,
    reason: 'second_factor_wrong',
  })
  expect(await refusalOf(createKey())).toMatchObject(stale)
  await again({ code: codeOf(person.secret) })
  await createKey()
  // Not by the challenge of another person.
  await app.pool.query(`update session_details set proved_at = proved_at - interval '11 minutes'`)
  const other = await enrolled()
  const { data: foreign } = await other.call(contract.offerReauthentication)
  const mixed = { challenge: foreign.challenge, code: codeOf(person.secret) }
  expect(await refusalOf(person.call(contract.reauthenticate, { body: mixed }))).toMatchObject({
    status: 403,
  })
})

it('a mailed link gives no session without the second factor', async () => {
  const person = await enrolled()
  await app.as()(requestSignInLink, { body: { email: person.email }, ...from() })
  await sendMails()
  const token = await mailedToken(app, person.email, 'sign-in-link')
  const { data } = await app.as()(signInByLink, { body: { token }, ...from() })
  expect(data).not.toHaveProperty('token')
  expect(data).toHaveProperty('second_factor')
})

it('a required second factor: members get a grace period, then only this workspace is closed to them', async () => {
  const owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  const params = { workspaceId }
  const member = await makePerson(app, 'Member')
  const elsewhere = await makeWorkspace(member)
  await app.pool.query(
    `insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`,
    [workspaceId, member.id],
  )
  const require = (call: Person['call'], grace_days?: number) =>
    call(updateSignInPolicy, {
      params,
      body: { require_second_factor: true, ...(grace_days !== undefined && { grace_days }) },
    })
  expect(await refusalOf(require(owner.call))).toMatchObject({
    status: 409,
    reason: 'no_second_factor',
  })
  const { call, factorId } = await enrolled(owner)
  expect(
    await refusalOf(member.call(updateSignInPolicy, { params, body: { require_second_factor: false } })),
  ).toMatchObject({ status: 403 })
  await require(call)
  await sendMails()
  expect((await mailsTo(app, member.email)).map(({ text }) => text).join()).toContain(
    'will require a second factor',
  )
  expect((await call(getSignInPolicy, { params })).data.members).toMatchObject([
    { email: member.email, has_second_factor: false },
    { email: owner.email, has_second_factor: true },
  ])
  await member.call(listMembers, { params })
  const { data: token } = await member.call(createUserToken, {
    body: { name: 'Before', scopes: ['mcp:read', 'workspaces:write'] },
  })
  await app.pool.query(
    `update workspaces set second_factor_from = now() - interval '1 second' where id = $1`,
    [workspaceId],
  )
  app.service.clock.machineNow()
  const closed = { status: 403, reason: 'second_factor_required' }
  await expect
    .poll(() => refusalOf(member.call(listMembers, { params })).catch(() => null))
    .toMatchObject(closed)
  expect(await refusalOf(app.as(token.token)(listMembers, { params }))).toMatchObject(closed)
  const body = { workspace_id: workspaceId, name: 'P', timezone: 'UTC', currency: 'EUR' }
  expect(await refusalOf(member.call(createProfile, { body }))).toMatchObject(closed)
  expect(await refusalOf(member.call(archiveWorkspace, { params }))).toMatchObject(closed)
  await member.call(listMembers, { params: { workspaceId: elsewhere } })
  // The owner cannot remove the last factor meanwhile.
  expect(await refusalOf(call(contract.deleteFactor, { params: { factorId } }))).toMatchObject({
    status: 409,
    reason: 'second_factor_required',
  })
  const safe = await enrolled(member)
  await safe.call(listMembers, { params })
})

it('of two removals of the last factors at the same time, one stays while a workspace requires it', async () => {
  const person = await enrolled()
  const workspaceId = await makeWorkspace(person)
  const body = { require_second_factor: true }
  const results = await Promise.allSettled([
    person.call(updateSignInPolicy, { params: { workspaceId }, body }),
    person.call(contract.deleteFactor, { params: { factorId: person.factorId } }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('of two enrolments at the same time, one app counts', async () => {
  const person = await makePerson(app)
  const { data } = await person.call(contract.addFactor, { body: { kind: 'totp', name: 'Phone' } })
  const confirm = () =>
    person.call(contract.confirmFactor, {
      params: { factorId: data.id },
      body: { code: codeOf(data.secret!) },
    })
  const results = await Promise.allSettled([confirm(), confirm()])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await person.call(contract.getFactors)).data.recovery_codes_left).toBe(10)
})

it('in a healthcare workspace, a remembered device is not enough', async () => {
  const person = await enrolled()
  const workspaceId = await makeWorkspace(person)
  const params = { workspaceId }
  await person.call(updateComplianceOverview, { params, body: { healthcare: true } })
  await person.call(updateSignInPolicy, { params, body: { require_second_factor: true, grace_days: 0 } })
  await person.call(listMembers, { params })
  await app.pool.query('update session_details set proved_at = null where user_id = $1', [person.id])
  await expect
    .poll(() => refusalOf(person.call(listMembers, { params })).catch(() => null))
    .toMatchObject({ status: 403, reason: 'reauthentication_required' })
})

it('a lost factor: the owner helps members of this workspace alone, the operator everyone', async () => {
  const owner = await enrolled(await makePerson(app, 'Owner'))
  const workspaceId = await makeWorkspace(owner)
  const member = await enrolled(await makePerson(app, 'Lost'))
  await app.pool.query(
    `insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
    [workspaceId, member.id],
  )
  const params = { workspaceId, userId: member.id }
  expect(
    await refusalOf(member.call(resetMemberFactors, { params: { ...params, userId: owner.id } })),
  ).toMatchObject({ status: 403 })
  const elsewhere = await makeWorkspace(member)
  expect(await refusalOf(owner.call(resetMemberFactors, { params }))).toMatchObject({
    status: 403,
    reason: 'member_elsewhere',
  })
  await app.pool.query('update workspaces set archived_at = now() where id = $1', [elsewhere])
  await owner.call(resetMemberFactors, { params })
  expect(await isAccepted(app, member.token)).toBe(false)
  const { data } = await app.as()(signIn, { body: { email: member.email, password: PASSWORD }, ...from() })
  expect(sessionOf(data).user.email).toBe(member.email)
  await sendMails()
  expect((await mailsTo(app, member.email)).map(({ text }) => text).join()).toContain(
    'All second factors were removed',
  )

  const config = { ...app.service.config, DATABASE_URL: app.connectionString, DATABASE_DIRECT_URL: undefined }
  const [printed] = await resetFromCommand(config, [owner.email, '--remove-factors'])
  const password = /now: (\S+)/.exec(printed!)![1]!
  const again = await app.as()(signIn, { body: { email: owner.email, password }, ...from() })
  expect(sessionOf(again.data).user.email).toBe(owner.email)
  const { rows } = await app.pool.query(
    `select actor_kind from audit_log where action = 'sign_in.factors_reset' and workspace_id = $1 order by occurred_at, actor_kind`,
    [workspaceId],
  )
  expect(rows.map(({ actor_kind }) => actor_kind).toSorted()).toEqual(['service', 'user'])
})

it('lists sessions with their device, and ends one or all others', async () => {
  const person = await makePerson(app)
  const agent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
  const enter = async () => {
    const { data } = await app.as()(signIn, {
      body: { email: person.email, password: PASSWORD },
      headers: { 'user-agent': agent, 'x-forwarded-for': '203.0.113.9' },
    })
    return sessionOf(data).token
  }
  const [one, two, three] = [await enter(), await enter(), await enter()]
  const { data: sessions } = await app.as(one)(contract.listSessions)
  expect(sessions).toHaveLength(4)
  expect(sessions.find(({ is_current }) => is_current)).toMatchObject({
    device: 'Chrome on Windows',
    address: '203.0.113.9',
    country: null,
    methods: ['password'],
  })
  const stranger = await makePerson(app)
  const own = (await app.as(two)(contract.listSessions)).data.find(({ is_current }) => is_current)!
  const params = { sessionId: own.id }
  expect(await refusalOf(stranger.call(contract.endSession, { params }))).toMatchObject({ status: 404 })
  await app.as(one)(contract.endSession, { params })
  expect(await isAccepted(app, two)).toBe(false)
  await app.as(one)(contract.endOtherSessions)
  for (const [token, expected] of [
    [one, true],
    [three, false],
    [person.token, false],
  ] as const)
    expect(await isAccepted(app, token)).toBe(expected)
})

it('a password hashed with other parameters is hashed again at sign-in', async () => {
  const person = await makePerson(app)
  const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1 })
  await app.pool.query('update users set password_hash = $1 where id = $2', [old, person.id])
  const stored = async () =>
    (await app.pool.query('select password_hash from users where id = $1', [person.id])).rows[0].password_hash
  const wrong = app.as()(signIn, { body: { email: person.email, password: 'not it at all' }, ...from() })
  expect((await refusalOf(wrong)).status).toBe(401)
  expect(await stored()).toBe(old)
  await app.as()(signIn, { body: { email: person.email, password: PASSWORD }, ...from() })
  expect(await stored()).toContain('m=19456,t=2')
})

it('changes of sign-in are recorded in the workspaces of the person', async () => {
  const person = await makePerson(app, `Audited ${randomBytes(3).toString('hex')}`)
  const workspaceId = await makeWorkspace(person)
  const { factorId } = await enrolled(person)
  await person.call(contract.renameFactor, { params: { factorId }, body: { name: 'Old phone' } })
  expect((await person.call(contract.getFactors)).data.factors[0]!.name).toBe('Old phone')
  await person.call(contract.deleteFactor, { params: { factorId } })
  const { rows } = await app.pool.query(
    `select action from audit_log where workspace_id = $1 and subject = $2 order by occurred_at, action`,
    [workspaceId, person.id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['sign_in.factor_added', 'sign_in.factor_removed'])
})
