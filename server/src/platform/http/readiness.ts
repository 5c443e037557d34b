/** What /readyz answers. */
import type { Service } from '../../context.ts'
import { isUnavailable, withAnswerTimeout } from '../db/answer-timeout.ts'
import { nodeAnswered, nodeAnswers } from '../db/node-answers.ts'
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

/**
 * What a load balancer sends here. On Citus `events` and `reads` of profiles go on while the coordinator is away, by the
 * nodes that hold the profiles. `reads` also go on while the database takes no write.
 */
const uses = ['everything', 'events', 'reads'] as const
type ReadyFor = (typeof uses)[number]

export const readyPaths: ReadonlyMap<string, ReadyFor> = new Map([
  ['/readyz', 'everything'],
  ['/readyz/events', 'events'],
  ['/readyz/reads', 'reads'],
])

/** `takes`: all that the process can take, whichever path is read. */
type Ready = { reason: NotReady | null; takes: readonly ReadyFor[] }
export type Readiness = (use: ReadyFor) => Promise<Ready>

export function readyAnswer({ reason, takes }: Ready): { status: 200 | 503; body: Record<string, unknown> } {
  return reason === null
    ? { status: 200, body: { status: 'ready', takes } }
    : { status: 503, body: { status: 'not_ready', reason, takes } }
}

/** The reason is null where the process can take such requests. */
export function createReadiness(service: Service, isStopping: () => boolean): Readiness {
  let probedAt = Number.NEGATIVE_INFINITY
  const probe = async () => {
    if (performance.now() - probedAt < PROBE_EVERY_MS) return
    await withAnswerTimeout(probeWrite(service.db, service.clock.machineNow()))
    probedAt = performance.now()
  }
  const everything = async (): Promise<NotReady | null> => {
    if (isStopping()) return 'stopping'
    if (service.keyring.missingKeyId !== null) return 'master_key_missing'
    const { nodes } = service
    // A load balancer waits a second, less than it takes to see that the coordinator hangs.
    if (nodes.isDistributed && !nodeAnswered(nodes.main)) return 'database_unavailable'
    try {
      if (await withAnswerTimeout(hasNewerSchema(service.db))) return 'schema_too_new'
      if (isTooOld(await withAnswerTimeout(listProcesses(service.db)))) return 'release_too_old'
    } catch (error) {
      if (!isUnavailable(error)) service.log.warn('readiness check failed', { error })
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
  const takenDespite = async (reason: NotReady): Promise<ReadyFor[]> => {
    const isOfDatabase = reason === 'database_unavailable' || reason === 'database_not_writable'
    if (isOfDatabase && (await someNodeAnswers(service))) return ['events', 'reads']
    return reason === 'database_not_writable' ? ['reads'] : []
  }
  return async (use) => {
    const reason = await everything()
    const takes = reason === null ? uses : await takenDespite(reason)
    return { reason: takes.includes(use) ? null : reason, takes }
  }
}

async function someNodeAnswers({ nodes }: Pick<Service, 'nodes'>): Promise<boolean> {
  if (!nodes.isDistributed) return false
  const others = nodes.list().filter((node) => node !== nodes.main)
  return (await Promise.all(others.map(nodeAnswers))).includes(true)
}
