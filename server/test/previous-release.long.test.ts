/**
 * A rolling deploy: processes of the previous release keep serving during this release's migrations, and next to this
 * release afterwards. Verifies that migrations expand first and contract a release later (docs/decisions/0421).
 * The previous release runs from the repository's history; in a shallow clone the test is skipped.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Service } from '../src/context.ts'
import { dropOldEvents } from '../src/features/facts/events/retention/drop-old.ts'
import { insertSession } from '../src/platform/access/account-queries.ts'
import { openSession } from '../src/platform/access/session-details.ts'
import { createClock } from '../src/platform/clock.ts'
import { uuidv7 } from '../src/platform/contract/ids.ts'
import { type OpenDatabase, openDatabase } from '../src/platform/db/database.ts'
import { movedClock } from '../src/platform/db/embedded/account.ts'
import { migrate, previousRelease } from '../src/platform/db/migrate.ts'
import { generateMasterKeys, parseMasterKeys } from '../src/platform/secrets/keyring.ts'
import { lookupHash, mintToken } from '../src/platform/secrets/tokens.ts'
import { type ClonedDatabase, emptyDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const scopes = ['events:write', 'conversions:read', 'campaigns:read', 'analytics:read', 'connections:read']
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

function hasHistory(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${previousRelease.commit}^{commit}`], {
      cwd: root,
      stdio: 'ignore',
    })
    return true
  } catch {
    process.stderr.write(
      `SKIPPED: the previous release (${previousRelease.commit}) is not in this repository's history, so nothing proves that it runs on the new schema. Fetch the whole history to prove it.\n`,
    )
    return false
  }
}

let database: ClonedDatabase
let opened: OpenDatabase
type Load = { rounds(): number; failures: string[]; stop(): Promise<void> }
const loads: Load[] = []
let folder: string
const running: { child: ChildProcess; ended: Promise<unknown>; output: string[] }[] = []
const masterKeys = generateMasterKeys()

beforeAll(async () => {
  database = await emptyDatabase()
  opened = openDatabase({ connectionString: database.connectionString, max: 3 })
  folder = await mkdtemp(join(tmpdir(), 'whence-previous-'))
})
afterAll(async () => {
  for (const load of loads) await load.stop()
  for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await opened.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Sources of the previous release with this release's packages, except its own @whence/… workspaces. */
async function unpackPrevious(): Promise<string> {
  const tree = join(folder, 'previous')
  const packages = join(tree, 'node_modules')
  await mkdir(join(packages, '@whence'), { recursive: true })
  const archive = join(folder, 'previous.tar')
  execFileSync('git', ['archive', '--output', archive, previousRelease.commit], { cwd: root })
  execFileSync('tar', ['-xf', archive, '-C', tree])
  const { workspaces } = JSON.parse(await readFile(join(tree, 'package.json'), 'utf8'))
  for (const name of workspaces as string[]) await symlink(join(tree, name), join(packages, '@whence', name))
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@whence') await symlink(join(root, 'node_modules', name), join(packages, name))
  // A package of the previous release that this one no longer has; the test does not use it.
  await mkdir(join(packages, 'swagger-ui-dist'), { recursive: true })
  await writeFile(join(packages, 'swagger-ui-dist/package.json'), '{}')
  return tree
}

async function start(tree: string, env: Record<string, string> = {}): Promise<string> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(tree, 'server/src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      BASE_URL: baseUrl,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: toUrl(database.connectionString),
      MASTER_KEYS: masterKeys,
      SANDBOX: 'off',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '600000',
      RATE_LIMIT_BURST: '100000',
      ...movedClock(process.env),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  child.stdout.on('data', (chunk) => output.push(String(chunk)))
  child.stderr.on('data', (chunk) => output.push(String(chunk)))
  running.push({ child, output, ended: new Promise((resolve) => child.once('close', resolve)) })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`The process ended: ${output.join('')}`)
    return (await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.status === 200
  }, 100)
  return baseUrl
}

/** A URL with the folder of a socket needs a placeholder host. */
const toUrl = (connectionString: string) => connectionString.replace('@/', '@localhost/')

