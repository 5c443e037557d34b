import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { longIt, shortIt as test } from '../../../test/length.ts'
import { chooseAccount } from './embedded/account.ts'
import { copyBinaries, findBinaries } from './embedded/binaries.ts'
import { pauseMs } from './embedded/supervise.ts'
import { type Embedded, findRunningEmbedded, startEmbedded } from './embedded.ts'

const asRoot = process.getuid?.() === 0
const onLinux = process.platform === 'linux'
const program = fileURLToPath(new URL('../../../test/embedded-process.ts', import.meta.url))

/** A checkout under a private home directory is readable only by root, so no other user can run it. */
const othersCanRun =
  asRoot && spawnSync(process.execPath, ['--check', program], { uid: 1, gid: 1, env: {} }).status === 0

const linuxTest = onLinux ? test : it.skip

let home: string
let undo: (() => Promise<unknown> | unknown)[]

// Each test starts several servers, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

/** An initialised data directory for tests of later starts: creating one takes a second of CPU. */
let used: string
beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), 'whence-embedded-'))
  await chmod(used, 0o755)
  const dataDir = join(used, 'data')
  const server = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } })
  await server.stop()
})
afterAll(() => rm(used, { recursive: true, force: true }))

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'whence-embedded-'))
  // mkdtemp creates a private directory; most tests need a normal one.
  await chmod(home, 0o755)
  // A server whose parent was killed exits a little later, and writes files until then.
  undo = [() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })]
})

afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

async function start(dataDir = join(home, 'data'), choose = chooseAccount): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } }, choose)
  undo.push(() => server.stop())
  return server
}

/** A copy of an initialised data directory. */
function takeUsed(dataDir = join(home, 'data')): string {
  mkdirSync(dirname(dataDir), { recursive: true })
  expect(spawnSync('cp', ['-a', join(used, 'data'), dataDir]).status).toBe(0)
  return dataDir
}

async function query<T>(server: Embedded, text: string): Promise<T[]> {
  const client = new pg.Client(server.config)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Rows are numbered without gaps, so all committed rows exist if the count matches. */
async function countUpTo(server: Embedded, last: number): Promise<number> {
  const [row] = await query<{ n: number }>(
    server,
    `select count(*)::int as n from committed where n <= ${last}`,
  )
  return row!.n
}

/** Starts another process that uses the directory and commits rows; resolves after the first commits. */
async function startProcess(dataDir: string, account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'pipe'], ...account })
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  undo.push(() => end(child, exited, 'SIGKILL'))
  let committed = 0
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(errors.join(''))))
    createInterface({ input: child.stdout }).on('line', (line) => {
      committed = Number(line)
      if (committed > 20) resolve()
    })
  })
  return {
    pid: child.pid!,
    async end(signal: NodeJS.Signals): Promise<number> {
      await end(child, exited, signal)
      return committed
    },
  }
}

async function end(child: ChildProcess, exited: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  await exited
}

async function serverPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1])
}

test('the data survives a stop, and stop is idempotent', async () => {
  takeUsed()
  const first = await start()
  await query(first, 'create table kept as select 7 as n')
  await Promise.all([first.stop(), first.stop()])
  const second = await start()
  expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }])
})

test('the connection string and the config open the same database, by socket only and with durable commits', async () => {
  const server = await startEmbedded({ dataDir: takeUsed(), log: () => {} })
  undo.push(() => server.stop())
  const client = new pg.Client({ connectionString: server.connectionString })
  await client.connect()
  const { rows } = await client.query(
    `select current_database() as database, current_user as user, inet_server_addr() as address,
            current_setting('listen_addresses') as listens, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as commit`,
  )
  await client.end()
  expect(rows).toEqual([
    { database: 'whence', user: 'whence', address: null, listens: '', fsync: 'on', commit: 'on' },
  ])
  const socket = await stat(server.config.host)
  expect(socket.mode & 0o077).toBe(0)
})

test('a second process on the directory gets a clear error, and the first continues', async () => {
  const dataDir = takeUsed()
  const other = await startProcess(dataDir)
  const refusal = await start(dataDir).catch((error: Error) => error.message)
  expect(refusal).toMatch(
    /^Another Whence is running on \S+: stop it, or set another DATA_DIR for this one\.$/,
  )
  expect(isRunning(other.pid)).toBe(true)
  await other.end('SIGTERM')
  await start(dataDir)
})

test('the same process cannot open a directory twice', async () => {
  takeUsed()
  await start()
  await expect(start()).rejects.toThrow('Another Whence is running')
})

test('kill -9 loses no committed row and the next start is not blocked', async () => {
  const dataDir = takeUsed()
  for (let round = 0; round < 2; round++) {
    const other = await startProcess(dataDir)
    const committed = await other.end('SIGKILL')
    const server = await start(dataDir)
    expect(await countUpTo(server, committed)).toBe(committed)
    await server.stop()
  }
})

