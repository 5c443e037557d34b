import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { leanFetch } from '../../../test/lean-fetch.ts'
import { makePerson, PASSWORD } from '../../../test/make.ts'

const TRIES = 10
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

function post(path: string, from: string, body: Record<string, string>) {
  return leanFetch(`${app.baseUrl}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  })
}
const signIn = (from: string, email: string, password = 'a wrong guess') =>
  post('sign-in', from, { email, password })

it('an account takes ten tries in fifteen minutes, from however many addresses, and then not even its password', async () => {
  const { email } = await makePerson(app)
  for (let n = 0; n < TRIES; n++) expect((await signIn(`10.1.0.${n}`, email)).status).toBe(401)
  // Spelled otherwise it is the same account.
  for (const same of [email, email.toUpperCase(), ` ${email}`]) {
    const refused = await signIn('10.1.1.1', same, PASSWORD)
    expect([same, refused.status]).toEqual([same, 429])
    const seconds = Number(refused.headers.get('retry-after'))
    expect([seconds >= 1, seconds <= 90]).toEqual([true, true])
  }
  const other = await makePerson(app)
  expect((await signIn('10.1.1.2', other.email, PASSWORD)).status).toBe(200)
})

it('an address on the network takes ten tries, for however many accounts', async () => {
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
