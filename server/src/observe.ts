/** Metrics of the process and of the whole service, in addition to request metrics. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Service } from './context.ts'
import type { ServiceLag } from './features/account/operator/contract.ts'
import { readLag } from './features/account/operator/lag.ts'
import {
  endingVersions,
  readBackupAge,
  readDisk,
  readTokenEnd,
  watchedNodes,
} from './features/account/operator/upkeep.ts'
import { countDropped } from './features/facts/events/retention/drop-old.ts'
import { readCertificateEnd } from './platform/certificate.ts'
import { readSecondsAhead } from './platform/clock-difference.ts'
import { DAY_MS } from './platform/contract/dates.ts'
import { withAnswerTimeout } from './platform/db/answer-timeout.ts'
import { poolUsage } from './platform/db/database.ts'
import { nodeAnswered } from './platform/db/node-answers.ts'
import type { DataNode, Nodes } from './platform/db/nodes.ts'
import type { Metrics } from './platform/http/metrics.ts'
import { type Readiness, uses } from './platform/http/readiness.ts'
import { isLive, listProcesses } from './platform/jobs/live-processes.ts'
import { readBuildId, version } from './platform/version.ts'

export function observeService(metrics: Metrics, service: Service, readiness: Readiness): void {
  observeProcess(metrics, service)
  observeQueues(metrics, service)
  observeUpkeep(metrics, service)
  metrics.gauges('whence_ready', 'takes', async () => {
    const { takes } = await readiness('everything')
    return new Map(uses.map((use) => [use, Number(takes.includes(use))]))
  })
}

function observeProcess(metrics: Metrics, service: Service): void {
  metrics.info('whence_build_info', { version, build: readBuildId(), role: service.config.ROLE })
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  metrics.gauge('nodejs_eventloop_lag_p99_seconds', () => {
    const seconds = delay.percentile(99) / 1e9
    delay.reset()
    return seconds
  })
  for (const part of ['open', 'idle', 'waiting'] as const)
    metrics.gauge(`database_pool_${part}`, () => poolUsage(service.db)[part])
  observeNodes(metrics, service)
  metrics.gauge('process_resident_memory_bytes', () => process.memoryUsage.rss())
  metrics.gauge('nodejs_eventloop_utilization', () => performance.eventLoopUtilization().utilization)
}

/** Availability of the database, or of each node of it, and this process's connections to it. */
function observeNodes(metrics: Metrics, { nodes }: Service): void {
  const each = (read: (node: DataNode) => number) => async () =>
    new Map(watchedNodes(nodes).map((node): [string, number] => [node.name, read(node)]))
  metrics.gauges(
    'database_node_up',
    'node',
    each((node) => Number(nodeAnswered(node))),
  )
  metrics.gauges(
    'database_node_connections',
    'node',
    each((node) => poolUsage(node.db).open),
  )
}

const HOUR_MS = 3_600_000

/** What has to be renewed or freed in time; `npm run operator -- check` prints it with the remedy. */
function observeUpkeep(metrics: Metrics, service: Service): void {
  const { config } = service
  const now = () => service.clock.machineNow()
  const disk = lastReading(service, () => readDisk(config.DATA_DIR), LAG_MS)
  metrics.gauge('data_folder_free_bytes', async () => (await disk())?.freeBytes ?? Number.NaN)
  metrics.gauge('data_folder_size_bytes', async () => (await disk())?.sizeBytes ?? Number.NaN)
  const ahead = lastReading(service, () => readSecondsAhead(service.db, service.clock.machineNow), LAG_MS)
  metrics.gauge('clock_ahead_seconds', async () => (await ahead()) ?? Number.NaN)
  const isEmbedded = config.DATABASE_URL === undefined
  const backup = lastReading(service, () => readBackupAge(service.db, isEmbedded), LAG_MS)
  metrics.gauge('backup_age_seconds', async () => (await backup()) ?? Number.NaN)
  metrics.gauges(
    'platform_version_days_left',
    'platform',
    async () => new Map(endingVersions(config, now()).map(({ name, daysLeft }) => [name, daysLeft])),
  )
  const tokenEnd = lastReading(service, () => readTokenEnd(service), HOUR_MS)
  metrics.gauge('authorization_days_left', async () => daysUntil(await tokenEnd(), now()))
  const certificateEnd = inBackground(() => readCertificateEnd(config.BASE_URL))
  metrics.gauge('certificate_days_left', () => daysUntil(certificateEnd(), now()))
}

