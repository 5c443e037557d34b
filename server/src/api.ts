/** The HTTP side of the service: routes, pages, metrics, and graceful shutdown. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pageRoutes, routes } from './app.ts'
import type { Service } from './context.ts'
import { findConnectionToken } from './features/sources/connections/store.ts'
import { clicksWritten } from './features/sources/short-links/clicks.ts'
import { mountMcp } from './mcp/mount.ts'
import { observeService } from './observe.ts'
import { mountConsole } from './platform/http/console-pages.ts'
import { createMetrics, type Metrics } from './platform/http/metrics.ts'
import { mountPages } from './platform/http/pages.ts'
import { createProxyNotice } from './platform/http/proxy-notice.ts'
import { createReadiness, type Health, type Readiness } from './platform/http/readiness.ts'
import { mountSandbox } from './platform/http/sandbox.ts'
import { createServer, type Stage } from './platform/http/server.ts'
import { mountTrackerScript } from './platform/http/tracker-script.ts'
import { createUsageCounter, type UsageCounter } from './platform/http/usage.ts'

const FLUSH_USAGE_MS = 5000
const REFRESH_CLOCK_MS = 500

export type Api = {
  http: FastifyInstance
  metrics: Metrics
  usage: UsageCounter
  readiness: Readiness
  /**
   * Sets readiness to false, waits until load balancers have noticed, then lets requests in flight finish within
   * the time limit.
   */
  close(): Promise<void>
}

export function createApi(service: Service, health: Health = async () => 'ok'): Api {
  const metrics = createMetrics()
  const usage = createUsageCounter(service)
  const proxyNotice = createProxyNotice(service.config, service.log)
  let stage: Stage = 'open'
  const http = createServer({
    service,
    routes,
    pages: pageRoutes,
    metrics,
    usage,
    proxyNotice,
    stage: () => stage,
  })
  const readiness = createReadiness(service, () => stage !== 'open')
  mountPages(http, { service, metrics, proxyNotice, readiness, health })
  mountTrackerScript(http, () => service.clock.machineNow() >= service.timedIdsFrom)
  mountMcp(http, { service, routes, usage })
  if (service.sandbox !== undefined) mountSandbox(http, service, service.sandbox, findConnectionToken)
  mountConsole(http, service.config.BASE_PATH)
  observeService(metrics, service, readiness)
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
    readiness,
    async close() {
      stage = 'draining'
      await delay(service.config.DRAIN_SECONDS * 1000)
      stage = 'stopping'
      for (const timer of timers) clearInterval(timer)
      const late = setTimeout(() => http.server.closeAllConnections(), service.config.SHUTDOWN_SECONDS * 1000)
      await http.close()
      clearTimeout(late)
      await clicksWritten(service)
      await usage
        .flush()
        .catch((error: unknown) => service.log.warn('API usage counts not written', { error }))
    },
  }
}

function every(ms: number, work: () => Promise<void>, service: Service): NodeJS.Timeout {
  const timer = setInterval(() => {
    work().catch((error: unknown) => service.log.warn('periodic task failed', { error }))
  }, ms)
  timer.unref()
  return timer
}
