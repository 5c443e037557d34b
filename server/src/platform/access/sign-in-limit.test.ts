import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { drainJobs } from '../../../test/jobs.ts'
import { isAccepted, makePerson, PASSWORD } from '../../../test/make.ts'
import { mailedToken } from '../../../test/outbox.ts'
import { type RateLimit, spendUnits } from '../http/rate-limit.ts'
import { accessJobs } from './jobs.ts'
import { accountSubject } from './known-devices.ts'

const TRIES = 10
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

function post(
  path: string,
  from: string,
  body: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${app.baseUrl}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    body: JSON.stringify(body),
  })
}
const signIn = (
  from: string,
  email: string,
  password = 'a wrong guess',
  headers: Record<string, string> = {},
) => post('sign-in', from, { email, password }, headers)

const ALL_STRANGERS = { perMinute: 5, burst: 300 }
/** Uses up a limit ahead of the clock, so that no unit is refilled while the test runs. */
function useUp(key: string, limit: RateLimit) {
  const soon = app.service.clock.machineNow().getTime() + 50_000
  return spendUnits(app.service.db, key, limit, limit.burst, soon)
}

function cookieOf(reply: Response, name: string): string {
  const setCookie = reply.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return setCookie?.split(';')[0] ?? `${name} was not set`
}

it('attackers at eleven addresses use up their own attempts, not those of the owner', async () => {
  const { email } = await makePerson(app)
  for (let n = 0; n < 11; n++) expect((await signIn(`10.1.0.${n}`, email)).status).toBe(401)
  expect((await signIn('10.1.1.1', email, PASSWORD)).status).toBe(200)
})

it('one address gets ten attempts at one account in fifteen minutes; then even the correct password fails', async () => {
  const { email } = await makePerson(app)
  await useUp(`${accountSubject(email)} from 10.1.2.0`, { perMinute: 10 / 15, burst: TRIES })
  // Another spelling of the same account.
  for (const same of [email, email.toUpperCase(), ` ${email}`]) {
    const refusal = await signIn('10.1.2.0', same, PASSWORD)
    expect([same, refusal.status]).toEqual([same, 429])
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const other = await makePerson(app)
  expect((await signIn('10.1.2.0', other.email, PASSWORD)).status).toBe(200)
})

it('IPv6 addresses of one /64 count as one address', async () => {
  const { email } = await makePerson(app)
  for (let n = 0; n < TRIES; n++) expect((await signIn(`2001:db8:1:2::${n}`, email)).status).toBe(401)
  expect((await signIn('2001:db8:1:2:aaaa::1', email, PASSWORD)).status).toBe(429)
  expect((await signIn('2001:db8:1:3::1', email, PASSWORD)).status).toBe(200)
})

describe('an account attacked from very many addresses', () => {
  let email: string
  let device: string
  beforeAll(async () => {
    email = (await makePerson(app)).email
    const first = await signIn('10.4.0.1', email, PASSWORD, { 'x-whence-console': '1' })
    device = cookieOf(first, '__Host-whence_device')
    await useUp(accountSubject(email), ALL_STRANGERS)
  })

  it('is refused for an unknown browser', async () => {
    expect((await signIn('10.4.0.2', email, PASSWORD)).status).toBe(429)
  })

  it('accepts a known device, which has ten separate attempts', async () => {
    for (let n = 0; n < TRIES - 1; n++)
      expect((await signIn('10.4.0.3', email, 'mistyped', { cookie: device })).status).toBe(401)
    expect((await signIn('10.4.0.3', email, PASSWORD, { cookie: device })).status).toBe(200)
    expect((await signIn('10.4.0.3', email, PASSWORD, { cookie: device })).status).toBe(429)
  })

  it('refuses a device cookie of another account or a forged one', async () => {
    const person = await makePerson(app)
    const first = await signIn('10.4.0.4', person.email, PASSWORD, { 'x-whence-console': '1' })
    for (const cookie of [
      cookieOf(first, '__Host-whence_device'),
      `${device.slice(0, -1)}!`,
      device.split('.')[0]!,
    ])
      expect((await signIn('10.4.0.5', email, PASSWORD, { cookie })).status).toBe(429)
  })

  it('accepts a mailed link once, and the browser is then a known device', async () => {
    const confirm = (token: string) =>
      post('sign-in-link/confirm', '10.4.0.6', { token }, { 'x-whence-console': '1' })
    expect((await post('sign-in-link', '10.4.0.6', { email })).status).toBe(202)
    await drainJobs(app.service, accessJobs)
    const token = await mailedToken(app, email, 'sign-in-link')
    const opened = await confirm(token)
    expect(opened.status).toBe(200)
    const { data } = (await opened.json()) as { data: { token: string; user: { email: string } } }
    expect(data.user.email).toBe(email)
    expect(await isAccepted(app, data.token)).toBe(true)
    expect((await confirm(token)).status).toBe(404)
    const cookie = cookieOf(opened, '__Host-whence_device')
    expect((await signIn('10.4.0.6', email, PASSWORD, { cookie })).status).toBe(200)
  })

  it('gets a password reset link if the address is not verified', async () => {
    const person = await makePerson(app)
    await app.pool.query('update users set email_verified_at = null where email = $1', [person.email])
    await post('sign-in-link', '10.4.0.7', { email: person.email })
    await drainJobs(app.service, accessJobs)
    await expect(mailedToken(app, person.email, 'sign-in-link')).rejects.toThrow()
    const token = await mailedToken(app, person.email, 'reset-password')
    expect((await post('sign-in-link/confirm', '10.4.0.7', { token })).status).toBe(404)
    const body = { token, new_password: 'a very new password' }
    const reset = await post('password/reset', '10.4.0.7', body, { 'x-whence-console': '1' })
    await useUp(accountSubject(person.email), ALL_STRANGERS)
    const cookie = cookieOf(reset, '__Host-whence_device')
    expect((await signIn('10.4.0.7', person.email, body.new_password, { cookie })).status).toBe(200)
  })
})

it('an IP address has ten attempts, for any number of accounts', async () => {
  for (let n = 0; n < TRIES; n++)
    expect((await signIn('10.2.0.1', `unknown-${n}@example.com`)).status).toBe(401)
  const { email } = await makePerson(app)
  expect((await signIn('10.2.0.1', email, PASSWORD)).status).toBe(429)
  expect((await signIn('10.2.0.2', email, PASSWORD)).status).toBe(200)
})

it('signing up is limited in the same way', async () => {
  const signUp = (n: number) =>
    post('sign-up', '10.3.0.1', { email: `new-${n}@example.com`, password: 'short', name: 'New' })
  for (let n = 0; n < TRIES; n++) expect((await signUp(n)).status).toBe(422)
  expect((await signUp(TRIES)).status).toBe(429)
})
