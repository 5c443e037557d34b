import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, makeWorkspace, PASSWORD, type Person, refusalOf } from '../../../test/make.ts'
import { mailsTo } from '../../../test/outbox.ts'
import { inviteMember, revokeInvitation } from '../../features/account/members/contract.ts'
import { mintToken } from '../secrets/tokens.ts'
import { authenticateApp, authenticateBearer, authenticateTrackingKey } from './authenticate.ts'
import { changePassword, requestPasswordReset, sendVerification, signUp } from './contract.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
})
afterAll(() => app.close())

/** Statuses of `times` identical calls in sequence. */
async function statusesOf(times: number, call: (round: number) => Promise<unknown>): Promise<number[]> {
  const statuses: number[] = []
  for (let round = 0; round < times; round++)
    statuses.push(
      await call(round).then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    )
  return statuses
}
const from = (network: number) => ({ headers: { 'x-forwarded-for': `198.51.100.${network}` } })

it('the current password can be guessed at most ten times, even with a session', async () => {
  const person = await makePerson(app, 'Guessed')
  const guess = (round: number) =>
    person.call(changePassword, {
      body: { current_password: `guess ${round}`, new_password: 'a new password' },
    })
  expect(await statusesOf(11, guess)).toEqual([...Array(10).fill(400), 429])
  const right = person.call(changePassword, {
    body: { current_password: PASSWORD, new_password: 'a new one, long' },
  })
  expect(await refusalOf(right)).toMatchObject({ status: 429 })
})

it('an address gets at most five reset mails an hour, with or without an account, whatever the requesting network', async () => {
  const { email } = await makePerson(app, 'Asked')
  for (const address of [email, 'stranger@example.com']) {
    const requestReset = (round: number) =>
      app.as()(requestPasswordReset, { body: { email: address }, ...from(round) })
    expect(await statusesOf(6, requestReset)).toEqual([...Array(5).fill(200), 429])
  }
})

it('a person can request five verification mails an hour', async () => {
  const body = { email: 'unverified@example.com', password: PASSWORD, name: 'New' }
  const { data } = await app.as()(signUp, { body, ...from(77) })
  const statuses = await statusesOf(6, () => app.as(data.token)(sendVerification))
  expect(statuses).toEqual([...Array(5).fill(200), 429])
})

it('an address is invited at most five times an hour, and the subject contains no text of the caller', async () => {
  const { call } = owner
  const workspaceId = await makeWorkspace(owner)
  const params = { workspaceId }
  await app.pool.query(`update workspaces set name = 'You won a prize' where id = $1`, [workspaceId])
  const invite = async () => {
    const { data } = await call(inviteMember, {
      params,
      body: { email: 'bombed@example.com', role: 'viewer' },
    })
    await call(revokeInvitation, { params: { ...params, invitationId: data.id } })
  }
  expect(await statusesOf(6, invite)).toEqual([...Array(5).fill(200), 429])
  const mails = await mailsTo(app, 'bombed@example.com')
  expect(new Set(mails.map((mail) => mail.subject))).toEqual(
    new Set(['You are invited to a workspace on Whence']),
  )
})

it('a credential that was never issued is rejected by its format, without a database query', async () => {
  const getExecutor = vi.spyOn(app.service.db, 'getExecutor')
  const minted = mintToken('api_key').token
  const forged = `${minted.slice(0, -1)}${minted.endsWith('a') ? 'b' : 'a'}`
  try {
    for (const token of ['garbage', forged, 'x'.repeat(4096)]) {
      expect(authenticateBearer(app.service, token)).toBeUndefined()
      expect(await authenticateApp(app.service, 'client', token)).toBeUndefined()
      expect(await authenticateTrackingKey(app.service, token)).toBeUndefined()
    }
    expect(getExecutor).not.toHaveBeenCalled()
    expect(await authenticateBearer(app.service, minted)).toBeUndefined()
    expect(getExecutor).toHaveBeenCalled()
  } finally {
    getExecutor.mockRestore()
  }
})
