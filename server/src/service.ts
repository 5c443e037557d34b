/** Creates the service object that handlers and jobs receive, from the configuration and an open database. */

import type { SandboxMode } from '@whence/sandbox/mode.ts'
import type { Config } from './config.ts'
import { createBanklink, createBilling, createProviders, createShortvideo } from './connectors/registry.ts'
import type { Service } from './context.ts'
import { createProcessor } from './features/attribution/pipeline/processor.ts'
import { createHandover } from './features/facts/events/handover.ts'
import { createIngest } from './features/facts/events/ingest.ts'
import { createIngestLimit } from './features/facts/events/limit.ts'
import { writeEvents } from './features/facts/events/queries.ts'
import { createRefusals } from './features/facts/events/refusals.ts'
import { loadPepper, loadTimedIdsFrom } from './features/facts/identity/pepper.ts'
import { createDispatcher } from './features/outgoing/webhooks/delivery/dispatcher.ts'
import { openGeo } from './features/sources/tracking/enrich.ts'
import { createClock } from './platform/clock.ts'
import type { Db } from './platform/db/database.ts'
import { nodeAnswers } from './platform/db/node-answers.ts'
import { type Nodes, openNodes } from './platform/db/nodes.ts'
import { probeWrite } from './platform/db/readiness.ts'
import type { Log } from './platform/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { collapseOutages } from './platform/outage-log.ts'
import { createOutbound } from './platform/outbound/client.ts'
import { createDns } from './platform/outbound/dns.ts'
import { type Keyring, parseMasterKeys, subkey } from './platform/secrets/keyring.ts'
import { joinRotation } from './platform/secrets/rotation.ts'

export async function createService(parts: {
  config: Config
  db: Db
  log: Log
  masterKeys: string
}): Promise<Service> {
  const { config } = parts
  const keyring = parseMasterKeys(parts.masterKeys)
  let opened: Nodes | undefined
  const log = collapseOutages(parts.log, async () => opened !== undefined && isHealthy(opened))
  const keyRotation = await joinRotation(parts.db, keyring, log)
  const nodes = await openNodes(parts.db, {
    limitMs: config.DATABASE_TIMEOUT_SECONDS * 1000,
    isDirect: config.DATABASE_NODES === 'direct',
    processing: config.PROCESSOR_PARALLEL,
    onError: (error) => log.warn('locations of database nodes not refreshed', { error }),
  })
  opened = nodes
  const { db, backgroundDb } = nodes.main
  const clock = createClock()
  await clock.refresh(db)
  // A clock moved in sandbox mode must not persist outside of it.
  if (!config.SANDBOX && clock.isMoved()) await clock.set(db, 0)
  const providerHttp = createOutbound({ guard: 'none' })
  const publicHttp = createOutbound({
    guard: 'public',
    allowCidrs: config.WEBHOOK_ALLOW_CIDRS,
    connectTimeoutMs: 5000,
    totalTimeoutMs: 15_000,
    maxBytes: 64 * 1024,
    oversize: 'truncate',
    // Many endpoints may share a host; hanging ones must not use up the connections of the others.
    maxConnectionsPerOrigin: 500,
  })
  // Images from any host: public addresses only, never truncated.
  const imageHttp = createOutbound({
    guard: 'public',
    allowCidrs: config.WEBHOOK_ALLOW_CIDRS,
    maxBytes: 10 * 1024 * 1024,
  })
  // Shops that people connect by URL.
  const shopHttp = createOutbound({ guard: 'public', allowCidrs: config.WEBHOOK_ALLOW_CIDRS })
  const dispatcher = createDispatcher({ db: backgroundDb, nodes, keyring, publicHttp, log })
  const handover = createHandover()
  const identityPepper = await loadPepper(db, keyring, clock.now())
  const processor = createProcessor({
    nodes,
    clock,
    log,
    identityPepper,
    handover,
    parallel: config.PROCESSOR_PARALLEL,
    onProcessed: dispatcher.wake,
  })
  const sandbox = config.SANDBOX ? await loadSandboxMode(config, keyring) : undefined
  return {
    config,
    db,
    backgroundDb,
    nodes,
    log,
    keyring,
    keyRotation,
    clock,
    identityPepper,
    timedIdsFrom: await loadTimedIdsFrom(db),
    refusals: createRefusals({ db, pepper: identityPepper, log, now: clock.now }),
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
    providers: createProviders(config, providerHttp, sandbox, shopHttp, {
      log,
      today: () => clock.machineNow().toISOString().slice(0, 10),
    }),
    banklink: createBanklink(config, providerHttp, sandbox),
    shortvideo: createShortvideo(config, providerHttp),
    billing: createBilling(config, providerHttp),
    sandbox,
    providerHttp,
    publicHttp,
    imageHttp,
    dispatcher,
  }
}

/** Whether every node responds and the database accepts a write. */
async function isHealthy(nodes: Nodes): Promise<boolean> {
  const answering = await Promise.all(nodes.list().map(nodeAnswers))
  if (!answering.every(Boolean)) return false
  return probeWrite(nodes.main.db, new Date()).then(
    () => true,
    () => false,
  )
}

async function loadSandboxMode(config: Config, keyring: Keyring): Promise<SandboxMode> {
  const { createSandboxMode } = await import('@whence/sandbox/mode.ts')
  return createSandboxMode({
    baseUrl: config.BASE_URL,
    secretOf: (name) => subkey(keyring.current, `sandbox:${name}`).toString('hex'),
  })
}

export async function closeService(service: Service): Promise<void> {
  service.keyRotation.stop()
  await service.ingest.drain()
  await service.refusals.stop()
  await service.processor.stop()
  await service.dispatcher.stop()
  await service.nodes.close()
  await Promise.all([service.providerHttp.close(), service.publicHttp.close(), service.imageHttp.close()])
}