/** The last value that was read, without waiting for one that is read now: the own proxy may be away. */
function inBackground<T>(read: () => Promise<T>): () => T | undefined {
  let last: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt > HOUR_MS) {
      readAt = performance.now()
      read().then(
        (value) => {
          last = value
        },
        () => {
          last = undefined
        },
      )
    }
    return last
  }
}

const daysUntil = (end: Date | null | undefined, now: Date) =>
  end == null ? Number.NaN : (end.getTime() - now.getTime()) / DAY_MS

/** Gauges of one scrape share a reading of the queues, as do concurrent scrapes. */
const LAG_MS = 2000

/**
 * On a distributed database a scrape returns the last reading while the next one is in progress, so it does not
 * wait for a hanging node or a scan of many shards. On a single database readings are fast, and a scrape returns a
 * fresh one. Undefined if the reading failed or none has completed.
 */
export function lastReading<T>(
  { nodes }: { nodes: Pick<Nodes, 'isDistributed'> },
  read: () => Promise<T>,
  keepMs = 0,
): () => Promise<T | undefined> {
  let last: T | undefined
  let hasEnded = false
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T | undefined> | undefined
  const renew = async () => {
    readAt = performance.now()
    last = await read().catch(() => undefined)
    hasEnded = true
    reading = undefined
    return last
  }
  return async () => {
    if (reading === undefined && performance.now() - readAt > keepMs) reading = renew()
    if (reading === undefined || (hasEnded && nodes.isDistributed)) return last
    return withAnswerTimeout(reading).catch(() => last)
  }
}

/** Queues of the whole service; every process reports the same values. */
function observeQueues(metrics: Metrics, service: Service): void {
  const readOnce = lastReading(service, () => readLag(service), LAG_MS)
  const gauge = (name: string, pick: (lag: ServiceLag) => number | null, ifNone = 0) =>
    metrics.gauge(name, () =>
      readOnce().then((lag) => (lag === undefined ? Number.NaN : (pick(lag) ?? ifNone))),
    )
  gauge('worker_heartbeat_age_seconds', (lag) => lag.worker_heartbeat_age_seconds, Number.POSITIVE_INFINITY)
  for (const state of ['scheduled', 'ready', 'running', 'dead'] as const)
    gauge(`jobs_${state}`, ({ jobs }) => jobs[state])
  gauge('jobs_oldest_ready_age_seconds', ({ jobs }) => jobs.oldest_ready_age_seconds)
  gauge('jobs_oldest_dead_age_seconds', ({ jobs }) => jobs.oldest_dead_age_seconds)
  gauge('events_waiting', ({ events }) => events.waiting)
  gauge('events_oldest_waiting_age_seconds', ({ events }) => events.oldest_waiting_age_seconds)
  gauge('events_quarantined', ({ events }) => events.quarantined)
  gauge('events_oldest_quarantined_age_seconds', ({ events }) => events.oldest_quarantined_age_seconds)
  gauge('webhook_deliveries_waiting', ({ webhooks }) => webhooks.waiting)
  gauge(
    'webhook_deliveries_oldest_waiting_age_seconds',
    ({ webhooks }) => webhooks.oldest_waiting_age_seconds,
  )
  gauge('webhook_deliveries_stuck', ({ webhooks }) => webhooks.stuck)
  const dropped = lastReading(service, () => countDropped(service.db))
  metrics.gauge('raw_events_dropped', async () => (await dropped()) ?? Number.NaN)
  const processes = lastReading(service, () => listProcesses(service.db))
  metrics.gauges('service_processes_live', 'role', async () => {
    const live = ((await processes()) ?? []).filter(isLive)
    const count = (role: string) => live.filter((process) => process.role === role).length
    return new Map(['all', 'api', 'worker'].map((role) => [role, count(role)]))
  })
}
