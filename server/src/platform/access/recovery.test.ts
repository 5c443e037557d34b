import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { drainJobs } from '../../../test/jobs.ts'
import {
  isAccepted,
  makeApp,
  makePerson,
  makeProfile,
  makeWorkspace,
  PASSWORD,
  type PartnerApp,
  type Person,
  refusalOf,
  sessionOf,
} from '../../../test/make.ts'
import { mailedToken, mailsTo } from '../../../test/outbox.ts'
import { createUserToken } from '../../features/account/api-keys/contract.ts'
import {
  acceptInvitation,
  inviteMember,
  listMembers,
  putMember,
} from '../../features/account/members/contract.ts'
import { createProfile, listProfiles } from '../../features/account/profiles/contract.ts'
import { createWorkspace, listWorkspaces } from '../../features/account/workspaces/contract.ts'
import type { Client } from '../contract/client.ts'
import {
  changeEmail,
  changePassword,
  confirmAddress,
  getAuthOptions,
  getMe,
  requestPasswordReset,
  resetPassword,
  sendVerification,
  signIn,
  signUp,
} from './contract.ts'
import { accessJobs } from './jobs.ts'

let app: TestApp
let owner: Person
let partner: PartnerApp
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  partner = await makeApp(app, workspaceId)
})
afterAll(() => app.close())

const NEW_PASSWORD = 'a very new password'
const freshAddress = () => `p-${randomBytes(6).toString('hex')}@example.com`
const sendMails = () => drainJobs(app.service, accessJobs)
let network = 0
/** Each from a different IP address, so that only the account's limit applies. */
const from = () => ({
  headers: { 'x-forwarded-for': `10.7.${Math.floor(network / 250)}.${(network++ % 250) + 1}` },
})

async function signedUp(email: string): Promise<{ token: string; call: Client }> {
  const { data } = await app.as()(signUp, {
    body: { email, password: PASSWORD, name: 'Some One' },
    ...from(),
  })
  return { token: data.token, call: app.as(data.token) }
}

const provision = async (email: string) =>
  (await partner.call(createWorkspace, { body: { email } })).data.workspace_id

const seen = async (call: Client) => (await call(listWorkspaces)).data.map((row) => row.id)

async function resetByMail(email: string): Promise<Client> {
  await app.as()(requestPasswordReset, { body: { email }, ...from() })
  await sendMails()
  const token = await mailedToken(app, email, 'reset-password')
  await app.as()(resetPassword, { body: { token, new_password: NEW_PASSWORD }, ...from() })
  const { data } = await app.as()(signIn, { body: { email, password: NEW_PASSWORD }, ...from() })
  return app.as(sessionOf(data).token)
}

it('signing up first with an address gives no access that an app granted to that address', async () => {
  const email = freshAddress()
  const hijacker = await signedUp(email)
  const { data: planted } = await hijacker.call(createUserToken, { body: { name: 'Planted' } })
  const workspaceId = await provision(email)
  const creation = await partner.call(createProfile, {
    body: { name: 'Dealer', user: { email, name: 'Victim' }, scopes: ['analytics'] },
  })
  expect(await seen(hijacker.call)).toEqual([])
  expect((await hijacker.call(listProfiles)).data).toEqual([])
  expect(await refusalOf(hijacker.call(listMembers, { params: { workspaceId } }))).toMatchObject({
    status: 404,
  })
  const reading = hijacker.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'X', timezone: 'UTC', currency: 'EUR' },
  })
  expect(await refusalOf(reading)).toMatchObject({ status: 404 })
  const members = await partner.call(listMembers, { params: { workspaceId } })
  expect(members.data).toMatchObject([{ email, role: 'owner', email_verified: false }])

  const victim = await resetByMail(email)
  expect(await seen(victim)).toEqual(expect.arrayContaining([workspaceId, creation.data.workspace_id]))
  expect(await isAccepted(app, hijacker.token)).toBe(false)
  expect(await isAccepted(app, planted.token)).toBe(false)
  const old = app.as()(signIn, { body: { email, password: PASSWORD }, ...from() })
  expect(await refusalOf(old)).toMatchObject({ status: 401 })
})

