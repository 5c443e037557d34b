/** The database contains no readable copy of any secret that the service issues. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../src/app.ts'
import { inviteMember } from '../src/features/account/members/contract.ts'
import { tableKinds } from '../src/platform/db/tables.ts'
import { startTestApp, type TestApp } from './app.ts'
import { PASSWORD } from './make.ts'
import { sampleOf } from './samples.ts'
import { fittingCredential, makeTenant, type Tenant } from './tenants.ts'

let app: TestApp
let tenant: Tenant
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.close())

const secretForm = /\b(?:whence_[a-z]+_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}|whsec_[A-Za-z0-9+/=]{20,})/g

/** Every row of every table as text, with binary values decoded as text. */
async function dump(): Promise<string> {
  const parts: string[] = []
  for (const table of Object.keys(tableKinds)) {
    const { rows } = await app.pool.query<{ row: string }>(`select t::text as row from "${table}" t`)
    for (const { row } of rows) {
      parts.push(row)
      for (const hex of row.matchAll(/\\\\?x([0-9a-f]{8,})/g))
        parts.push(Buffer.from(hex[1]!, 'hex').toString('latin1'))
    }
  }
  return parts.join('\n')
}

it('no secret of a response or a mail is in the database', async () => {
  const secrets = new Set<string>([
    PASSWORD,
    tenant.owner.token,
    tenant.key,
    tenant.userToken,
    tenant.partner.secret,
  ])
  const giving = routes.map((route) => route.entry).filter((entry) => entry.secretReply === true)
  expect(giving.length).toBeGreaterThan(3)
  for (const entry of giving) {
    const sample = sampleOf(entry)
    if ('workspaceId' in sample.params) sample.params.workspaceId = tenant.workspaceId
    if ('appId' in sample.params) sample.params.appId = tenant.partner.id
    if (sample.body !== null && 'workspace_id' in sample.body) sample.body.workspace_id = tenant.workspaceId
    if (sample.body !== null && 'profile_id' in sample.body) sample.body.profile_id = tenant.profileId
    const key = `secrets-${entry.name}`
    const authorization = (await fittingCredential(app, tenant, entry))!
    const reply = await fetch(
      `${app.baseUrl}/api/v1${entry.path.replace(/\{(\w+)\}/g, (_, name: string) => String(sample.params[name]))}`,
      {
        method: entry.method,
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(sample.body ?? {}),
      },
    )
    const matches = (await reply.text()).match(secretForm) ?? []
    for (const secret of matches) secrets.add(secret)
  }
  expect(secrets.size).toBeGreaterThan(7)
  await tenant.owner.call(inviteMember, {
    params: { workspaceId: tenant.workspaceId },
    body: { email: 'guest@example.com', role: 'viewer' },
  })
  const databaseText = await dump()
  expect(databaseText).toContain(tenant.owner.email)
  expect(databaseText).not.toMatch(secretForm)
  for (const secret of secrets) {
    expect(databaseText.includes(secret), `${secret.slice(0, 16)}… is in the database`).toBe(false)
    expect(databaseText.includes(Buffer.from(secret).toString('base64').slice(0, -4))).toBe(false)
  }
  // Idempotent responses are stored, but encrypted.
  const stored = await app.service.db.selectFrom('idempotency_keys').select(['path', 'sealed']).execute()
  expect(stored.filter((row) => !row.sealed)).toEqual([])
  expect(stored.length).toBeGreaterThan(0)
})

it('a planted secret is detected', async () => {
  await app.pool.query(`update users set name = $1 where id = $2`, [tenant.key, tenant.owner.id])
  expect(await dump()).toMatch(secretForm)
})