test('the server ends soon after its parent is killed', async () => {
  const dataDir = takeUsed()
  const other = await startProcess(dataDir)
  const pid = await serverPid(dataDir)
  await other.end('SIGKILL')
  await vi.waitUntil(() => !isRunning(pid), { timeout: 20_000 })
})

linuxTest('a server whose parent and guard were both killed is found and stopped', async () => {
  const dataDir = takeUsed()
  const other = await startProcess(dataDir)
  const pid = await serverPid(dataDir)
  const guard = await parentOf(pid)
  const children = (await readFile(`/proc/${guard}/task/${guard}/children`, 'utf8'))
    .trim()
    .split(' ')
    .map(Number)
  // Stopped, so that it is killed before it can react to the end of its guard.
  process.kill(other.pid, 'SIGSTOP')
  for (const process_ of [guard, ...children.filter((child) => child !== pid)])
    process.kill(process_, 'SIGKILL')
  const committed = await other.end('SIGKILL')
  expect(isRunning(pid)).toBe(true)
  const server = await start(dataDir)
  expect(await serverPid(dataDir)).not.toBe(pid)
  expect(await countUpTo(server, committed)).toBe(committed)
})

test('a killed server is restarted with its data while the parent runs', async () => {
  const dataDir = takeUsed()
  const server = await start()
  await query(server, 'create table kept as select 7 as n')
  await query(server, 'checkpoint')
  process.kill(await serverPid(dataDir), 'SIGKILL')
  const rows = await vi.waitFor(() => query(server, 'select n from kept'), { timeout: 30_000, interval: 50 })
  expect(rows).toEqual([{ n: 7 }])
})