it('a person provisioned by an app first gets access by a reset, which mentions no workspace and no app', async () => {
  const email = freshAddress()
  const workspaceId = await provision(email)
  await sendMails()
  expect(await mailsTo(app, email)).toEqual([])
  expect(await refusalOf(signedUp(email))).toMatchObject({ status: 409, reason: 'email_taken' })
  const person = await resetByMail(email)
  expect(await seen(person)).toEqual([workspaceId])
  expect((await person(getMe)).data.email_verified).toBe(true)
  const [mail] = await mailsTo(app, email)
  expect(mail!.text).not.toMatch(/partner|dealer/i)
})

it('the mailed link verifies once and only in a session of its own account', async () => {
  const email = freshAddress()
  const person = await signedUp(email)
  expect((await person.call(getMe)).data.email_verified).toBe(false)
  const workspaceId = await provision(email)
  await sendMails()
  const token = await mailedToken(app, email)
  const stranger = await makePerson(app, 'Stranger')
  expect(await refusalOf(stranger.call(confirmAddress, { body: { token } }))).toMatchObject({ status: 404 })
  expect((await person.call(confirmAddress, { body: { token } })).data.email_verified).toBe(true)
  expect(await seen(person.call)).toEqual([workspaceId])
  expect(await refusalOf(person.call(confirmAddress, { body: { token } }))).toMatchObject({ status: 404 })
  expect(await refusalOf(person.call(sendVerification))).toMatchObject({ reason: 'email_verified' })
})

it('a verification is mailed again on request, and an expired one is rejected', async () => {
  const email = freshAddress()
  const person = await signedUp(email)
  await sendMails()
  const first = await mailedToken(app, email)
  await app.pool.query(`update account_links set expires_at = now() - interval '1 second' where email = $1`, [
    email,
  ])
  expect(await refusalOf(person.call(confirmAddress, { body: { token: first } }))).toMatchObject({
    status: 404,
  })
  await person.call(sendVerification)
  await sendMails()
  expect(await mailsTo(app, email)).toHaveLength(2)
  const second = await mailedToken(app, email)
  expect((await person.call(confirmAddress, { body: { token: second } })).data.email_verified).toBe(true)
})

it('an invitation accepted with its mailed token verifies the address', async () => {
  const email = freshAddress()
  const workspaceId = await makeWorkspace(owner)
  await owner.call(inviteMember, { params: { workspaceId }, body: { email, role: 'editor' } })
  const token = await mailedToken(app, email)
  const guest = await signedUp(email)
  await guest.call(acceptInvitation, { body: { token } })
  expect((await guest.call(getMe)).data.email_verified).toBe(true)
  expect(await seen(guest.call)).toEqual([workspaceId])
})

it('without a mail server an invitation can be passed on as a link, which joins but does not verify the address', async () => {
  const email = freshAddress()
  const workspaceId = await makeWorkspace(owner)
  const sent = await owner.call(inviteMember, { params: { workspaceId }, body: { email, role: 'editor' } })
  const token = new URL(sent.data.accept_url!).searchParams.get('token')!
  expect(token).not.toBe(await mailedToken(app, email))
  const body = { email, password: PASSWORD, name: 'Guest', invitation_token: token }
  const { data } = await app.as()(signUp, { body, ...from() })
  expect(data.user.email_verified).toBe(false)
  const call = app.as(data.token)
  await call(acceptInvitation, { body: { token } })
  expect((await call(getMe)).data.email_verified).toBe(false)
  expect(await seen(call)).toEqual([workspaceId])
})

