import { spawnSync } from 'node:child_process'
import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Account, type Log, pathOf, run } from './account.ts'

export type Postmaster = { exited: Promise<unknown>; stop(): Promise<void> }

const POLL_MS = 20
/** Shutdown signals with their timeouts: fast and clean, then immediate, then kill. */
const ENDINGS = [
  { signal: 'SIGINT', waitMs: 8_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const

/**
 * Starts the server on a cluster and waits until it accepts connections; if it exits earlier, or is stopped by the
 * signal, returns its output.
 */
export async function launch(
  account: Account,
  cluster: string,
  args: string[],
  log: Log,
  signal?: AbortSignal,
): Promise<Postmaster | { failure: string[] }> {
  const server = run(account, 'postgres', ['-D', pathOf(account, cluster), ...args], cluster, log)
  let running = true
  const exited = server.exited.then(() => {
    running = false
  })
  const pid = await server.pid
  const stop = async () => {
    server.end()
    for (const ending of ENDINGS) {
      if (!running || pid === undefined) return
      send(pid, ending.signal)
      await Promise.race([exited, delay(ending.waitMs, undefined, { ref: false })])
    }
  }
  while (running && !(await isReady(cluster, pid))) {
    if (signal?.aborted) await stop()
    else await Promise.race([exited, delay(POLL_MS)])
  }
  if (pid === undefined || !running) {
    await exited
    return {
      failure: signal?.aborted ? [...server.lines, 'It was stopped before it was ready.'] : server.lines,
    }
  }
  return { exited, stop }
}

/** Stops a server whose parent was killed, and removes a lock file whose process id now belongs to another program. */
export async function clearOrphan(cluster: string, log: Log): Promise<void> {
  const pid = Number((await readPidFile(cluster))[0])
  if (!(pid > 1)) return
  if (await isServerOf(cluster, pid)) {
    log(`A database server is still running on ${cluster} (process ${pid}): stopping it.`)
    for (const { signal, waitMs } of ENDINGS) {
      send(pid, signal)
      const deadline = Date.now() + waitMs
      while (Date.now() < deadline && (await isServerOf(cluster, pid))) await delay(POLL_MS)
    }
  }
  // PostgreSQL uses the file of a dead server to find surviving child processes, so it is not removed here.
  if (isAlive(pid) && !(await isServerOf(cluster, pid))) {
    await rm(join(cluster, 'postmaster.pid'), { force: true })
  }
}

/** Socket directory of a running server, from the fifth line of its lock file. */
export async function socketDirOf(cluster: string): Promise<string | undefined> {
  const lines = await readPidFile(cluster)
  const pid = Number(lines[0])
  return pid > 1 && lines[7] === 'ready' && isAlive(pid) ? lines[4] : undefined
}

async function readPidFile(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.trim())
}

/** The lock file has the process id in the first line and the state in the eighth. */
async function isReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const lines = await readPidFile(cluster)
  return lines[0] === String(pid) && lines[7] === 'ready'
}

/** Checks the working directory, because the process id may have been reused by another program. */
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
    // Already exited.
  }
}