/** Kills the server until a start fails. */
async function killUntilBroken(dataDir: string, lines: readonly string[]) {
  await vi.waitFor(
    async () => {
      if ((await findRunningEmbedded(dataDir)) !== undefined)
        process.kill(await serverPid(dataDir), 'SIGKILL')
      expect(lines.join(' ')).toMatch(/did not start: .* Next attempt in \d+ s\./s)
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(await findRunningEmbedded(dataDir)).toBeUndefined()
}

async function untilServing(server: Embedded, dataDir: string) {
  const kept = await vi.waitFor(() => query(server, 'select n from kept'), {
    timeout: 60_000,
    interval: 100,
  })
  expect(kept).toEqual([{ n: 7 }])
  expect(await findRunningEmbedded(dataDir)).toEqual(server.config)
}

test('it is restarted until a missing file is back', async () => {
  const dataDir = takeUsed()
  const lines: string[] = []
  const server = await startEmbedded({ dataDir, log: (line) => lines.push(line), settings: { fsync: 'off' } })
  undo.push(() => server.stop())
  await query(server, 'create table kept as select 7 as n')
  await query(server, 'checkpoint')
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  await rename(control, `${control}.away`)
  await killUntilBroken(dataDir, lines)
  await rename(`${control}.away`, control)
  await untilServing(server, dataDir)
})

/** A disk of its own for the data; undefined where this user cannot mount one. */
function mountDisk(path: string, megabytes: number): boolean {
  mkdirSync(path, { recursive: true })
  const isMounted =
    asRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status === 0
  if (isMounted) undo.push(() => spawnSync('umount', ['-l', path]))
  else
    process.stderr.write(
      'SKIPPED: only root can mount a disk, so nothing proves the return from a full one.\n',
    )
  return isMounted
}

linuxTest('it is restarted until a full disk has space again', async ({ skip }) => {
  const disk = join(home, 'disk')
  if (!mountDisk(disk, 300)) return skip()
  const dataDir = takeUsed(join(disk, 'data'))
  const lines: string[] = []
  const server = await startEmbedded({ dataDir, log: (line) => lines.push(line), settings: { fsync: 'off' } })
  undo.push(() => server.stop())
  await query(server, 'create table kept as select 7 as n')
  await query(server, 'checkpoint')
  // A start frees some space first, so the disk is kept full.
  const filler = join(disk, 'filler')
  const fill = `exec 2>/dev/null; while [ -e ${disk}/data ]; do cat /dev/zero >> ${filler}; sleep 0.05; done`
  const filling = spawn('sh', ['-c', fill])
  undo.push(() => filling.kill('SIGKILL'))
  await vi.waitFor(async () => expect((await statfs(disk)).bavail).toBeLessThan(100), {
    timeout: 60_000,
    interval: 50,
  })
  await killUntilBroken(dataDir, lines)
  filling.kill('SIGKILL')
  await new Promise((resolve) => filling.once('close', resolve))
  await rm(filler)
  await untilServing(server, dataDir)
})

test('a stop ends the wait for the next restart', async () => {
  const dataDir = takeUsed()
  const lines: string[] = []
  const server = await startEmbedded({ dataDir, log: (line) => lines.push(line), settings: { fsync: 'off' } })
  await rename(join(dataDir, 'postgres', 'global', 'pg_control'), join(dataDir, 'away'))
  await killUntilBroken(dataDir, lines)
  await server.stop()
  expect(pauseMs(0)).toBe(0)
  expect([1, 2, 3, 6, 60].map(pauseMs)).toEqual([1000, 2000, 4000, 30_000, 30_000])
})

test('a stale lock file whose process id is now another program’s does not block the start', async () => {
  const dataDir = takeUsed()
  // PostgreSQL itself only recognises processes of other users.
  const other = spawn('sleep', ['600'], asRoot ? { uid: 65534, gid: 65534 } : {})
  undo.push(() => other.kill())
  const cluster = join(dataDir, 'postgres')
  await writeFile(join(cluster, 'postmaster.pid'), `${other.pid}\n${cluster}\n1\n5432\n\n\n\nready\n`)
  await start()
  expect(isRunning(other.pid!)).toBe(true)
})

test('remains of an interrupted first start are removed', async () => {
  const dataDir = join(home, 'data')
  await mkdir(join(dataDir, 'postgres.999999.new', 'base'), { recursive: true })
  await start()
  expect(await readdir(dataDir)).not.toContain('postgres.999999.new')
})

test('a data directory with a long path works, and its socket directory is removed on stop', async () => {
  const server = await start(takeUsed(join(home, 'a'.repeat(120), 'data')))
  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(server.config.host.length).toBeLessThan(80)
  await server.stop()
  await expect(stat(server.config.host)).rejects.toThrow('ENOENT')
})

test('a cluster of another major version is reported clearly', async () => {
  const dataDir = takeUsed()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '12\n')
  await expect(start()).rejects.toThrow(/was created by PostgreSQL 12, but 18\S+ is installed/)
})

describe.runIf(asRoot)('as root', () => {
  const accountTest = othersCanRun ? test : it.skip
  accountTest('the server does not run as root', async () => {
    await start()
    const { uid } = await stat(join(home, 'data', 'postgres', 'base'))
    expect(uid).toBe(65534)
  })

  longIt('under a parent closed to others the server works and keeps its data', async () => {
    await chmod(home, 0o700)
    const first = await start()
    await query(first, 'create table kept as select 7 as n')
    await first.stop()
    const second = await start()
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }])
  })

  const longLinuxTest = onLinux ? longIt : it.skip
  longLinuxTest(
    'under a private parent and without user namespaces it runs a copy of the binaries',
    async () => {
      await chmod(home, 0o700)
      const withoutNamespaces: typeof chooseAccount = (binaries, dataDir) =>
        chooseAccount(binaries, dataDir, '/nonexistent/unshare')
      const first = await start(undefined, withoutNamespaces)
      await query(first, 'create table kept as select 7 as n')
      await first.stop()
      const second = await start(undefined, withoutNamespaces)
      expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }])
      await second.stop()
      // The directory's owner changes with the account.
      const third = await start()
      expect(await query(third, 'select n from kept')).toEqual([{ n: 7 }])
    },
  )

  const longAccountTest = othersCanRun ? longIt : it.skip
  longAccountTest.each([
    ['an ordinary user', 1],
    ['a user without an entry in /etc/passwd', 54_321],
  ])('%s runs it on a directory of its own', async (_name, id) => {
    const account = { uid: id, gid: id }
    const dataDir = join(home, 'own', 'data')
    await mkdir(join(home, 'own'), { mode: 0o700 })
    await chown(join(home, 'own'), id, id)
    if (id !== 1 && spawnSync('unshare', ['--user', 'true'], account).status !== 0) {
      await expect(startProcess(dataDir, account)).rejects.toThrow('or set DATABASE_URL')
      return
    }
    await (await startProcess(dataDir, account)).end('SIGKILL')
    const other = await startProcess(dataDir, account)
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(id)
    await other.end('SIGTERM')
  })
})

describe('binaries', () => {
  test('an unsupported platform gets an error that suggests DATABASE_URL', async () => {
    await expect(findBinaries(home, 'sunos-sparc')).rejects.toThrow(
      /^There is no embedded PostgreSQL for this platform \(sunos-sparc\): set DATABASE_URL to a PostgreSQL server\.$/,
    )
  })

  test('library links that no install script created are created', async () => {
    const native = join(home, 'native')
    await mkdir(join(native, 'lib'), { recursive: true })
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library')
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links))
    const copy = await copyBinaries({ native, version: '18' }, home)
    expect(await readFile(join(copy.native, 'lib', 'libpq.so.5'), 'utf8')).toBe('library')
  })
})