it('an account that changes an unverified address loses access granted to that address', async () => {
  const email = freshAddress()
  const hijacker = await signedUp(email)
  const workspaceId = await provision(email)
  const address = freshAddress()
  await hijacker.call(changeEmail, { body: { email: address, current_password: PASSWORD } })
  await sendMails()
  const token = await mailedToken(app, address)
  expect((await hijacker.call(confirmAddress, { body: { token } })).data).toMatchObject({
    email: address,
    email_verified: true,
  })
  expect(await seen(hijacker.call)).toEqual([])
  expect(await seen(await resetByMail(email))).toEqual([workspaceId])
})

it('the link mailed to a new address changes only the requesting account', async () => {
  const person = await makePerson(app, 'Mover')
  const stranger = await makePerson(app, 'Stranger')
  const email = freshAddress()
  await person.call(changeEmail, { body: { email, current_password: PASSWORD } })
  await sendMails()
  const token = await mailedToken(app, email)
  expect(await refusalOf(stranger.call(confirmAddress, { body: { token }, ...from() }))).toMatchObject({
    status: 404,
  })
  expect((await stranger.call(getMe)).data.email).toBe(stranger.email)
  expect((await person.call(confirmAddress, { body: { token }, ...from() })).data.email).toBe(email)
})

it('a verified person keeps their workspaces with the new address, and the old one gets a mail', async () => {
  const person = await makePerson(app, 'Mover')
  const workspaceId = await provision(person.email)
  const email = freshAddress()
  expect(await refusalOf(person.call(changeEmail, { body: { email } }))).toMatchObject({
    code: 'current_password_required',
  })
  const wrong = person.call(changeEmail, { body: { email, current_password: 'wrong' } })
  expect(await refusalOf(wrong)).toMatchObject({ code: 'current_password_invalid' })
  await person.call(changeEmail, { body: { email, current_password: PASSWORD } })
  await app.as()(requestPasswordReset, { body: { email: person.email }, ...from() })
  await sendMails()
  const reset = await mailedToken(app, person.email)
  expect((await person.call(getMe)).data.email).toBe(person.email)
  await person.call(confirmAddress, { body: { token: await mailedToken(app, email) } })
  await sendMails()
  expect((await mailsTo(app, person.email)).at(-1)?.subject).toBe('Your address was changed')
  expect(await seen(person.call)).toEqual([workspaceId])
  // Links mailed to the old address no longer work.
  const late = app.as()(resetPassword, { body: { token: reset, new_password: NEW_PASSWORD }, ...from() })
  expect(await refusalOf(late)).toMatchObject({ status: 404 })
  const { data } = await app.as()(signIn, { body: { email, password: PASSWORD }, ...from() })
  expect(sessionOf(data).user.id).toBe(person.id)
})

it('no response reveals whether an address has an account', async () => {
  const person = await makePerson(app, 'Known')
  const unknown = freshAddress()
  const asker = await makePerson(app, 'Asker')
  for (const email of [person.email, unknown]) {
    const reset = await app.as()(requestPasswordReset, { body: { email }, ...from() })
    const change = await asker.call(changeEmail, { body: { email, current_password: PASSWORD } })
    expect([reset, change]).toMatchObject([{ data: null }, { data: null }])
  }
  const { rows } = await app.pool.query(
    `select payload->>'about' as about, count(*)::int as jobs from jobs where name = 'access.mail' group by 1 order by 1`,
  )
  // The same number of rows is written in both cases, because the job does the lookup.
  expect(rows).toEqual([
    { about: 'change', jobs: 2 },
    { about: 'reset', jobs: 2 },
  ])
  await sendMails()
  expect((await mailsTo(app, person.email)).map((mail) => mail.subject).sort()).toEqual([
    'Reset your password',
    'This address has an account',
  ])
  expect((await mailsTo(app, unknown)).map((mail) => mail.subject)).toEqual(['Confirm your new address'])
})

