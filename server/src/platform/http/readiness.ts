/** What /readyz answers. */
import type { Service } from '../../context.ts'
import { answeredSoon } from '../db/answer-timeout.ts'
import { isDatabaseUnavailable } from '../db/database.ts'
import { hasNewerSchema, probeWrite } from '../db/readiness.ts'
import { isTooOld, listProcesses } from '../jobs/live-processes.ts'

export type NotReady =
  | 'stopping'
  | 'master_key_missing'
  | 'database_unavailable'
  | 'database_not_writable'
  | 'schema_too_new'
  | 'release_too_old'

/** Load balancers ask often; a write every few seconds says as much. */
const PROBE_EVERY_MS = 2000

/** Null where the process can take requests. */
export function createReadiness(service: Service, isStopping: () => boolean): () => Promise<NotReady | null> {
  let probedAt = Number.NEGATIVE_INFINITY
  const probe = async () => {
    if (performance.now() - probedAt < PROBE_EVERY_MS) return
    await answeredSoon(probeWrite(service.db, service.clock.machineNow()))
    probedAt = performance.now()
  }
  return async () => {
    if (isStopping()) return 'stopping'
    if (service.keyring.missingKeyId !== null) return 'master_key_missing'
    try {
      if (await answeredSoon(hasNewerSchema(service.db))) return 'schema_too_new'
      if (isTooOld(await answeredSoon(listProcesses(service.db)))) return 'release_too_old'
    } catch (error) {
      if (!isDatabaseUnavailable(error)) service.log.warn('readiness check failed', { error })
      return 'database_unavailable'
    }
    try {
      await probe()
    } catch (error) {
      service.log.warn('the database takes no write', { error })
      return 'database_not_writable'
    }
    return null
  }
}
