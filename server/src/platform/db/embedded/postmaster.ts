import { spawnSync } from 'node:child_process'
import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Account, type Log, pathOf, run } from './account.ts'

export type Postmaster = { exited: Promise<unknown>; stop(): Promise<void> }

const POLL_MS = 20
/** How a server is made to end, and how long it is given: cleanly, then at once, then by force. */
const ENDINGS = [
  { signal: 'SIGINT', waitMs: 8_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const

/** Starts the server on a cluster and waits until it takes connections, or says why it ended before that. */
export async function launch(
  account: Account,
  cluster: string,
  args: string[],
  log: Log,
): Promise<Postmaster | { failure: string[] }> {
  const server = run(account, 'postgres', ['-D', pathOf(account, cluster), ...args], cluster, log)
  let running = true
  const exited = server.exited.then(() => {
    running = false
  })
  const pid = await server.pid
  while (running && !(await isReady(cluster, pid))) await Promise.race([exited, delay(POLL_MS)])
  if (pid === undefined || !running) {
    await exited
    return { failure: server.lines }
  }
  return {
    exited,
    async stop() {
      server.end()
      for (const { signal, waitMs } of ENDINGS) {
        if (!running) return
        send(pid, signal)
        await Promise.race([exited, delay(waitMs, undefined, { ref: false })])
      }
    },
  }
}

/** Ends a server whose parent was killed, and clears a lock file whose process id is now another program's. */
export async function clearOrphan(cluster: string, log: Log): Promise<void> {
  const pid = Number((await readPidFile(cluster))[0])
  if (!(pid > 1)) return
  if (await isServerOf(cluster, pid)) {
    log(`A database server was left running on ${cluster} (process ${pid}): stopping it.`)
    for (const { signal, waitMs } of ENDINGS) {
      send(pid, signal)
      const deadline = Date.now() + waitMs
      while (Date.now() < deadline && (await isServerOf(cluster, pid))) await delay(POLL_MS)
    }
  }
  // The file of a dead server is left to PostgreSQL, which finds surviving children by it.
  if (isAlive(pid) && !(await isServerOf(cluster, pid))) {
    await rm(join(cluster, 'postmaster.pid'), { force: true })
  }
}

/** Where a running server listens, which it keeps in the fifth line of its lock file. */
export async function socketDirOf(cluster: string): Promise<string | undefined> {
  const lines = await readPidFile(cluster)
  const pid = Number(lines[0])
  return pid > 1 && lines[7] === 'ready' && isAlive(pid) ? lines[4] : undefined
}

async function readPidFile(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.trim())
}

/** The server keeps its process id in the first line of its lock file and its state in the eighth. */
async function isReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const lines = await readPidFile(cluster)
  return lines[0] === String(pid) && lines[7] === 'ready'
}

/** A server works inside its cluster's directory; the process id alone may be another program's by now. */
async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster
  }
  const { stdout } = spawnSync('/bin/ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  return stdout.includes(cluster)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended in between, which is what we want.
  }
}
