/** Names, people and data of a tenant are in no metric, no log line and no response to another tenant. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { routes } from '../src/app.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey } from './make.ts'
import { sampleOf } from './samples.ts'
import { fittingCredential, makeTenant, type Tenant } from './tenants.ts'

const lines: string[] = []
let app: TestApp
let victim: Tenant
let stranger: Tenant
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk))
    return true
  })
  app = await startTestApp({ LOG_LEVEL: 'debug' })
  victim = await makeTenant(app)
  stranger = await makeTenant(app)
  await app.pool.query(`update workspaces set name = 'Secretname Workspace' where id = $1`, [
    victim.workspaceId,
  ])
  await app.pool.query(`update profiles set name = 'Secretname Profile' where id = $1`, [victim.profileId])
  const key = await makeKey(app, victim.profileId, ['events:write'])
  await fetch(`${app.baseUrl}/api/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      event_name: 'lead_created',
      idempotency_key: 'secretname-1',
      properties: { note: 'secretname' },
      user_traits: { email: 'secretname.customer@example.com', name: 'Secretname Person' },
    }),
  })
})
afterAll(async () => {
  await app.close()
  vi.restoreAllMocks()
})

/** Calls each route with a credential of the caller and ids of the target; returns the refusals. */
async function refusals(caller: Tenant, target: Tenant): Promise<string[]> {
  const bodies: string[] = []
  for (const { entry } of routes) {
    const authorization = await fittingCredential(app, caller, entry)
    const sample = sampleOf(entry)
    const ids: Record<string, string> = {
      workspaceId: target.workspaceId,
      profileId: target.profileId,
      appId: target.partner.id,
    }
    for (const [name, value] of Object.entries(ids)) if (name in sample.params) sample.params[name] = value
    const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(sample.params[name])),
    )
    const query = new URLSearchParams({ profile_id: target.profileId })
    const reply = await fetch(`${app.baseUrl}/api/v1${path}?${query}`, {
      method: entry.method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        'content-type': 'application/json',
      },
      body: entry.method === 'GET' ? null : JSON.stringify(sample.body ?? {}),
    })
    const text = await reply.text()
    if (reply.status >= 400) bodies.push(`${entry.name} ${reply.status} ${text}`)
  }
  return bodies
}

const secretWord = /secretname/i

it('no refusal contains a name, a person or a value of another tenant', async () => {
  const bodies = await refusals(stranger, victim)
  expect(bodies.length).toBeGreaterThan(50)
  const hidden = [
    victim.owner.email,
    victim.owner.token,
    victim.key,
    victim.partner.secret,
    stranger.owner.token,
  ]
  for (const body of bodies) {
    expect(body).not.toMatch(secretWord)
    for (const value of hidden) expect(body.includes(value), body.slice(0, 80)).toBe(false)
    // Refusals reveal no internals either.
    expect(body).not.toMatch(/node_modules|\.ts:\d+|select .* from|violates|constraint/i)
  }
})

it('an unknown path is reported without the token in it', async () => {
  const reply = await fetch(`${app.baseUrl}/anything/${victim.key}?email=ana@example.com`)
  expect(reply.status).toBe(404)
  const text = await reply.text()
  expect(text).not.toContain(victim.key)
  expect(text).not.toContain('ana@example.com')
})

it('no metric has a label with a tenant, a person, a token or a request path', async () => {
  await fetch(`${app.baseUrl}/${victim.profileId}/${victim.key}?email=secretname@example.com`)
  await fetch(`${app.baseUrl}/api/v1/profiles/${victim.profileId}/${victim.workspaceId}`, {
    method: 'DELETE',
  })
  const text = await (await fetch(`${app.baseUrl}/metrics`)).text()
  const labels = [...text.matchAll(/\b(\w+)="([^"]*)"/g)].map(([, name, value]) => ({
    name: name!,
    value: value!,
  }))
  expect(labels.length).toBeGreaterThan(50)
  expect(new Set(labels.map(({ name }) => name))).toEqual(
    // The last three describe the process itself.
    new Set(['method', 'route', 'status', 'le', 'node', 'takes', 'version', 'build', 'role']),
  )
  const routePaths = new Set(
    [...routes.map(({ entry }) => `/api/v1${entry.path.replace(/\{(\w+)\}/g, ':$1')}`), 'unmatched'].concat([
      '/metrics',
      '/healthz',
      '/readyz',
    ]),
  )
  const strange = labels.filter(
    ({ name, value }) => name === 'route' && !routePaths.has(value) && /[0-9a-f]{8}|@|whence_/.test(value),
  )
  expect(strange).toEqual([])
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/)
  expect(text).not.toMatch(/@|whence_(live|test|sess|user)_|secretname/i)
})

it('no log line contains a person or a tenant, also if the database error quotes the value', async () => {
  await refusals(victim, victim)
  const { db, log } = app.service
  const name = 'secretname.customer@example.com'
  const failed = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', name)
    .execute()
    .catch((error: unknown) => error)
  expect(String(failed)).toContain(name)
  log.error('request failed', { error: failed })
  const text = lines.join('')
  expect(text.split('\n').length).toBeGreaterThan(100)
  expect(text).not.toMatch(secretWord)
  for (const value of [victim.owner.email, stranger.owner.email, victim.key])
    expect(text).not.toContain(value)
})
