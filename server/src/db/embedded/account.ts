import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chown, lchown, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Binaries, copyBinaries, noBinariesSentence } from './binaries.ts'

export type Log = (line: string) => void

/**
 * PostgreSQL refuses to run as root. An account says as whom its programs run, who owns their files,
 * and by which path they reach a directory.
 */
export type Account = {
  binaries: Binaries
  owner: { uid: number; gid: number } | undefined
  setuid: boolean
  /** Put before the command. */
  prefix: string[]
  /** Parents of the data directory are closed to it: it is handed in as the working directory. */
  closedParents: boolean
}

const NOBODY = { uid: 65534, gid: 65534 }
const SHARED_COPY = '/tmp/whence-postgresql'

/** The first way of running that works here, tried for real because modes alone do not tell (ACLs, containers). */
export async function chooseAccount(
  binaries: Binaries,
  dataDir: string,
  unshare = 'unshare',
): Promise<Account> {
  const self: Account = { binaries, owner: undefined, setuid: false, prefix: [], closedParents: false }
  if (process.getuid?.() !== 0) {
    if (await canRun(self, dataDir)) return self
    throw new Error(noBinariesSentence(`${process.platform}-${process.arch}, without the libraries it needs`))
  }

  const nobody: Account = { ...self, owner: NOBODY, setuid: true }
  if (await canRun(nobody, dataDir)) return nobody

  // Root in a user namespace of its own keeps its files and its way through a 0700 home, but is not called root.
  const namespaced: Account = { ...self, owner: { uid: 0, gid: 0 }, prefix: [unshare, '--user'] }
  if (await canRun(namespaced, dataDir)) return namespaced

  const copied: Account = { ...nobody, binaries: await copyForNobody(binaries), closedParents: true }
  if (process.platform === 'linux' && (await canRun(copied, dataDir))) return copied
  throw new Error(
    'The embedded PostgreSQL cannot run as root here: start Whence as an ordinary user, or set DATABASE_URL.',
  )
}

export type Running = {
  /** Of the program itself; undefined when it could not be started. */
  pid: Promise<number | undefined>
  /** The last lines it said, growing while it runs. */
  lines: string[]
  exited: Promise<{ code: number | null }>
  /** Asks it to end, cleanly and soon. */
  end(): void
}

/** Starts a PostgreSQL program in a directory; it is told to stop when our end of its standard input closes. */
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

/** Directories made before the server ran as somebody else change hands. */
export async function makeOwned(account: Account, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { owner } = account
  if (!owner || (await lstat(directory)).uid === owner.uid) return
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(join(directory, entry), owner.uid, owner.gid)
  }
  await chown(directory, owner.uid, owner.gid)
}

/**
 * The pipe's end is the one sign of our death that nothing can prevent; SIGINT is PostgreSQL's fast, clean stop.
 * Standard output carries the program's process id, standard error what it says.
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
{ [ -x "$1" ] || [ "$1" = closed ]; } && [ -r "$2/share/postgresql/postgres.bki" ] &&
[ "$(id -u)" != 0 ] && exec "$2/bin/postgres" --version`

async function canRun(account: Account, dataDir: string): Promise<boolean> {
  const reach = account.closedParents ? 'closed' : dataDir
  const child = start(account, '/', ['-c', PROBE, 'whence', reach, account.binaries.native])
  child.stdin.on('error', () => undefined).end()
  child.stdout.resume()
  child.stderr.resume()
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}

function start(account: Account, cwd: string, args: string[]): ChildProcessWithoutNullStreams {
  const [command = '/bin/sh', ...rest] = [...account.prefix, '/bin/sh', ...args]
  return spawn(command, rest, {
    cwd,
    // A session of its own: Ctrl-C in the terminal is for us, we stop the database last.
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(account.setuid ? account.owner : {}),
  })
}

async function copyForNobody(binaries: Binaries): Promise<Binaries> {
  await mkdir(SHARED_COPY, { mode: 0o755 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
  })
  const { uid, mode } = await lstat(SHARED_COPY)
  if (uid !== 0 || (mode & 0o022) !== 0)
    throw new Error(`${SHARED_COPY} belongs to somebody else: remove it.`)
  return copyBinaries(binaries, SHARED_COPY)
}
