/** What /metrics shows of a process and its jobs, besides the requests it answered. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Service } from './context.ts'
import { poolUsage } from './db/database.ts'
import { nodeAnswers } from './db/node-answers.ts'
import type { DataNode } from './db/nodes.ts'
import { countQuarantined } from './features/events/quarantine.ts'
import { countDropped } from './features/events/retention/drop-old.ts'
import type { Metrics } from './http/metrics.ts'
import { countJobs } from './jobs/dead.ts'

export function observeService(metrics: Metrics, service: Service): void {
  observeProcess(metrics, service)
  observeJobs(metrics, service)
  observeEvents(metrics, service)
}

function observeProcess(metrics: Metrics, service: Service): void {
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

/** Of a distributed database: which node answers, and how many connections this process has to it. */
function observeNodes(metrics: Metrics, { nodes }: Service): void {
  if (!nodes.isDistributed) return
  const each = (read: (node: DataNode) => number | Promise<number>) => async () =>
    new Map(
      await Promise.all(
        nodes.list().map(async (node): Promise<[string, number]> => [node.name, await read(node)]),
      ),
    )
  metrics.gauges(
    'database_node_up',
    'node',
    each(async (node) => Number(await nodeAnswers(node))),
  )
  metrics.gauges(
    'database_node_connections',
    'node',
    each((node) => poolUsage(node.db).open),
  )
}

function observeJobs(metrics: Metrics, service: Service): void {
  for (const state of ['scheduled', 'ready', 'running', 'dead'] as const) {
    metrics.gauge(`jobs_${state}`, () =>
      countJobs(service.db).then(
        (counts) => counts[state],
        () => Number.NaN,
      ),
    )
  }
}

function observeEvents(metrics: Metrics, service: Service): void {
  metrics.gauge('events_quarantined', () => countQuarantined(service.db).catch(() => Number.NaN))
  metrics.gauge('raw_events_dropped', () => countDropped(service.db).catch(() => Number.NaN))
}
