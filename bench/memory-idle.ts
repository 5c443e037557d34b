/**
 * Memory of an idle service with the demo, as `npm start` runs it: the process that prepared the demo, and the next
 * start. The limit is a bare process with Fastify, pg and one route that has answered a request. Resident memory is what
 * `ps` shows; private memory is not shared with other processes, so it excludes Node's own program. Linux only.
 *
 *   node bench/memory-idle.ts [idle seconds=150]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '@whence/server/platform/db/embedded.ts'
import { environment } from '../tools/project.mjs'
import { reserveAddress } from './world.ts'

const idleMs = Number(process.argv[2] ?? 150) * 1000
const folder = await mkdtemp(join(tmpdir(), 'whence-idle-'))
const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

type Memory = { resident: number; private: number }

async function readMemory({ pid }: ChildProcess): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const megabytes = (...names: string[]) =>
    names.reduce((sum, name) => sum + Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)![1]), 0) / 1000
  return { resident: megabytes('Rss'), private: megabytes('Private_Clean', 'Private_Dirty') }
}

async function waitForOutput(child: ChildProcess, text: string): Promise<void> {
  let all = ''
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    all += chunk
    if (all.includes(text)) return
  }
  throw new Error(`The process ended before it printed "${text}":\n${all}`)
}

async function measure(args: string[], env: Record<string, string>, readyText: string): Promise<Memory> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await waitForOutput(child, readyText)
    console.log(`${readyText}: after ${((performance.now() - started) / 1000).toFixed(1)} s`)
    child.stdout!.resume()
    await delay(idleMs)
    return await readMemory(child)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

/** The route queries the database, so that a connection is open. */
const bareProgram = `
import Fastify from 'fastify'
import pg from 'pg'
const pool = new pg.Pool(JSON.parse(process.env.BARE))
const app = Fastify()
app.get('/', async () => (await pool.query('select 1 as one')).rows)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
await (await fetch(address)).json()
console.log('answered')`

async function measureBare(): Promise<Memory> {
  const database = await startEmbedded({ dataDir: join(folder, 'bare'), log: () => {} })
  try {
    const env = { BARE: JSON.stringify(database.config) }
    return await measure(['--input-type=module', '--eval', bareProgram], env, 'answered')
  } finally {
    await database.stop()
  }
}

try {
  const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', ...(await reserveAddress()) }
  const bare = await measureBare()
  const first = await measure([main], env, 'Demo ready')
  const again = await measure([main], env, env.BASE_URL)
  for (const [name, memory] of Object.entries({ bare, first, again }))
    console.log(
      `${name}: ${memory.resident.toFixed(0)} MB resident, ${memory.private.toFixed(0)} MB private; of the bare process ${(memory.resident / bare.resident).toFixed(2)} and ${(memory.private / bare.private).toFixed(2)}`,
    )
} finally {
  await rm(folder, { recursive: true, force: true })
}
