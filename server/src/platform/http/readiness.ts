/** Readiness for /readyz. */
import type { Service } from '../../context.ts'
import { clockWarning, readSecondsAhead } from '../clock-difference.ts'
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

/** Load balancers poll often; a write probe every few seconds is enough. */
const PROBE_EVERY_MS = 2000

/**
 * Kinds of traffic. On Citus, `events` and `reads` of profiles continue without the coordinator, on the nodes that have
 * the profiles. `reads` also continue while the database is read-only.
 */
export const uses = ['everything', 'events', 'reads'] as const
type ReadyFor = (typeof uses)[number]

export const readyPaths: ReadonlyMap<string, ReadyFor> = new Map([
  ['/readyz', 'everything'],
  ['/readyz/events', 'events'],
  ['/readyz/reads', 'reads'],
])

/** `takes`: all kinds that the process can serve, whichever path is requested. */
type Ready = {
  reason: NotReady | null
  takes: readonly ReadyFor[]
  /** Advice for the operator; the process serves requests. */
  warning?: string | undefined
}
export type Readiness = (use: ReadyFor) => Promise<Ready>

export function readyAnswer({ reason, takes, warning }: Ready, furtherWarning?: string) {
  const warnings = [warning, furtherWarning].filter((text) => text !== undefined)
  const body = { takes, ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }) }
  return reason === null
    ? { status: 200 as const, body: { status: 'ready', ...body } }
    : { status: 503 as const, body: { status: 'not_ready', reason, ...body } }
}

/**
 * For /healthz. Only the embedded database is part of the process: while another one is away, a restart of the process
 * would not help.
 */
export type Health = () => Promise<'ok' | 'embedded_database_down'>

export async function healthAnswer(health: Health) {
  const status = await health()
  return { status: status === 'ok' ? (200 as const) : (503 as const), body: { status } }
}

/** The reason is null if the process can serve such requests. */
export function createReadiness(service: Service, isStopping: () => boolean): Readiness {
  let probedAt = Number.NEGATIVE_INFINITY
  let warning: string | undefined
  const probe = async () => {
    if (performance.now() - probedAt < PROBE_EVERY_MS) return
    await withAnswerTimeout(probeWrite(service.db, service.clock.machineNow()))
    warning = clockWarning(await withAnswerTimeout(readSecondsAhead(service.db, service.clock.machineNow)))
    probedAt = performance.now()
  }
  const everything = async (): Promise<NotReady | null> => {
    if (isStopping()) return 'stopping'
    if (service.keyring.missingKeyId !== null) return 'master_key_missing'
    const { nodes } = service
    // Load balancers time out after a second, sooner than a hanging coordinator is detected.
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
      service.log.warn('database is read-only', { error })
      return 'database_not_writable'
    }
    return null
  }
  const servableDespite = async (reason: NotReady): Promise<ReadyFor[]> => {
    const isDatabaseReason = reason === 'database_unavailable' || reason === 'database_not_writable'
    if (isDatabaseReason && (await someNodeAnswers(service))) return ['events', 'reads']
    return reason === 'database_not_writable' ? ['reads'] : []
  }
  return async (use) => {
    const reason = await everything()
    const takes = reason === null ? uses : await servableDespite(reason)
    return { reason: takes.includes(use) ? null : reason, takes, warning }
  }
}

async function someNodeAnswers({ nodes }: Pick<Service, 'nodes'>): Promise<boolean> {
  if (!nodes.isDistributed) return false
  const workers = nodes.list().filter((node) => node !== nodes.main)
  return (await Promise.all(workers.map(nodeAnswers))).includes(true)
}
