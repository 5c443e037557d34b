import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { openDatabase } from '../src/platform/db/database.ts'
import { movedClock } from '../src/platform/db/embedded/account.ts'
import { generateMasterKeys } from '../src/platform/secrets/keyring.ts'
import { readBuildId, version } from '../src/platform/version.ts'
import { cloneDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { longIt, shortIt as test } from './length.ts'
import { until } from './until.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let dataDir: string
let started: ChildProcess[]

// Each test starts several servers, which is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'whence-start-'))
  await chmod(dataDir, 0o755)
  started = []
})

afterEach(async () => {
  for (const child of started) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Without the test runner's environment variables. */
function start(
  port: number,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): { child: ChildProcess; output: string[]; exited: Promise<number | null> } {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...movedClock(process.env),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const output: string[] = []
  child.stdout.on('data', (chunk) => output.push(String(chunk)))
  child.stderr.on('data', (chunk) => output.push(String(chunk)))
  return { child, output, exited: new Promise((resolve) => child.once('close', resolve)) }
}

async function untilHealthy(port: number, output: string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const reply = await fetch(`http://localhost:${port}/healthz`).catch(() => undefined)
      expect(reply?.status, output.join('')).toBe(200)
    },
    { timeout: 150_000, interval: 100 },
  )
}

/** Without the demo, which these tests do not need. */
const plain = { SANDBOX: 'off' }
const passwordIn = (output: string[]) => /password (\S+)/.exec(output.join(''))?.[1]

test('the service prints its address, its Node version and the password, and exits with 0 on SIGTERM', async () => {
  const port = await freePort()
  const { child, output, exited } = start(port, plain)
  await untilHealthy(port, output)
  // It listens before it prints this, because the first account is created afterwards.
  await vi.waitFor(() => expect(output.join('')).toContain(`http://localhost:${port}/docs`), {
    timeout: 60_000,
  })
  await vi.waitFor(() => expect(passwordIn(output)).toBeDefined(), { timeout: 60_000 })
  child.kill('SIGTERM')
  expect(await exited, output.join('')).toBe(0)
  expect(output.join('')).toContain(`Whence ${version} (build ${readBuildId()}) on Node ${process.version}`)
  expect(output.join('').match(/migrations? /g)).toHaveLength(1)
})

// One test, because each start takes seconds of CPU and each step needs the previous one.
longIt(
  'a start on a taken port creates no account; the service prints its address, its Node version and the password, exits with 0 on SIGTERM, refuses a second start on its data, and starts again after kill -9',
  async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port: takenPort } = taken.address() as AddressInfo
    const failed = start(takenPort, plain)
    expect(await failed.exited).toBe(1)
    expect(failed.output.join('')).toContain('EADDRINUSE')
    expect(passwordIn(failed.output)).toBeUndefined()
    await new Promise((resolve) => taken.close(resolve))

    const port = await freePort()
    // With the demo, which the signal interrupts.
    const first = start(port)
    await untilHealthy(port, first.output)
    // It listens before it prints this, because the first account is created afterwards.
    await vi.waitFor(() => expect(first.output.join('')).toContain(`http://localhost:${port}/docs`), {
      timeout: 50_000,
    })
    await vi.waitFor(() => expect(passwordIn(first.output)).toBeDefined(), { timeout: 50_000 })
    first.child.kill('SIGTERM')
    expect(await first.exited, first.output.join('')).toBe(0)
    // Its output is complete once it has exited.
    expect(first.output.join('')).toContain(`http://localhost:${port}`)
    expect(first.output.join('')).toContain(
      `Whence ${version} (build ${readBuildId()}) on Node ${process.version}`,
    )

    const again = start(port, plain)
    await untilHealthy(port, again.output)
    // The password is printed until it has been used.
    await vi.waitFor(() => expect(passwordIn(again.output), again.output.join('')).toBeDefined(), {
      timeout: 50_000,
    })
    expect(passwordIn(again.output)).toBe(passwordIn(first.output))
    const second = start(await freePort(), plain)
    expect(await second.exited).toBe(1)
    expect(second.output.join('').trim()).toMatch(/^Another Whence is running on \S+: [^\n]+$/)
    again.child.kill('SIGKILL')
    await again.exited

    const last = start(port, plain)
    await untilHealthy(port, last.output)
  },
)

