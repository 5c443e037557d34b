/** The HTTP side of the service: routes, pages, metrics, and their orderly end. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { pageRoutes, routes } from './app.ts'
import type { Service } from './context.ts'
import { poolStanding } from './db/database.ts'
import { countQuarantined } from './features/events/quarantine.ts'
import { mountConsole } from './http/console-pages.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { mountPageRoutes } from './http/page-route.ts'
import { mountPages } from './http/pages.ts'
import { mountSandbox } from './http/sandbox.ts'
import { createServer } from './http/server.ts'
import { mountTrackerScript } from './http/tracker-script.ts'
import { createUsageCounter, type UsageCounter } from './http/usage.ts'
import { countJobs } from './jobs/dead.ts'

const FLUSH_USAGE_MS = 5000
const REFRESH_CLOCK_MS = 500

export type Api = {
  http: FastifyInstance
  metrics: Metrics
  usage: UsageCounter
  /** Readiness off, then in-flight requests finish, as far as they do so in time. */
  close(): Promise<void>
}

export function createApi(service: Service): Api {
  const metrics = createMetrics()
  const usage = createUsageCounter(service)
  let ready = true
  const http = createServer({ service, routes, metrics, usage, isStopping: () => !ready })
  mountPages(http, { service, metrics, isReady: () => ready })
  mountTrackerScript(http)
  mountPageRoutes(http, service, pageRoutes)
  if (service.sandbox !== undefined) mountSandbox(http, service, service.sandbox)
  mountConsole(http)
  observeProcess(metrics, service)
  observeJobs(metrics, service)
  observeEvents(metrics, service)
  const timers = [
    every(FLUSH_USAGE_MS, () => usage.flush(), service),
    ...(service.config.SANDBOX
      ? [every(REFRESH_CLOCK_MS, () => service.clock.refresh(service.db), service)]
      : []),
  ]
  return {
    http,
    metrics,
    usage,
    async close() {
      ready = false
      for (const timer of timers) clearInterval(timer)
      const late = setTimeout(() => http.server.closeAllConnections(), service.config.SHUTDOWN_SECONDS * 1000)
      await http.close()
      clearTimeout(late)
      await usage.flush().catch((error: unknown) => service.log.warn('usage not flushed', { error }))
    },
  }
}

function every(ms: number, work: () => Promise<void>, service: Service): NodeJS.Timeout {
  const timer = setInterval(() => {
    work().catch((error: unknown) => service.log.warn('periodic work failed', { error }))
  }, ms)
  timer.unref()
  return timer
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
    metrics.gauge(`database_pool_${part}`, () => poolStanding(service.db)[part])
  metrics.gauge('process_resident_memory_bytes', () => process.memoryUsage.rss())
  metrics.gauge('nodejs_eventloop_utilization', () => performance.eventLoopUtilization().utilization)
}

function observeEvents(metrics: Metrics, service: Service): void {
  metrics.gauge('events_quarantined', () => countQuarantined(service.db).catch(() => Number.NaN))
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
