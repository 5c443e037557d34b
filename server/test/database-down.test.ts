import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintToken } from '../src/platform/secrets/tokens.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makePerson, PASSWORD, type Person } from './make.ts'
import { until } from './until.ts'
import { Wire } from './wire.ts'

let app: TestApp
let wire: Wire
let person: Person
beforeAll(async () => {
  app = await startTestApp({}, async (direct) => {
    const url = new URL(direct.replace('@/', '@localhost/'))
    const folder = url.searchParams.get('host')
    const port = url.searchParams.get('port') ?? (url.port || '5432')
    wire = new Wire(
      folder?.startsWith('/')
        ? { path: `${folder}/.s.PGSQL.${port}` }
        : { host: url.hostname, port: Number(port) },
    )
    const login = url.password === '' ? url.username : `${url.username}:${url.password}`
    return `postgres://${login}@127.0.0.1:${await wire.up()}${url.pathname}`
  })
  person = await makePerson(app)
})
afterAll(async () => {
  await app.close()
  await wire.cut()
})

const me = () =>
  fetch(`${app.baseUrl}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${person.token}` },
  })

/** Credentials are cached for half a second; then the service must query the database. */
async function expectUnavailable(): Promise<void> {
  let reply = await me()
  while (reply.status === 200) reply = await me()
  const { error } = (await reply.json()) as { error: { code: string } }
  expect([reply.status, error.code]).toEqual([503, 'database_unavailable'])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  const ready = await fetch(`${app.baseUrl}/readyz`)
  expect(ready.status).toBe(503)
}

async function expectRecovery(): Promise<void> {
  await until(async () => (await me()).status === 200, 100)
}

it('an unavailable database is 503 with Retry-After, never 401, and requests succeed when it is back', async () => {
  expect((await me()).status).toBe(200)
  await wire.cut()
  await expectUnavailable()
  const stranger = await fetch(`${app.baseUrl}/api/v1/auth/me`, {
    // Well formed: a token with a wrong checksum is refused without a query.
    headers: { authorization: `Bearer ${mintToken('session').token}` },
  })
  expect([stranger.status, ((await stranger.json()) as { error: { code: string } }).error.code]).toEqual([
    503,
    'database_unavailable',
  ])
  expect((await fetch(`${app.baseUrl}/healthz`)).status).toBe(200)
  await wire.up()
  await expectRecovery()
})

it('a database that accepts queries but never answers is 503 too', async () => {
  wire.stall()
  await expectUnavailable()
  const signIn = await fetch(`${app.baseUrl}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: PASSWORD }),
  })
  expect([signIn.status, ((await signIn.json()) as { error: { code: string } }).error.code]).toEqual([
    503,
    'database_unavailable',
  ])
  await wire.cut()
  await wire.up()
  await expectRecovery()
})
