/** Builds the parts that every handler and job receives, from configuration and an open database. */

import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import { createBanklink, createBilling, createProviders, createShortvideo } from './connectors/registry.ts'
import type { SandboxMode } from './connectors/sandbox/mode.ts'
import type { Service } from './context.ts'
import type { Db } from './db/database.ts'
import { openNodes } from './db/nodes.ts'
import { createHandover } from './features/events/handover.ts'
import { createIngest } from './features/events/ingest.ts'
import { createIngestLimit } from './features/events/limit.ts'
import { writeEvents } from './features/events/queries.ts'
import { loadPepper } from './features/identity/pepper.ts'
import { createProcessor } from './features/pipeline/processor.ts'
import { openGeo } from './features/tracking/enrich.ts'
import { createDispatcher } from './features/webhooks/delivery/dispatcher.ts'
import type { Log } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { createOutbound } from './outbound/client.ts'
import { createDns } from './outbound/dns.ts'
import { type Keyring, parseMasterKeys } from './secrets/keyring.ts'

export async function createService(parts: {
  config: Config
  db: Db
  log: Log
  masterKeys: string
}): Promise<Service> {
  const { config, log } = parts
  const nodes = await openNodes(parts.db, {
    limitMs: config.DATABASE_TIMEOUT_SECONDS * 1000,
    isDirect: config.DATABASE_NODES === 'direct',
    processing: config.PROCESSOR_PARALLEL,
    onError: (error) => log.warn('nodes not looked up', { error }),
  })
  const { db, patientDb } = nodes.main
  const clock = createClock()
  await clock.refresh(db)
  // What a sandbox moved must not outlive it.
  if (!config.SANDBOX && clock.isMoved()) await clock.set(db, 0)
  const keyring = parseMasterKeys(parts.masterKeys)
  const providerHttp = createOutbound({ guard: 'none' })
  const publicHttp = createOutbound({
    guard: 'public',
    allowCidrs: config.WEBHOOK_ALLOW_CIDRS,
    connectTimeoutMs: 5000,
    totalTimeoutMs: 15_000,
    maxBytes: 64 * 1024,
    oversize: 'truncate',
    // Many endpoints may share a host; those that hang must not use up what the others need.
    maxConnectionsPerOrigin: 500,
  })
  const dispatcher = createDispatcher({ db: patientDb, nodes, keyring, publicHttp, log })
  const handover = createHandover()
  const processor = createProcessor({
    nodes,
    clock,
    log,
    handover,
    parallel: config.PROCESSOR_PARALLEL,
    onProcessed: dispatcher.wake,
  })
  const sandbox = config.SANDBOX ? await loadSandboxMode(config, keyring) : undefined
  return {
    config,
    db,
    patientDb,
    nodes,
    log,
    keyring,
    clock,
    identityPepper: await loadPepper(db, keyring, clock.now()),
    dns: createDns(),
    geo: await openGeo(config.GEO_DATABASE),
    ingest: createIngest(
      async (profileId, events) =>
        writeEvents((await nodes.shardOf(profileId)).db, { profileId, events, handover }),
      processor.wake,
      log,
    ),
    ingestLimit: createIngestLimit({ perSecond: config.INGEST_PER_SECOND, burst: config.INGEST_BURST }),
    processor,
    mailer: createMailer(config),
    providers: createProviders(config, providerHttp, sandbox),
    banklink: createBanklink(config, providerHttp, sandbox),
    shortvideo: createShortvideo(config, providerHttp),
    billing: createBilling(config, providerHttp),
    sandbox,
    providerHttp,
    publicHttp,
    dispatcher,
  }
}

async function loadSandboxMode(config: Config, keyring: Keyring): Promise<SandboxMode> {
  const { createSandboxMode } = await import('./connectors/sandbox/mode.ts')
  return createSandboxMode(config, keyring)
}

export async function closeService(service: Service): Promise<void> {
  await service.ingest.drain()
  await service.processor.stop()
  await service.dispatcher.stop()
  await service.nodes.close()
  await Promise.all([service.providerHttp.close(), service.publicHttp.close()])
}
