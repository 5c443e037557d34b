/** A complete service for one test file: its own database, a listening server, a typed client. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { createApi } from '../src/api.ts'
import { readConfig } from '../src/config.ts'
import type { Service } from '../src/context.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { oneNode } from '../src/platform/db/nodes.ts'
import { createLog } from '../src/platform/log.ts'
import { generateMasterKeys } from '../src/platform/secrets/keyring.ts'
import { closeService, createService } from '../src/service.ts'
import { createCheckedClient, type TestClient } from './answers.ts'
import { cloneDatabase } from './database.ts'
import { onFreePort } from './free-port.ts'
import { inProcessFetch } from './in-process-fetch.ts'

export type TestApp = {
  service: Service
  /** Direct access to the database, for changes that the service would not make. */
  pool: pg.Pool
  baseUrl: string
  /** An in-process client with this bearer token, or without one; every success is checked against its contract. */
  as(token?: string): TestClient
  /** Sends requests to this address without a socket. */
  fetch: typeof fetch
  connectionString: string
  /** For another process of the deployment. */
  masterKeys: string
  /** The same deployment on another database. */
  startOn(connectionString: string): Promise<TestApp>
  /** A second process of the same deployment: same database, keys and public address, another port and settings. */
  startTwin(options?: {
    readOnly?: boolean
    env?: Record<string, string>
    masterKeys?: string
  }): Promise<TestApp>
  close(): Promise<void>
}

/** Generous timeouts, so that tests pass on a busy machine; the limits have their own tests. */
const PATIENCE_MS = 60_000

export async function startTestApp(
  env: Record<string, string> = {},
  /** Returns the address under which the service connects to its database, e.g. a proxy. */
  through?: (connectionString: string) => Promise<string>,
): Promise<TestApp> {
  const database = await cloneDatabase()
  const way =
    through === undefined
      ? { connectionString: database.connectionString, connectionTimeoutMillis: PATIENCE_MS }
      : { connectionString: await through(database.connectionString) }
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-data-'))
  const masterKeys = generateMasterKeys()
  const start = async (
    publicPort: number,
    options: {
      readOnly?: boolean
      env?: Record<string, string>
      masterKeys?: string
      listenOn?: number
      on?: string
    } = {},
  ): Promise<TestApp> => {
    const { readOnly = false, listenOn = publicPort } = options
    const config = readConfig({
      PORT: String(publicPort),
      BASE_URL: `http://127.0.0.1:${publicPort}`,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '600000',
      RATE_LIMIT_BURST: '100000',
      TRUST_PROXY: '127.0.0.1',
      DATABASE_TIMEOUT_SECONDS: String(PATIENCE_MS / 1000),
      ...env,
      ...options.env,
    })
    const opened = openDatabase({ ...way, ...(options.on && { connectionString: options.on }), max: 10 })
    const log = createLog(config.LOG_LEVEL)
    const keys = options.masterKeys ?? masterKeys
    const created = await createService({ config, db: opened.db, log, masterKeys: keys }).catch(
      async (cause: unknown) => {
        await opened.close()
        throw cause
      },
    )
    const reader = readOnly
      ? openDatabase({
          connectionString: database.connectionString,
          options: '-c default_transaction_read_only=on',
        })
      : undefined
    const service =
      reader === undefined
        ? created
        : { ...created, db: reader.db, backgroundDb: reader.db, nodes: oneNode(reader.db) }
    const api = createApi(service)
    const close = async () => {
      await api.close()
      await closeService(service)
      await reader?.close()
      await opened.close()
    }
    const baseUrl = await api.http.listen({ host: '127.0.0.1', port: listenOn }).catch(async (cause) => {
      await close()
      throw cause
    })
    const fetch = inProcessFetch(api.http)
    return {
      service,
      pool: opened.pool,
      baseUrl,
      connectionString: options.on ?? database.connectionString,
      masterKeys: keys,
      startOn: (on) => start(publicPort, { on, listenOn: 0 }),
      fetch,
      as: (token) => createCheckedClient({ baseUrl, token, fetch }),
      startTwin: (twin) => start(publicPort, { ...twin, listenOn: 0 }),
      close,
    }
  }
  const app = await onFreePort(start)
  return {
    ...app,
    async close() {
      await app.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
