/** No log line contains a secret of a request or a response, also at the most verbose level and on failures. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { routes } from '../src/app.ts'
import { startTestApp, type TestApp } from './app.ts'
import { PASSWORD } from './make.ts'
import { makeShop } from './make-shop.ts'
import { sampleOf } from './samples.ts'
import { fittingCredential, makeTenant, type Tenant } from './tenants.ts'
import { consent, makeVisitor } from './visitor.ts'

const lines: string[] = []
let app: TestApp
let tenant: Tenant
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk))
    return true
  })
  app = await startTestApp({ LOG_LEVEL: 'debug', SANDBOX: 'on' })
  tenant = await makeTenant(app)
})
afterAll(async () => {
  await app.close()
  vi.restoreAllMocks()
})

/** What is logged while the work runs. */
async function logged(work: () => Promise<unknown>): Promise<string> {
  lines.length = 0
  await work()
  return lines.join('')
}

function expectAbsent(log: string, secrets: Iterable<string>): void {
  for (const secret of secrets)
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
      expect(log.includes(form), `${secret.slice(0, 24)}… is in the log`).toBe(false)
}

const secretForm = /\b(?:whence_[a-z]+_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}|whsec_[A-Za-z0-9+/=]{20,})/g

it('no secrets of requests or responses of any route', async () => {
  const secrets = new Set<string>([PASSWORD, tenant.owner.token, tenant.key, tenant.partner.secret])
  const log = await logged(async () => {
    for (const { entry } of routes.filter((route) => route.entry.secretReply === true)) {
      const sample = sampleOf(entry)
      if ('workspaceId' in sample.params) sample.params.workspaceId = tenant.workspaceId
      const authorization = (await fittingCredential(app, tenant, entry))!
      secrets.add(authorization.replace(/^\w+ /, ''))
      const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => String(sample.params[name]))
      const query = `token=${tenant.key}&profile_id=${tenant.profileId}`
      const reply = await fetch(`${app.baseUrl}/api/v1${path}?${query}`, {
        method: entry.method,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(sample.body ?? {}),
      })
      for (const secret of (await reply.text()).match(secretForm) ?? []) secrets.add(secret)
    }
    for (const path of [`/api/v1/auth/sign-in?password=${encodeURIComponent(PASSWORD)}`, `/${tenant.key}`])
      await fetch(`${app.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          cookie: `__Host-whence_session=${tenant.owner.token}`,
        },
        body: JSON.stringify({ email: tenant.owner.email, password: PASSWORD }),
      })
  })
  expect(log.split('\n').length).toBeGreaterThan(5)
  expect(log).toContain('"route":"/api/v1/auth/sign-in"')
  expectAbsent(log, secrets)
  expect(log).not.toMatch(secretForm)
})

it('no link, state, code or cookie of a hand-off', async () => {
  const shop = await makeShop(app)
  const handoff = await shop.mint()
  const visitor = makeVisitor()
  const secrets: string[] = [handoff.url.split('/').at(-1)!]
  const log = await logged(async () => {
    await visitor.open(handoff.url)
    const callback = new URL(await consent(visitor, handoff.start_url, 'approve-one'))
    secrets.push(callback.searchParams.get('state')!, callback.searchParams.get('code')!)
    secrets.push(...visitor.cookies.values())
    await visitor.open(`${callback.href}x`)
    await visitor.open(callback.href)
  })
  expect(log).toContain('"route":"/connect/:token"')
  expectAbsent(log, secrets)
})

it('none of these if the database fails during the request', async () => {
  const shop = await makeShop(app)
  const { url } = await shop.mint()
  await app.pool.query('alter table handoffs rename to handoffs_gone')
  await app.pool.query('alter table invitations rename to invitations_gone')
  const log = await logged(async () => {
    const page = await makeVisitor().open(url)
    expect(page.status).toBe(503)
    const path = `/api/v1/workspaces/${tenant.workspaceId}/invitations`
    const headers = { authorization: `Bearer ${tenant.owner.token}` }
    expect((await fetch(`${app.baseUrl}${path}`, { headers })).status).toBe(500)
    const response = await fetch(`${app.baseUrl}${path}?token=${tenant.owner.token}`, { headers })
    expect(response.status).toBe(400)
  })
  await app.pool.query('alter table handoffs_gone rename to handoffs')
  await app.pool.query('alter table invitations_gone rename to invitations')
  expect(log).toContain('connect page failed')
  expect(log).toContain('request failed')
  // The route, not the URL: of a URL the log hides only queries and what looks like a secret.
  for (const line of log.split('\n').filter((text) => text.includes('"request failed"')))
    expect(line).toContain('"route":"/api/v1/workspaces/:workspaceId/invitations"')
  expectAbsent(log, [url.split('/').at(-1)!, tenant.owner.token])
})
