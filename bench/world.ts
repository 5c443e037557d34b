/**
 * Starts a service for a benchmark, on the embedded PostgreSQL with fsync or on the server of DATABASE_URL.
 *
 * BENCH_DIR is a directory that is not deleted: later runs reuse its data. With DATABASE_URL it stores only the keys for
 * the data on that server. BENCH_SETTINGS is JSON with settings for the embedded PostgreSQL.
 */
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi } from '@whence/server/api.ts'
import { readConfig } from '@whence/server/config.ts'
import type { Service } from '@whence/server/context.ts'
import { ensurePartitions } from '@whence/server/features/facts/events/partitions.ts'
import { type FirstRun, prepareFirstRun } from '@whence/server/features/sharing/demo/first-run.ts'
import { type OpenDatabase, openDatabase } from '@whence/server/platform/db/database.ts'
import { startEmbedded } from '@whence/server/platform/db/embedded.ts'
import { migrate } from '@whence/server/platform/db/migrate.ts'
import { createLog } from '@whence/server/platform/log.ts'
import { generateMasterKeys } from '@whence/server/platform/secrets/keyring.ts'
import { closeService, createService } from '@whence/server/service.ts'

export type World = {
  service: Service
  pool: OpenDatabase['pool']
  baseUrl: string
  first: FirstRun
  profileId: string
  apiKey: string
  trackingKey: string
  /** Runs `fill` unless an earlier run on the same directory has done so under this mark. */
  once(mark: string, fill: () => Promise<void>): Promise<void>
  /** One statement outside any transaction. */
  run(statement: string): Promise<unknown>
  close(): Promise<void>
}

/** Keys and progress that BENCH_DIR stores for later runs. */
type SavedWorld = { masterKeys: string; first: FirstRun; trackingKey: string; marks: string[] }

export async function openWorld(
  env: Record<string, string> = {},
  url = process.env.DATABASE_URL,
): Promise<World> {
  const savedDir = process.env.BENCH_DIR
  const dataDir = savedDir ?? (await mkdtemp(join(tmpdir(), 'whence-bench-')))
  await mkdir(dataDir, { recursive: true })
  const settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}') as Record<string, string>
  const embedded =
    url === undefined
      ? await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {}, settings })
      : undefined
  const database = openDatabase({
    ...(embedded?.config ?? { connectionString: url }),
    max: Number(process.env.DATABASE_POOL ?? 20),
  })
  await migrate(database.pool)
  await ensurePartitions(database.db, new Date())
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '10000000',
    RATE_LIMIT_BURST: '10000000',
    ...env,
  })
  const savedFile = join(dataDir, 'kept.json')
  const existing = await readSaved(savedFile)
  const masterKeys = existing?.masterKeys ?? generateMasterKeys()
  const service = await createService({ config, db: database.db, log: createLog('error'), masterKeys })
  const api = createApi(service)
  const baseUrl = await api.http.listen({ host: '127.0.0.1', port: config.PORT })
  const saved = existing ?? { masterKeys, ...(await createProfile(service, baseUrl)), marks: [] }
  const save = () => (savedDir === undefined ? undefined : writeFile(savedFile, JSON.stringify(saved)))
  await save()
  const { first, trackingKey } = saved
  return {
    service,
    pool: database.pool,
    baseUrl,
    first,
    profileId: first.profileId,
    apiKey: first.apiKey,
    trackingKey,
    async once(mark, fill) {
      if (saved.marks.includes(mark)) return
      await fill()
      saved.marks.push(mark)
      await save()
    },
    run: (statement) => database.pool.query(statement),
    async close() {
      await api.close()
      await closeService(service)
      await database.close()
      await embedded?.stop()
      if (savedDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A free port, for a service that needs its address before it listens: connectors of the sandbox request it. */
export async function reserveAddress(): Promise<{ PORT: string; BASE_URL: string }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }
}

async function readSaved(file: string): Promise<SavedWorld | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as SavedWorld)
}

async function createProfile(
  service: Service,
  baseUrl: string,
): Promise<Pick<SavedWorld, 'first' | 'trackingKey'>> {
  const first = await prepareFirstRun(service)
  if (first === undefined) throw new Error('The database of DATABASE_URL must be empty.')
  const reply = await fetch(`${baseUrl}/api/v1/tracking/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.apiKey}` },
  })
  const { data } = (await reply.json()) as { data: { key: string } }
  return { first, trackingKey: data.key }
}