type Answer = { method: string; path: string; status: number; body: unknown }

async function call(baseUrl: string, token: string | null, method: string, path: string, body?: unknown) {
  const reply = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const answer: Answer = { method, path: path.split('?')[0]!, status: reply.status, body: await reply.json() }
  return answer
}

function dataOf(answer: Answer): Record<string, string> {
  const { data } = answer.body as { data?: Record<string, string> }
  if (data === undefined) throw new Error(`${answer.method} ${answer.path}: ${JSON.stringify(answer.body)}`)
  return data
}

/** Retractions are excluded, because they recompute within the request. */
async function recomputeStates(): Promise<string[]> {
  const { rows } = await opened.pool.query(
    "select distinct state from recomputes where scope <> 'retraction' order by state",
  )
  return rows.map(({ state }) => state)
}

let people = 0

/** A customer's typical requests: an account, a workspace, a profile, keys, goals, events, reports, a webhook. */
async function useEverything(baseUrl: string): Promise<Answer[]> {
  const answers: Answer[] = []
  const does = async (token: string | null, method: string, path: string, body?: unknown) => {
    const answer = await call(baseUrl, token, method, path, body)
    answers.push(answer)
    return answer
  }
  const email = `person-${people++}@example.com`
  const session = await openAccount(email)
  await does(session, 'GET', '/auth/me')
  const workspace = dataOf(
    await does(session, 'POST', '/workspaces', { name: email, timezone: 'Europe/Madrid', plan: 'growth' }),
  ).workspace_id!
  const profile = dataOf(
    await does(session, 'POST', '/profiles', {
      workspace_id: workspace,
      name: 'Shop',
      timezone: 'Europe/Madrid',
      currency: 'EUR',
    }),
  ).profile_id!
  const key = dataOf(
    await does(session, 'POST', `/workspaces/${workspace}/api-keys`, {
      profile_id: profile,
      name: 'Key',
      scopes,
    }),
  ).key!
  await does(session, 'GET', `/workspaces/${workspace}/members`)
  await does(session, 'POST', `/workspaces/${workspace}/invitations`, {
    email: `guest-${email}`,
    role: 'viewer',
  })
  await does(key, 'GET', '/goals')
  for (let at = 0; at < 4; at++)
    await does(key, 'POST', '/events', {
      event_name: at % 2 === 0 ? 'lead_created' : 'payment_received',
      idempotency_key: `event-${at}`,
      properties: { value: 10 + at, currency: 'EUR' },
      user_traits: { email: `customer-${at % 2}@example.com` },
    })
  for (const letter of ['a', 'b']) {
    const word = { anonymous_id: email, properties: { letter } }
    await does(key, 'POST', '/events', { event_name: 'page_view', idempotency_key: 'view', ...word })
    await does(key, 'POST', '/events', {
      event_name: 'page_view',
      idempotency_key: 'visit',
      utm: { source: letter },
      ...word,
    })
  }
  // An old event without a result that is not retracted: it is dropped once it is processed.
  await does(key, 'POST', '/events', {
    event_name: 'page_view',
    idempotency_key: 'look',
    anonymous_id: email,
  })
  await does(key, 'POST', '/events/retractions', { idempotency_key: 'view' })
  await does(key, 'POST', '/events/retractions', { idempotency_key: 'visit' })
  const today = new Date().toISOString().slice(0, 10)
  const range = `date_from=${today}&date_to=${today}`
  for (const path of [
    `/campaigns?${range}&level=campaign`,
    `/campaigns/unattributed?${range}`,
    '/connections',
    '/attribution/settings',
  ])
    await does(key, 'GET', path)
  await does(session, 'GET', `/workspaces/${workspace}/api-keys`)
  return answers
}

