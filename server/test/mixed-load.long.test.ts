/**
 * Two tenants of one service on three processes: events, payments, reports, settings, keys, wrong input and each
 * other's ids, all concurrently, while processes are killed. Only transient refusals are allowed; acknowledged events
 * count once, for the tenant that sent them. REQUESTS=40000 for some minutes of load.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { Victim } from './kill-process.ts'
import { leanFetch } from './lean-fetch.ts'
import { createRandom } from './oracle/random.ts'
import { printedSeed } from './seed.ts'

const REQUESTS = Number(process.env.REQUESTS ?? 600)
const KILLS = Number(process.env.KILLS ?? 2)
const CONNECTIONS = 8
const PROCESSES = 3
/** A connection passed to a process that is killed before accepting it gets no response; the client would wait 5 minutes. */
const LOST_AFTER_MS = 60_000

const random = createRandom(printedSeed('mixed load'))
let dataDir: string
let victim: Victim

vi.setConfig({ hookTimeout: 180_000 })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'whence-mixed-'))
  await chmod(dataDir, 0o755)
  victim = new Victim(dataDir, await freePort(), {
    PROCESSES: String(PROCESSES),
    INGEST_BURST: '1000000',
  })
  await victim.start()
})
afterAll(async () => {
  await victim.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** The parts of responses that are read here. */
type Data = Record<'id' | 'key' | 'token' | 'workspace_id', string> & { waiting: number }
type Body = { data: Data; meta: { reconciliation?: { total: number; delta: number } } }
type Answer = { status: number; body: Body }

/** Undefined if the process died before responding: such events are sent again below. */
async function request(
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer | undefined> {
  const reply = await leanFetch(`${victim.baseUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(LOST_AFTER_MS),
  }).catch(() => undefined)
  if (reply === undefined) return undefined
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? null : JSON.parse(text) }
}

async function need(token: string, method: string, path: string, body?: unknown) {
  const answer = await request(token, method, path, body)
  expect(answer?.status, `${method} ${path}: ${JSON.stringify(answer?.body)}`).toBeLessThan(300)
  return answer!.body.data
}

/** A business with its own account, and its acknowledged payments. */
class Tenant {
  readonly paid = new Map<string, number>()
  private session = ''
  private workspaceId = ''
  profileId = ''
  key = ''

  async open(name: string): Promise<this> {
    const password = `the long password of ${name}`
    const user = await need('', 'POST', '/auth/sign-up', { email: `${name}@example.com`, password, name })
    this.session = user.token
    const workspace = await need(this.session, 'POST', '/workspaces', { name, timezone: 'Europe/Madrid' })
    this.workspaceId = workspace.workspace_id
    const newProfile = { workspace_id: this.workspaceId, name, timezone: 'Europe/Madrid', currency: 'EUR' }
    this.profileId = (await need(this.session, 'POST', '/profiles', newProfile)).id
    const createdKey = await need(this.session, 'POST', this.keysPath, this.newKey(scopes))
    this.key = createdKey.key
    return this
  }

  private get keysPath(): string {
    return `/workspaces/${this.workspaceId}/api-keys`
  }

  private newKey(scopes: readonly string[]) {
    return { profile_id: this.profileId, name: randomUUID(), scopes }
  }

  /** Sends a random request; true if it was answered. */
  act(other: Tenant): Promise<boolean> {
    return random.pick([
      () => this.pay(),
      () => this.pay(),
      () => this.payAgain(),
      () => this.sendBatch(),
      () => this.readReport(),
      () => this.readReport(),
      () => this.find(),
      () => this.changeLookback(),
      () => this.useShortKey(),
      () => this.sendNonsense(),
      () => this.reachFor(other),
    ])()
  }

  private event(cents: number, id: string = randomUUID()) {
    return {
      event_name: 'payment_received',
      idempotency_key: id,
      anonymous_id: `visitor-${random.int(1, 60)}`,
      properties: { value: (cents / 100).toFixed(2), currency: 'EUR' },
    }
  }

  private async pay(): Promise<boolean> {
    const cents = random.int(1, 50_000)
    const event = this.event(cents)
    const answer = await request(this.key, 'POST', '/events', event)
    if (!isExpected(answer, 202)) {
      // It may have been stored although the response was lost. It is repeated with its key until acknowledged.
      unanswered.push({ tenant: this, event, cents })
      return false
    }
    this.paid.set(event.idempotency_key, cents)
    return true
  }

  /** The same event again, which does not count. */
  private async payAgain(): Promise<boolean> {
    const [id] = [...this.paid.keys()].slice(-1)
    if (id === undefined) return true
    return isExpected(await request(this.key, 'POST', '/events', this.event(this.paid.get(id)!, id)), 202)
  }

  private async sendBatch(): Promise<boolean> {
    const events = Array.from({ length: random.int(2, 6) }, () => this.event(random.int(1, 50_000)))
    const answer = await request(this.key, 'POST', '/events/batch', { events })
    const taken = isExpected(answer, 202)
    for (const event of events) {
      const cents = Math.round(Number(event.properties.value) * 100)
      if (taken) this.paid.set(event.idempotency_key, cents)
      else unanswered.push({ tenant: this, event, cents })
    }
    return taken
  }

  private async readReport(): Promise<boolean> {
    const model = random.pick(['first_touch', 'last_touch', 'linear', 'time_decay', 'last_non_direct'])
    const path = random.pick(['/campaigns', '/reports/channels', '/campaigns/unattributed'])
    const answer = await request(this.key, 'GET', `${path}?${range()}&model=${model}`)
    if (!isExpected(answer, 200)) return false
    if (answer.body.meta.reconciliation !== undefined) expect(answer.body.meta.reconciliation.delta).toBe(0)
    return true
  }

  private async find(): Promise<boolean> {
    return isExpected(await request(this.key, 'GET', '/customers?search=ana@example.com'), 200)
  }

  private async changeLookback(): Promise<boolean> {
    const body = { lookback_days: random.int(7, 60) }
    return isExpected(await request(this.key, 'PATCH', '/attribution/settings', body), 200)
  }

  /** Creates, uses and revokes a key; a second later no process accepts it. */
  private async useShortKey(): Promise<boolean> {
    const createdKey = await request(this.session, 'POST', this.keysPath, this.newKey(['campaigns:read']))
    if (!isExpected(createdKey, 201)) return false
    const { id, key } = createdKey.body.data
    if (!isExpected(await request(key, 'GET', `/campaigns?${range()}`), 200)) return false
    if (!isExpected(await request(this.session, 'POST', `${this.keysPath}/${id}/revoke`, {}), 200))
      return false
    revoked.push(key)
    return true
  }

  private async sendNonsense(): Promise<boolean> {
    const [body, status] = random.pick<[unknown, number]>([
      ['{"event_name":', 400],
      [{ event_name: 7 }, 422],
      [{ ...this.event(5), properties: { value: 'NaN', currency: 'EUR' } }, 422],
      ['x'.repeat(3_000_000), 413],
    ])
    return isExpected(await request(this.key, 'POST', '/events', body), status)
  }

  private async reachFor(other: Tenant): Promise<boolean> {
    const [token, path, status] = random.pick<[string, string, number]>([
      [this.session, `/campaigns?${range()}&profile_id=${other.profileId}`, 404],
      [this.session, `/workspaces/${other.workspaceId}/api-keys`, 404],
      [this.key, `/profiles/${other.profileId}/readiness`, 404],
    ])
    return isExpected(await request(token, 'GET', path), status)
  }
}

const scopes = [
  'events:write',
  'campaigns:read',
  'customers:read',
  'tracking:read',
  'tracking:write',
] as const
const revoked: string[] = []
const unanswered: { tenant: Tenant; event: { idempotency_key: string }; cents: number }[] = []

function range(): string {
  const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10)
  return `date_from=${day(-3)}&date_to=${day(2)}`
}

/** True for the expected status; while a process is down, no response or a transient refusal is allowed too. */
function isExpected(answer: Answer | undefined, status: number): answer is Answer {
  if (answer === undefined) return false
  if (answer.status === status) return true
  expect([429, 503], `expected ${status}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
  return false
}

function services(): number[] {
  return execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(victim.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('main.ts'))
    .map((line) => Number.parseInt(line, 10))
}

/** Kills a process only once all are running, so that at least one can answer. */
function killOne(): void {
  const running = services()
  if (running.length === PROCESSES) process.kill(random.pick(running), 'SIGKILL')
}

it('two tenants on three processes, with mixed and hostile requests and kills: each ends with its own events', {
  timeout: 600_000 + REQUESTS * 100,
}, async () => {
  const tenants = [await new Tenant().open('ana'), await new Tenant().open('luis')] as const
  await vi.waitFor(() => expect(services().length).toBe(PROCESSES), { timeout: 150_000 })
  let sentCount = 0
  const kills = Array.from({ length: KILLS }, (_, index) =>
    Math.floor(((index + 1) * REQUESTS) / (KILLS + 1)),
  )
  const connection = async () => {
    while (sentCount < REQUESTS) {
      sentCount += 1
      if (kills.includes(sentCount)) killOne()
      const side = random.int(0, 1)
      await tenants[side]!.act(tenants[1 - side]!)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  await vi.waitFor(() => expect(services().length).toBe(PROCESSES), { timeout: 150_000 })
  for (const { tenant, event, cents } of unanswered) {
    await vi.waitFor(
      async () => {
        const answer = await request(tenant.key, 'POST', '/events', event)
        expect(answer?.status).toBe(202)
      },
      { timeout: 60_000 },
    )
    tenant.paid.set(event.idempotency_key, cents)
  }
  for (const key of revoked)
    await vi.waitFor(
      async () => {
        const answers = Array.from({ length: 6 }, () => request(key, 'GET', `/campaigns?${range()}`))
        expect((await Promise.all(answers)).map((answer) => answer?.status)).toEqual(Array(6).fill(401))
      },
      { timeout: 60_000 },
    )
  for (const { key, paid } of tenants) {
    await vi.waitFor(async () => expect((await need(key, 'GET', '/tracking/ops')).waiting).toBe(0), {
      timeout: 120_000,
      interval: 100,
    })
    const cents = [...paid.values()].reduce((sum, value) => sum + value, 0)
    for (const model of ['last_touch', 'linear'] as const) {
      await vi.waitFor(
        async () => {
          const answer = await request(key, 'GET', `/campaigns?${range()}&model=${model}`)
          expect(answer?.body.meta?.reconciliation).toMatchObject({ total: cents / 100, delta: 0 })
        },
        { timeout: 60_000 },
      )
    }
  }
  expect(victim.output).not.toMatch(/"level":"fatal"|unhandled/i)
})
