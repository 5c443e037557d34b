import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, PASSWORD, type Person } from '../../../test/make.ts'

let app: TestApp
let person: Person
let header: string
let cookie: string
beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app)
  const reply = await post(
    '/auth/sign-in',
    { 'x-whence-console': '1' },
    { email: person.email, password: PASSWORD },
  )
  header = reply.headers.getSetCookie()[0]!
  cookie = header.split(';')[0]!
})
afterAll(() => app.close())

function post(path: string, headers: Record<string, string>, body: unknown = {}): Promise<Response> {
  return fetch(`${app.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

it('the cookie is host-bound, HttpOnly, Secure and SameSite', () => {
  expect(header).toMatch(
    /^__Host-whence_session=\w+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
  )
})

it('sets no cookie if the client did not request it', async () => {
  const reply = await post('/auth/sign-in', {}, { email: person.email, password: PASSWORD })
  expect(reply.status).toBe(200)
  expect(reply.headers.getSetCookie()).toEqual([])
})

it.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{}, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 201],
])('a write by cookie from %j answers %i', async (headers, status) => {
  const reply = await post(
    '/workspaces',
    { cookie, ...headers },
    { name: `Cookie ${status} ${JSON.stringify(headers)}` },
  )
  expect(reply.status).toBe(status)
})

it('signing out ends the session and clears the cookie', async () => {
  const out = await post('/auth/sign-out', { cookie, origin: app.baseUrl })
  expect(out.status).toBe(204)
  expect(out.headers.getSetCookie()[0]).toMatch(/^__Host-whence_session=; Path=\/; Max-Age=0;/)
  const me = await fetch(`${app.baseUrl}/api/v1/auth/me`, { headers: { cookie } })
  expect(me.status).toBe(401)
})
