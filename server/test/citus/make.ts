/** Test data on Citus: a service, a profile in its own workspace, and events of new people. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import type { Service } from '../../src/context.ts'
import { insertProfile } from '../../src/features/account/profiles/operations.ts'
import { insertWorkspace } from '../../src/features/account/workspaces/operations.ts'
import { ensurePartitions } from '../../src/features/facts/events/partitions.ts'
import { type NewEvent, noTraces } from '../../src/features/facts/events/stored.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { type Db, type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { createLog } from '../../src/platform/log.ts'
import { closeService, createService } from '../../src/service.ts'

/** The same in each run, because the database may be from an earlier run. */
const MASTER_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`

export async function startCitusService(
  url: string,
): Promise<{ service: Service; pool: OpenDatabase['pool']; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-citus-'))
  const database = openDatabase({ connectionString: url, max: 10 })
  await migrate(database.pool)
  await ensurePartitions(database.db, new Date())
  const service = await createService({
    config: readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', DATABASE_TIMEOUT_SECONDS: '60' }),
    db: database.db,
    log: createLog('silent'),
    masterKeys: MASTER_KEYS,
  })
  return {
    service,
    pool: database.pool,
    async close() {
      await closeService(service)
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function makeCitusProfile(db: Db): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const now = new Date()
    const ownerId = uuidv7(now)
    const email = `${ownerId}@example.com`
    await tx
      .insertInto('users')
      .values({
        id: ownerId,
        email,
        email_lower: email,
        name: 'Owner',
        password_hash: 'none',
        email_verified_at: now,
        created_at: now,
      })
      .execute()
    const workspace = { name: 'Citus', timezone: 'UTC', plan: 'agency' as const, ownerId, appId: null }
    const workspaceId = await insertWorkspace(tx, { now }, workspace)
    return (await insertProfile(tx, { now }, { workspaceId, name: 'Citus', appId: null })).id
  })
}

export function newEvent(id: string, fields: Partial<NewEvent> = {}): NewEvent {
  const now = new Date()
  return {
    id,
    occurredAt: now,
    receivedAt: now,
    source: 'api',
    provider: null,
    externalId: id,
    name: 'payment_received',
    anonymousId: `visitor-${id}`,
    sessionId: null,
    isBot: false,
    contentHash: createHash('md5').update(id).digest(),
    body: {
      identifiers: [
        { kind: 'email', id: uuidv7() },
        { kind: 'anonymous_id', id: uuidv7() },
      ],
      traits: { email: `${id}@example.com` },
      money: { minor: 1250, currency: 'USD' },
      touch: {
        ...noTraces,
        channel: 'paid_search',
        origin: 'web',
        is_direct: false,
        platform: 'engine-ads',
        campaign_id: 'campaign-1',
        ad_set_id: 'set-1',
        ad_id: 'ad-1',
        click_id_kind: null,
      },
    },
    ...fields,
  }
}