it('if two accounts request one address, the first to confirm gets it', async () => {
  const email = freshAddress()
  const people = [await makePerson(app, 'One'), await makePerson(app, 'Two')]
  const tokens: string[] = []
  for (const person of people) {
    await person.call(changeEmail, { body: { email, current_password: PASSWORD } })
    await sendMails()
    tokens.push(await mailedToken(app, email))
  }
  const outcomes = await Promise.all(
    people.map((person, index) =>
      person.call(confirmAddress, { body: { token: tokens[index]! } }).then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    ),
  )
  expect(outcomes.sort()).toEqual([200, 409])
})

it('a changed password ends all other sessions, user tokens and OAuth clients; profile keys are kept', async () => {
  const person = await makePerson(app, 'Changer')
  const { data: token } = await person.call(createUserToken, { body: { name: 'Mine' } })
  const { data: other } = await app.as()(signIn, {
    body: { email: person.email, password: PASSWORD },
    ...from(),
  })
  const workspaceId = await makeWorkspace(person)
  await makeProfile(person, workspaceId)
  await person.call(changePassword, { body: { current_password: PASSWORD, new_password: NEW_PASSWORD } })
  expect(await isAccepted(app, person.token)).toBe(true)
  expect(await isAccepted(app, sessionOf(other).token)).toBe(false)
  expect(await isAccepted(app, token.token)).toBe(false)
})

it('a reset link works once, and not with a weak password', async () => {
  const person = await makePerson(app, 'Forgetful')
  await app.as()(requestPasswordReset, { body: { email: person.email.toUpperCase() }, ...from() })
  await sendMails()
  const token = await mailedToken(app, person.email)
  const reset = (new_password: string) =>
    app.as()(resetPassword, { body: { token, new_password }, ...from() })
  expect(await refusalOf(reset('short'))).toMatchObject({ code: 'weak_password' })
  const outcomes = await Promise.all(
    [reset(NEW_PASSWORD), reset(NEW_PASSWORD)].map((call) =>
      call.then(
        () => 204,
        (error: { status: number }) => error.status,
      ),
    ),
  )
  expect(outcomes.sort()).toEqual([204, 404])
  expect(await isAccepted(app, person.token)).toBe(false)
  expect(await refusalOf(reset(NEW_PASSWORD))).toMatchObject({ status: 404, code: 'not_found' })
})

it('closed sign-up admits only people with an invitation to that very address', async () => {
  const closed = await app.startTwin({ env: { SIGN_UP: 'closed' } })
  try {
    const email = freshAddress()
    const body = { email, password: PASSWORD, name: 'New' }
    expect((await closed.as()(getAuthOptions)).data.sign_up).toBe('closed')
    expect(await refusalOf(closed.as()(signUp, { body, ...from() }))).toMatchObject({
      status: 403,
      code: 'forbidden',
      reason: 'sign_up_closed',
    })
    const workspaceId = await makeWorkspace(owner)
    await owner.call(inviteMember, { params: { workspaceId }, body: { email, role: 'viewer' } })
    const invitation_token = await mailedToken(app, email)
    const elsewhere = { ...body, email: freshAddress(), invitation_token }
    expect(await refusalOf(closed.as()(signUp, { body: elsewhere, ...from() }))).toMatchObject({
      status: 404,
    })
    const { data } = await closed.as()(signUp, { body: { ...body, invitation_token }, ...from() })
    expect(data.user.email_verified).toBe(true)
  } finally {
    await closed.close()
  }
})

it('an app adds a person with an unverified account; the membership takes effect on verification', async () => {
  const workspaceId = await provision(owner.email)
  const email = freshAddress()
  const person = await signedUp(email)
  const put = (role: 'admin' | 'viewer') =>
    partner.call(putMember, { params: { workspaceId }, body: { email, role } })
  expect((await put('admin')).data).toMatchObject({ role: 'admin', email_verified: false })
  expect((await put('viewer')).data.role).toBe('viewer')
  expect(await seen(person.call)).toEqual([])
  await sendMails()
  await person.call(confirmAddress, { body: { token: await mailedToken(app, email) } })
  expect(await seen(person.call)).toEqual([workspaceId])
})
