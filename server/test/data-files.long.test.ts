/** No credential is stored in clear text in the database's files, its write-ahead log or the service's log. */
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { Victim } from './kill-process.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let folder: string
let service: Victim
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-files-'))
  await chmod(folder, 0o755)
  service = new Victim(folder, await freePort(), { LOG_LEVEL: 'debug' })
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

type Data = Record<string, unknown>

async function call(token: string, method: string, path: string, body?: unknown): Promise<Data> {
  const reply = await fetch(`${service.baseUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': path,
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const { data, error } = (await reply.json()) as { data?: Data; error?: unknown }
  if (data === undefined) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`)
  return data
}

async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

it('no password, token, key or signing secret is found in them', async () => {
  await service.start()
  const email = /[\w.]+@example\.com/.exec(service.output)![0]
  const password = /password (\S+)/.exec(service.output)![1]!
  const banner = service.output
  const secrets = new Map<string, string>([['password', password]])
  for (const key of banner.match(/whence_(?:live|test)_\w+/g)!) secrets.set('first key', key)
  const signedIn = await call('none', 'POST', '/auth/sign-in', { email, password })
  const session = String(signedIn.token)
  secrets.set('session', session)
  const workspaces = (await call(session, 'GET', '/workspaces')) as unknown as { id: string }[]
  const workspaceId = workspaces[0]!.id
  const scopes = ['webhooks:read', 'webhooks:write', 'events:write']
  const profiles = (await call(session, 'GET', `/workspaces/${workspaceId}/profiles`)) as unknown as {
    id: string
  }[]
  const profileId = profiles[0]!.id
  const key = await call(session, 'POST', `/workspaces/${workspaceId}/api-keys`, {
    profile_id: profileId,
    name: 'K',
    scopes,
  })
  secrets.set('key', String(key.key))
  const token = await call(session, 'POST', '/user-tokens', { name: 'T' })
  secrets.set('user token', String(token.token))
  const app = await call(session, 'POST', `/workspaces/${workspaceId}/oauth-apps`, {
    name: 'App',
    redirect_uris: ['https://partner.example/callback'],
  })
  secrets.set('app secret', String(app.client_secret))
  const hook = await call(String(key.key), 'POST', '/webhooks/subscriptions', {
    url: 'https://hooks.example/in',
    events: ['outcome.recorded'],
    providers: ['platform'],
  })
  secrets.set('signing secret', String(hook.secret))
  for (const [name, secret] of secrets) expect([name, secret.length > 15]).toEqual([name, true])
  await service.stop()

  const files = await filesUnder(join(folder, 'database'))
  expect(files.some((file) => file.includes('pg_wal'))).toBe(true)
  let sawEmail = false
  for (const file of files) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0))
    sawEmail ||= bytes.includes(email)
    for (const [name, secret] of secrets)
      for (const form of [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2)])
        expect(bytes.includes(form), `the ${name} is in ${file.slice(folder.length)}`).toBe(false)
  }
  // Proves that the files were read: a value that is not secret is found.
  expect(sawEmail).toBe(true)
  const log = service.output.split('\n').filter((line) => line.startsWith('{'))
  expect(log.length).toBeGreaterThan(5)
  for (const [name, secret] of secrets)
    expect(
      log.filter((line) => line.includes(secret)),
      name,
    ).toEqual([])
})
