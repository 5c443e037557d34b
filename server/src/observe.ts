/** Metrics of the process and of the whole service, in addition to request metrics. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Service } from './context.ts'
import type { ServiceLag } from './features/account/operator/contract.ts'
import { readLag } from './features/account/operator/lag.ts'
import { countDropped } from './features/facts/events/retention/drop-old.ts'
import { withAnswerTimeout } from './platform/db/answer-timeout.ts'
import { poolUsage } from './platform/db/database.ts'
import { nodeAnswered } from './platform/db/node-answers.ts'
import type { DataNode, Nodes } from './platform/db/nodes.ts'
import type { Metrics } from './platform/http/metrics.ts'
import { isLive, listProcesses } from './platform/jobs/live-processes.ts'
import { readBuildId, version } from './platform/version.ts'

export function observeService(metrics: Metrics, service: Service): void {
  observeProcess(metrics, service)
  observeQueues(metrics, service)
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

/** For a distributed database: availability of each node and this process's connections to it. */
function observeNodes(metrics: Metrics, { nodes }: Service): void {
  if (!nodes.isDistributed) return
  const each = (read: (node: DataNode) => number) => async () =>
    new Map(nodes.list().map((node): [string, number] => [node.name, read(node)]))
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
