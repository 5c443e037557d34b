/** Builds the parts that every handler and job receives, from configuration and an open database. */

import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import { createProviders } from './connectors/registry.ts'
import type { Service } from './context.ts'
import type { Db } from './db/database.ts'
import type { Log } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { createOutbound } from './outbound/client.ts'
import { parseMasterKeys } from './secrets/keyring.ts'

export async function createService(parts: {
  config: Config
  db: Db
  log: Log
  masterKeys: string
}): Promise<Service> {
  const clock = createClock()
  await clock.refresh(parts.db)
  const keyring = parseMasterKeys(parts.masterKeys)
  const providerHttp = createOutbound({ guard: 'none' })
  return {
    config: parts.config,
    db: parts.db,
    log: parts.log,
    keyring,
    clock,
    mailer: createMailer(parts.config),
    providers: createProviders(parts.config, keyring, providerHttp),
    providerHttp,
    publicHttp: createOutbound({
      guard: 'public',
      allowCidrs: parts.config.WEBHOOK_ALLOW_CIDRS,
      connectTimeoutMs: 5000,
      totalTimeoutMs: 15_000,
      maxBytes: 64 * 1024,
      oversize: 'truncate',
    }),
  }
}

export async function closeService(service: Service): Promise<void> {
  await Promise.all([service.providerHttp.close(), service.publicHttp.close()])
}
