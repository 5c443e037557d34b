/**
 * deploy/nginx.conf and deploy/Caddyfile in front of two API processes: the outage of one tenant's database node, and of
 * one process, concerns no other request. .ci/run installs both proxies; without them the tests are skipped.
 */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { freePort } from './free-port.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from './make.ts'
import { until } from './until.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const deploy = new URL('../../deploy/', import.meta.url)
const processFile = fileURLToPath(new URL('proxied-process.ts', import.meta.url))

let app: TestApp
let folder: string
let healthyKey: string
let lostKey: string
let lostProfileId: string
let children: ChildProcess[]
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'whence-proxies-'))
  await chmod(folder, 0o755)
  const owner = await makePerson(app)
  const workspaceId = await makeWorkspace(owner)
  const scopes = ['conversions:read', 'analytics:read', 'events:write'] as const
  healthyKey = await makeKey(app, await makeProfile(owner, workspaceId), scopes)
  lostProfileId = await makeProfile(owner, workspaceId)
  lostKey = await makeKey(app, lostProfileId, scopes)
})
beforeEach(() => {
  children = []
})
afterEach(async () => {
  for (const child of children) await end(child)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

async function startApi(port: number): Promise<ChildProcess> {
  const args = [app.connectionString, app.masterKeys, String(port), lostProfileId]
  const child = fork(processFile, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(child)
  await once(child, 'message')
  return child
}

type Proxy = { name: string; start(ports: readonly number[], port: number): Promise<ChildProcess> }

function run(program: string, args: readonly string[], env = process.env): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', env })
  children.push(child)
  return child
}

/** The file as it is delivered, with the ports of this test and without TLS. */
const nginx: Proxy = {
  name: 'nginx',
  async start(ports, port) {
    const delivered = await readFile(new URL('nginx.conf', deploy), 'utf8')
    const conf = delivered
      .replace('127.0.0.1:4400', `127.0.0.1:${ports[0]}`)
      .replace('127.0.0.1:4401', `127.0.0.1:${ports[1]}`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replace(/^\s*ssl_.*\n/gm, '')
      .replace(/\nserver \{\n\s*listen 80;[\s\S]*$/, '')
    expect(conf).not.toMatch(/ssl|4400|4401/)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
      .join('\n')
    const file = join(folder, 'nginx.conf')
    await writeFile(
      file,
      `daemon off; pid ${join(folder, 'nginx.pid')}; error_log /dev/null;\nevents {}\nhttp { access_log off; ${paths}\n${conf} }`,
    )
    return run('nginx', ['-p', folder, '-c', file])
  },
}
const caddy: Proxy = {
  name: 'caddy',
  async start(ports, port) {
    const delivered = await readFile(new URL('Caddyfile', deploy), 'utf8')
    const upstreams = ports.map((each) => `127.0.0.1:${each}`).join(' ')
    const file = join(folder, 'Caddyfile')
    // Docker's DNS has both addresses under one name.
    await writeFile(file, `{\n\tadmin off\n}\n${delivered.replace('api:4400', upstreams)}`)
    return run('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      ...process.env,
      DOMAIN: `http://127.0.0.1:${port}`,
      HOME: folder,
    })
  },
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, [program === 'nginx' ? '-v' : 'version'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write(
      `SKIPPED: ${program} is not installed (apt-get install ${program}), so nothing proves its configuration.\n`,
    )
    return false
  }
}

type Answer = { status: number; retryAfter: string | null; code: string | undefined }

async function read(baseUrl: string, key: string): Promise<Answer> {
  const reply = await fetch(`${baseUrl}/api/v1/goals`, { headers: { authorization: `Bearer ${key}` } })
  const text = await reply.text()
  const { error } = text.startsWith('{') ? (JSON.parse(text) as { error?: { code: string } }) : {}
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), code: error?.code }
}

/** How often each answer came. */
function counts(answers: readonly Answer[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { status, code, retryAfter } of answers) {
    const name = `${status}${code === undefined ? '' : ` ${code}`}${retryAfter === null ? '' : ' retry'}`
    all[name] = (all[name] ?? 0) + 1
  }
  return all
}

const ROUNDS = 40

/** Both tenants at the same time, four requests at once. */
async function readBoth(baseUrl: string) {
  const healthy: Answer[] = []
  const lost: Answer[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b, c, d] = await Promise.all(
      [healthyKey, lostKey, healthyKey, lostKey].map((key) => read(baseUrl, key)),
    )
    healthy.push(a!, c!)
    lost.push(b!, d!)
  }
  return { healthy: counts(healthy), lost: counts(lost) }
}

describe.each([nginx, caddy])('$name', (proxy) => {
  const proxyIt = isInstalled(proxy.name) ? it : it.skip

  async function startAll() {
    const ports = [await freePort(), await freePort()]
    const apis = await Promise.all(ports.map(startApi))
    const port = await freePort()
    await proxy.start(ports, port)
    const baseUrl = `http://127.0.0.1:${port}`
    await until(async () => (await fetch(`${baseUrl}/healthz`).catch(() => undefined))?.status === 200, 50)
    return { apis, baseUrl }
  }

  proxyIt('the lost database node of one tenant concerns no other tenant', async () => {
    const { baseUrl } = await startAll()
    expect(await readBoth(baseUrl)).toEqual({
      healthy: { 200: 2 * ROUNDS },
      lost: { '503 database_unavailable retry': 2 * ROUNDS },
    })
  })

  proxyIt('a killed process costs no request, and without any the response names when to retry', async () => {
    const { apis, baseUrl } = await startAll()
    await read(baseUrl, healthyKey)
    await end(apis[0]!)
    expect(await readBoth(baseUrl)).toEqual({
      healthy: { 200: 2 * ROUNDS },
      lost: { '503 database_unavailable retry': 2 * ROUNDS },
    })
    await end(apis[1]!)
    expect(await read(baseUrl, healthyKey)).toEqual({
      status: 503,
      code: 'service_unavailable',
      retryAfter: '5',
    })
  })
})
