/** A whole service for a benchmark: embedded engine with its real durability, or the server of DATABASE_URL. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi } from '@whence/server/api.ts'
import { readConfig } from '@whence/server/config.ts'
import type { Service } from '@whence/server/context.ts'
import { type OpenDatabase, openDatabase } from '@whence/server/db/database.ts'
import { startEmbedded } from '@whence/server/db/embedded.ts'
import { migrate } from '@whence/server/db/migrate.ts'
import { type FirstRun, prepareFirstRun } from '@whence/server/first-run.ts'
import { createLog } from '@whence/server/log.ts'
import { generateMasterKeys } from '@whence/server/secrets/keyring.ts'
import { closeService, createService } from '@whence/server/service.ts'

export type World = {
  service: Service
  pool: OpenDatabase['pool']
  baseUrl: string
  first: FirstRun
  profileId: string
  apiKey: string
  trackingKey: string
  /** One statement outside any transaction. */
  run(statement: string): Promise<unknown>
  close(): Promise<void>
}

export async function openWorld(env: Record<string, string> = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-bench-'))
  const url = process.env.DATABASE_URL
  const embedded =
    url === undefined ? await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {} }) : undefined
  const database = openDatabase(embedded?.config ?? { connectionString: url })
  await migrate(database.pool)
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '10000000',
    RATE_LIMIT_BURST: '10000000',
    ...env,
  })
  const masterKeys = generateMasterKeys()
  const service = await createService({ config, db: database.db, log: createLog('error'), masterKeys })
  const api = createApi(service)
  const baseUrl = await api.http.listen({ host: '127.0.0.1', port: 0 })
  const first = await prepareFirstRun(service)
  if (first === undefined) throw new Error('The database of DATABASE_URL must be empty.')
  const reply = await fetch(`${baseUrl}/api/v1/tracking/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.apiKey}` },
  })
  const { data } = (await reply.json()) as { data: { key: string } }
  return {
    service,
    pool: database.pool,
    baseUrl,
    first,
    profileId: first.profileId,
    apiKey: first.apiKey,
    trackingKey: data.key,
    run: (statement) => database.pool.query(statement),
    async close() {
      await api.close()
      await closeService(service)
      await database.close()
      await embedded?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
