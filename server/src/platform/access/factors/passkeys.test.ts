/** Passkeys as second and as only factor, with assertions of an independent authenticator. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { isAccepted, makePerson, PASSWORD, type Person, refusalOf } from '../../../../test/make.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { makePasskey, type Passkey } from '../../../../test/passkey.ts'
import { signIn } from '../contract.ts'
import { accessJobs } from '../jobs.ts'
import * as contract from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const here = () => ({ origin: new URL(app.baseUrl).origin, rpId: '127.0.0.1' })
const challengeIn = (options: unknown) => (options as { challenge: string }).challenge

async function withPasskey(): Promise<Person & { passkey: Passkey; factorId: string }> {
  const person = await makePerson(app)
  const passkey = makePasskey()
  const { data } = await person.call(contract.addFactor, { body: { kind: 'passkey', name: 'Laptop' } })
  const registration = passkey.register({ ...here(), challenge: challengeIn(data.options) })
  await person.call(contract.confirmFactor, { params: { factorId: data.id }, body: { registration } })
  return { ...person, passkey, factorId: data.id }
}

const second = async (person: Person) => {
  const { data } = await app.as()(signIn, { body: { email: person.email, password: PASSWORD } })
  if (!('second_factor' in data)) throw new Error('The answer names no second factor')
  return { challenge: data.second_factor.challenge, asked: challengeIn(data.second_factor.passkey) }
}
const alone = async () => {
  const { data } = await app.as()(contract.offerPasskey)
  return { challenge: data.challenge, asked: challengeIn(data.options) }
}
const finish = (challenge: string, assertion: { id: string }) =>
  app.as()(contract.finishSignIn, { body: { challenge, assertion } })
const enter = (challenge: string, assertion: { id: string }) =>
  app.as()(contract.signInByPasskey, { body: { challenge, assertion } })

it('a passkey is a second factor, and with the person verified the only one', async () => {
  const person = await withPasskey()
  const step = await second(person)
  const unverified = { ...here(), challenge: step.asked, isVerified: false }
  const { data } = await finish(step.challenge, person.passkey.assert(unverified))
  expect(await isAccepted(app, data.token)).toBe(true)
  const offer = await alone()
  const weak = person.passkey.assert({ ...here(), challenge: offer.asked, isVerified: false })
  expect(await refusalOf(enter(offer.challenge, weak))).toMatchObject({ status: 401 })
  const strong = await alone()
  const signed = await enter(strong.challenge, person.passkey.assert({ ...here(), challenge: strong.asked }))
  expect(signed.data.user.email).toBe(person.email)
})

it('an assertion works once', async () => {
  const person = await withPasskey()
  const { challenge, asked } = await alone()
  const assertion = person.passkey.assert({ ...here(), challenge: asked })
  const results = await Promise.allSettled([enter(challenge, assertion), enter(challenge, assertion)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await refusalOf(enter(challenge, assertion))).toMatchObject({ status: 401 })
  // An assertion of one challenge does not answer another.
  const other = await alone()
  expect(await refusalOf(enter(other.challenge, assertion))).toMatchObject({ status: 401 })
})

it('a passkey without a counter works once per challenge', async () => {
  const person = await withPasskey()
  const { challenge, asked } = await alone()
  await app.pool.query('update user_factors set sign_count = 0 where user_id = $1', [person.id])
  const assertion = person.passkey.assert({ ...here(), challenge: asked, counter: 0 })
  const results = await Promise.allSettled([enter(challenge, assertion), enter(challenge, assertion)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('refuses assertions of other origins, other relying parties, other types and other people', async () => {
  const person = await withPasskey()
  const wrong = [
    { origin: 'https://whence.evil.example' },
    { origin: 'http://127.0.0.1:1' },
    { rpId: 'evil.example' },
    { type: 'webauthn.create' },
  ]
  for (const change of wrong) {
    const { challenge, asked } = await alone()
    const assertion = person.passkey.assert({ ...here(), challenge: asked, ...change })
    expect(await refusalOf(enter(challenge, assertion))).toMatchObject({ status: 401 })
  }
  const other = await withPasskey()
  const { challenge, asked } = await second(person)
  const foreign = other.passkey.assert({ ...here(), challenge: asked })
  expect(await refusalOf(finish(challenge, foreign))).toMatchObject({ status: 401 })
  // The other person's key under this person's id.
  const forged = { ...foreign, id: person.passkey.id, rawId: person.passkey.id }
  expect(await refusalOf(finish(challenge, forged))).toMatchObject({ status: 401 })
})

it('a counter that goes back is refused, and the person gets a mail about a copy', async () => {
  const person = await withPasskey()
  const first = await alone()
  await enter(first.challenge, person.passkey.assert({ ...here(), challenge: first.asked, counter: 20 }))
  const { challenge, asked } = await alone()
  const copy = person.passkey.assert({ ...here(), challenge: asked, counter: 20 })
  expect(await refusalOf(enter(challenge, copy))).toMatchObject({ status: 401 })
  await drainJobs(app.service, accessJobs)
  expect((await mailsTo(app, person.email)).map(({ text }) => text).join()).toContain('may have been copied')
})

it('registers only the answer to its own challenge, here, and no passkey twice', async () => {
  const person = await makePerson(app)
  const passkey = makePasskey()
  const add = async (call: Person['call'], change: Partial<Parameters<Passkey['register']>[0]>) => {
    const { data } = await call(contract.addFactor, { body: { kind: 'passkey', name: 'Key' } })
    const registration = passkey.register({ ...here(), challenge: challengeIn(data.options), ...change })
    return call(contract.confirmFactor, { params: { factorId: data.id }, body: { registration } })
  }
  for (const change of [{ challenge: 'AAAA' }, { origin: 'https://evil.example' }, { rpId: 'evil.example' }])
    expect(await refusalOf(add(person.call, change))).toMatchObject({
      status: 403,
      reason: 'second_factor_wrong',
    })
  await add(person.call, {})
  const thief = await makePerson(app)
  expect(await refusalOf(add(thief.call, {}))).toMatchObject({ status: 403, reason: 'second_factor_wrong' })
})

it('without a password, a passkey signs in, and the last one stays', async () => {
  const person = await withPasskey()
  const poor = await makePerson(app)
  expect(await refusalOf(poor.call(contract.removePassword))).toMatchObject({ reason: 'no_passkey' })
  await person.call(contract.removePassword)
  const byPassword = app.as()(signIn, { body: { email: person.email, password: PASSWORD } })
  expect(await refusalOf(byPassword)).toMatchObject({ status: 401 })
  const params = { factorId: person.factorId }
  expect(await refusalOf(person.call(contract.deleteFactor, { params }))).toMatchObject({
    status: 409,
    reason: 'last_passkey',
  })
  const { challenge, asked } = await alone()
  const { data } = await enter(challenge, person.passkey.assert({ ...here(), challenge: asked }))
  expect((await app.as(data.token)(contract.getFactors)).data.has_password).toBe(false)
})

it('a passkey of an enrolment that was not confirmed signs no one in', async () => {
  const person = await makePerson(app)
  const passkey = makePasskey()
  await person.call(contract.addFactor, { body: { kind: 'passkey', name: 'Key' } })
  await app.pool.query('update user_factors set credential_id = $1 where user_id = $2', [
    passkey.id,
    person.id,
  ])
  const { challenge, asked } = await alone()
  const assertion = passkey.assert({ ...here(), challenge: asked })
  expect(await refusalOf(enter(challenge, assertion))).toMatchObject({ status: 401 })
})
