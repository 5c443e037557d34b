/** Starts the service as `npm start` does, for benchmarks that compare numbers of processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openWorld, reserveAddress, type World } from './world.ts'

/** Keys that a service needs to open a prepared database. */
export type WorldKeys = { masterKeys: string; first: { apiKey: string; profileId: string } }

/** Creates an empty profile, fills it and returns its keys. */
export async function prepare(
  dir: string,
  url: string,
  fill: (world: World) => Promise<void> = async () => {},
): Promise<WorldKeys> {
  process.env.BENCH_DIR = dir
  const world = await openWorld({}, url)
  await fill(world)
  await world.close()
  return JSON.parse(await readFile(join(dir, 'kept.json'), 'utf8')) as WorldKeys
}

/** CPU milliseconds used so far by a process and its child processes. */
export function readProcessCpu(pid: number): number {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
        const fields = stat
          .slice(stat.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number)
        return Number(entry) === pid || fields[1] === pid ? (fields[11]! + fields[12]!) * 10 : 0
      } catch {
        return 0
      }
    })
    .reduce((sum, each) => sum + each, 0)
}

export async function start(
  url: string,
  keys: WorldKeys,
  processes: string,
): Promise<{ baseUrl: string; service: ChildProcess }> {
  const { PORT, BASE_URL } = await reserveAddress()
  const limits = {
    RATE_LIMIT_PER_MINUTE: '10000000',
    RATE_LIMIT_BURST: '10000000',
    INGEST_PER_SECOND: '1000000',
    INGEST_BURST: '1000000',
  }
  const service = spawn(process.execPath, [new URL('../server/src/main.ts', import.meta.url).pathname], {
    env: {
      ...process.env,
      ...limits,
      PORT,
      BASE_URL,
      DATABASE_URL: url,
      MASTER_KEYS: keys.masterKeys,
      PROCESSES: processes,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while ((await fetch(`${BASE_URL}/readyz`).catch(() => undefined))?.ok !== true) {
    if (service.exitCode !== null) throw new Error(`The service ended with ${service.exitCode}.`)
    await pause(100)
  }
  return { baseUrl: BASE_URL, service }
}