test('an unknown command is refused instead of starting the service', async () => {
  const { output, exited } = start(0, plain, ['bakcup', 'file'])
  expect(await exited).toBe(1)
  expect(output.join('')).toMatch(
    /^No command "bakcup"\. Commands: backup, .*without a command the service starts\.\n$/,
  )
})

test('the service exits with 0 on a SIGTERM before the start is complete', async () => {
  const database = await cloneDatabase()
  const { pool, close } = openDatabase({
    connectionString: database.connectionString,
    max: 2,
    application_name: 'test',
  })
  const holder = await pool.connect()
  const count = async (what: string) =>
    (await pool.query<{ count: number }>(`select count(*)::integer as count from ${what}`)).rows[0]!.count
  const waiting = "pg_locks where not granted and relation = 'service_processes'::regclass"
  const otherConnections =
    'pg_stat_activity where datname = current_database() and application_name <> $$test$$'
  try {
    // The process serves, but cannot register.
    await holder.query('begin; lock table service_processes in share mode')
    const port = await freePort()
    const DATABASE_URL = database.connectionString.replace('@/', '@localhost/')
    const { child, output, exited } = start(port, {
      ...plain,
      DATABASE_URL,
      MASTER_KEYS: generateMasterKeys(),
    })
    await untilHealthy(port, output)
    await until(async () => (await count(waiting)) > 0)
    child.kill('SIGTERM')
    // Only its waiting connection remains.
    await until(async () => (await count(otherConnections)) <= 1)
    await holder.query('rollback')
    expect(await exited, output.join('')).toBe(0)
    expect(output.join('')).not.toContain('/docs')
  } finally {
    holder.release(true)
    await close()
    await database.drop()
  }
})

longIt(
  'a command resets the password while the service runs, which then stops printing the first one',
  async () => {
    const port = await freePort()
    const first = start(port, plain)
    await untilHealthy(port, first.output)
    await vi.waitFor(() => expect(first.output.join('')).toContain('password '), { timeout: 50_000 })
    const reset = start(port, plain, ['reset-password', 'owner@example.com'])
    expect(await reset.exited, reset.output.join('')).toBe(0)
    const password = /is now: (\S+)/.exec(reset.output.join(''))?.[1]
    const reply = await fetch(`http://localhost:${port}/api/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.com', password }),
    })
    expect(reply.status).toBe(200)
    const unknown = start(port, plain, ['reset-password', 'unknown@example.com'])
    expect(await unknown.exited).toBe(1)
    expect(unknown.output.join('').trim()).toBe(
      'No account has the address unknown@example.com. Use --create to create one.',
    )
  },
)

longIt(
  'two processes share a port and the embedded database; a process that dies is restarted; SIGTERM ends both',
  async () => {
    const port = await freePort()
    const { child, output, exited } = start(port, { PROCESSES: '2', SANDBOX: 'off' })
    await untilHealthy(port, output)
    const services = () =>
      execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(child.pid)], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(main))
        .map((line) => Number.parseInt(line, 10))
    const untilTwo = () => vi.waitFor(() => expect(services().length).toBe(2), { timeout: 60_000 })
    await untilTwo()
    // The first process listens before it prints the banner.
    await vi.waitFor(() => expect(output.join('')).toMatch(/password/), { timeout: 50_000 })
    const before = services()
    process.kill(before[1]!, 'SIGKILL')
    await vi.waitFor(() => expect(services()).not.toContain(before[1]), { timeout: 50_000 })
    await untilHealthy(port, output)
    await untilTwo()
    expect(output.join('').match(/password/g)?.length).toBe(1)
    child.kill('SIGTERM')
    expect(await exited, output.join('')).toBe(0)
  },
)
