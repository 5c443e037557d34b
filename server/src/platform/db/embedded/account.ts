import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chown, lchown, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Binaries, copyBinaries, noBinariesSentence } from './binaries.ts'
import { claimDirectory, temporaryDirectory } from './directories.ts'

export type Log = (line: string) => void

/**
 * PostgreSQL refuses to run as root. An account defines the user that runs its programs, the owner of their files,
 * and the path by which they access a directory.
 */
export type Account = {
  binaries: Binaries
  owner: { uid: number; gid: number }
  setuid: boolean
  /** Command prefix. */
  prefix: string[]
  /** It cannot access the parents of the data directory, which is therefore passed as the working directory. */
  closedParents: boolean
  /** Removed when the server stops. */
  temporary?: string
  /** In addition to the fixed ones. */
  environment?: Record<string, string> | undefined
}

const UNPRIVILEGED = { uid: 65534, gid: 65534 }

/**
 * Chooses the first account that works here. Tried by running a program, because file modes are not conclusive
 * (ACLs, containers).
 */
export async function chooseAccount(
  binaries: Binaries,
  dataDir: string,
  unshare = 'unshare',
): Promise<Account> {
  const uid = process.getuid!()
  const self: Account = {
    binaries,
    owner: { uid, gid: process.getgid!() },
    setuid: false,
    prefix: [],
    closedParents: false,
  }
  // In a new user namespace a process still owns its files, but runs as the user nobody.
  const namespaced: Account = { ...self, prefix: [unshare, '--user'] }
  return uid === 0 ? forRoot(self, namespaced, dataDir) : forUser(self, namespaced, dataDir)
}

async function forUser(self: Account, namespaced: Account, dataDir: string): Promise<Account> {
  const outcome = await tryOut(self, dataDir)
  if (outcome === 'runs') return self
  if (outcome !== 'nameless') {
    throw new Error(noBinariesSentence(`${process.platform}-${process.arch}, without the libraries it needs`))
  }
  if ((await tryOut(namespaced, dataDir)) === 'runs') return namespaced
  throw new Error(
    `User ${self.owner.uid} has no entry in /etc/passwd, which the embedded PostgreSQL needs: add one, or set DATABASE_URL.`,
  )
}

async function forRoot(self: Account, namespaced: Account, dataDir: string): Promise<Account> {
  const unprivileged: Account = { ...self, owner: UNPRIVILEGED, setuid: true }
  if ((await tryOut(unprivileged, dataDir)) === 'runs') return unprivileged
  if ((await tryOut(namespaced, dataDir)) === 'runs') return namespaced
  if (process.platform === 'linux') {
    const temporary = temporaryDirectory(dataDir, '-postgresql')
    await claimDirectory(temporary, 0o755, [0])
    const binaries = await copyBinaries(self.binaries, temporary)
    const copied: Account = { ...unprivileged, binaries, closedParents: true, temporary }
    if ((await tryOut(copied, dataDir)) === 'runs') return copied
    await rm(temporary, { recursive: true, force: true })
  }
  throw new Error(
    'The embedded PostgreSQL cannot run as root here: start Whence as an ordinary user, or set DATABASE_URL.',
  )
}

export type Running = {
  /** Process id of the program itself; undefined if it could not be started. */
  pid: Promise<number | undefined>
  /** Its last output lines, updated while it runs. */
  lines: string[]
  exited: Promise<{ code: number | null }>
  /** Requests a fast, clean shutdown. */
  end(): void
}

/** Starts a PostgreSQL program in a directory; it stops when our end of its standard input closes. */
export function run(account: Account, program: string, args: string[], cwd: string, log: Log): Running {
  const path = join(account.binaries.native, 'bin', program)
  const child = start(account, cwd, ['-c', WATCH, 'whence', path, ...args])
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    log(line)
    lines.push(line)
    if (lines.length > 20) lines.shift()
  })
  const stdout = createInterface({ input: child.stdout })
  child.stdin.on('error', () => undefined)
  return {
    lines,
    pid: new Promise((resolve) => {
      stdout.once('line', (line) => resolve(Number(line)))
      child.once('close', () => resolve(undefined))
      child.once('error', () => resolve(undefined))
    }),
    exited: new Promise((resolve) => {
      child.once('close', (code) => resolve({ code }))
      child.once('error', (cause) => {
        lines.push(cause.message)
        resolve({ code: null })
      })
    }),
    end() {
      child.stdin.end()
    },
  }
}

export function pathOf(account: Account, dataDir: string): string {
  return account.closedParents ? '/proc/self/cwd' : dataDir
}

/** Directories created before the server ran as another user change their owner. */
export async function makeOwned(account: Account, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { owner } = account
  if ((await lstat(directory)).uid === owner.uid) return
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(join(directory, entry), owner.uid, owner.gid)
  }
  await chown(directory, owner.uid, owner.gid)
}

/**
 * The end of the pipe is the only reliable signal of this process's death; SIGINT is PostgreSQL's fast, clean shutdown.
 * Standard output has the program's process id, standard error its output.
 */
const WATCH = `
exec 3<&0
"$@" </dev/null >&2 3<&- &
child=$!
echo $child
( read -r line <&3; kill -INT $child ) &
watcher=$!
wait $child
code=$?
kill $watcher 2>/dev/null
exit $code`

const PROBE = `
[ "$(id -u)" != 0 ] || exit 4
id -un >/dev/null 2>&1 || exit 3
[ -x "$1" ] && [ -r "$2/share/postgresql/postgres.bki" ] && exec "$2/bin/postgres" --version
exit 4`

async function tryOut(account: Account, dataDir: string): Promise<'runs' | 'nameless' | 'fails'> {
  const child = start(account, dataDir, [
    '-c',
    PROBE,
    'whence',
    pathOf(account, dataDir),
    account.binaries.native,
  ])
  child.stdin.on('error', () => undefined).end()
  child.stdout.resume()
  child.stderr.resume()
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('close', resolve)
  })
  if (code === 0) return 'runs'
  return code === 3 ? 'nameless' : 'fails'
}

function start(account: Account, cwd: string, args: string[]): ChildProcessWithoutNullStreams {
  const [command = '/bin/sh', ...rest] = [...account.prefix, '/bin/sh', ...args]
  return spawn(command, rest, {
    cwd,
    // A separate session, so that Ctrl-C in the terminal reaches only this process, which stops the database last.
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...account.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(account.setuid ? account.owner : undefined),
  })
}

/** Settings of libfaketime: a process with a moved clock gives its database the same clock. */
export function movedClock(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  if (!env.LD_PRELOAD?.includes('libfaketime')) return {}
  const names = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
