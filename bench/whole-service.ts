/** The service as people start it, in processes of its own; for benchmarks that compare numbers of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openWorld, reserveAddress, type World } from './world.ts'

export type Kept = { masterKeys: string; first: { apiKey: string; profileId: string } }

/** An empty profile, and what a service needs to open it. */
export async function prepare(
  dir: string,
  url: string,
  fill: (world: World) => Promise<void> = async () => {},
): Promise<Kept> {
  process.env.BENCH_DIR = dir
  const world = await openWorld({}, url)
  await fill(world)
  await world.close()
  return JSON.parse(await readFile(join(dir, 'kept.json'), 'utf8')) as Kept
}

/** CPU milliseconds so far of a process and those that it started. */
export function cpuOfProcess(pid: number): number {
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
  kept: Kept,
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
      MASTER_KEYS: kept.masterKeys,
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