/** Inserts an account directly, using columns that both releases have, because sign-ups are limited per address. */
async function openAccount(email: string): Promise<string> {
  const id = uuidv7()
  await opened.pool.query(
    'insert into users (id, email, email_lower, name, password_hash, created_at) values ($1, $2, $2, $3, $4, now())',
    [id, email, 'Person', 'no password'],
  )
  const service = { keyring: parseMasterKeys(masterKeys), clock: createClock() }
  const migrated = await opened.pool.query("select to_regclass('session_details') is not null as yes")
  if (migrated.rows[0].yes) return (await openSession(service as Service, opened.db, id)).token
  // As the previous release does.
  const [minted, now] = [mintToken('session'), new Date()]
  const session = { id: uuidv7(), userId: id, lookupHash: lookupHash(service.keyring, minted.token) }
  const expiresAt = new Date(now.getTime() + 86_400_000)
  await insertSession(opened.db, { ...session, hint: minted.hint, now, expiresAt })
  return minted.token
}

/**
 * Drops raw events with this release's code, as if all were old, until it is stopped. Unprocessed events are
 * skipped, so a finished walk starts again.
 */
function keepDropping(): { dropped(): number; stop(): Promise<void> } {
  let isOn = true
  let dropped = 0
  const work = (async () => {
    for (; isOn; await setTimeout(20)) {
      const { rows } = await opened.pool.query<{ id: string }>('select id from profiles')
      for (const { id } of rows) {
        const before = new Date(Date.now() + 86_400_000)
        const part = { profileId: id, before, now: new Date(), most: 3 }
        const walked = await dropOldEvents(opened.db, part)
        dropped += walked.dropped
        if (walked.isDone)
          await opened.pool.query('update raw_event_walks set place_at = null where profile_id = $1', [id])
      }
    }
  })()
  return {
    dropped: () => dropped,
    stop() {
      isOn = false
      return work
    },
  }
}

/** Runs until it is stopped, and collects failures. */
function keepUsing(baseUrls: readonly string[]): Load {
  let isOn = true
  const failures: string[] = []
  let rounds = 0
  const lane = async (at: number) => {
    while (isOn && failures.length === 0) {
      try {
        for (const { method, path, status, body } of await useEverything(baseUrls[at % baseUrls.length]!))
          if (status >= 400)
            failures.push(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
      } catch (error) {
        failures.push(String(error))
      }
      rounds += 1
    }
  }
  const lanes = [0, 1, 2].map(lane)
  const load = {
    rounds: () => rounds,
    failures,
    async stop() {
      isOn = false
      await Promise.all(lanes)
    },
  }
  loads.push(load)
  return load
}

it.skipIf(!hasHistory())(
  'the previous release serves while this one migrates, next to it, and after a restart',
  async () => {
    const tree = await unpackPrevious()
    const previous = await start(tree)
    const load = keepUsing([previous])
    const runRounds = (rounds: number) => {
      const goal = load.rounds() + rounds
      return until(async () => load.rounds() >= goal || load.failures.length > 0, 50)
    }
    await runRounds(4)
    expect(load.failures).toEqual([])

    await migrate(opened.pool)
    await runRounds(6)
    await load.stop()
    expect(load.failures).toEqual([])
    // Recomputes queued by a migration wait for a process that fills the new columns too.
    expect((await recomputeStates()).filter((state) => state !== 'queued')).toEqual([])

    // Both releases concurrently, then only the new one: a stopped process finishes its requests.
    const current = await start(root, { DRAIN_SECONDS: '2' })
    const both = keepUsing([previous, current])
    const dropping = keepDropping()
    const isEnough = () => both.rounds() >= 6 && dropping.dropped() > 0
    await until(async () => isEnough() || both.failures.length > 0, 50)
    await both.stop()
    await dropping.stop()
    expect(both.failures).toEqual([])
    await until(async () => (await recomputeStates()).every((state) => state === 'done'), 50)
    const [old] = running
    old!.child.kill('SIGTERM')
    await old!.ended
    expect(old!.child.exitCode).toBe(0)
    expect((await fetch(`${current}/readyz`)).status).toBe(200)
    expect(
      running.flatMap(({ output }) =>
        output
          .join('')
          .split('\n')
          .filter((line) => /"level":"error"/.test(line)),
      ),
    ).toEqual([])
  },
)
