/** The HTTP side of the service: routes, pages, metrics, and their orderly end. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pageRoutes, routes } from './app.ts'
import type { Service } from './context.ts'
import { mountConsole } from './http/console-pages.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { mountPageRoutes } from './http/page-route.ts'
import { mountPages } from './http/pages.ts'
import { createProxyNotice } from './http/proxy-notice.ts'
import { createReadiness, type NotReady } from './http/readiness.ts'
import { mountSandbox } from './http/sandbox.ts'
import { createServer } from './http/server.ts'
import { mountTrackerScript } from './http/tracker-script.ts'
import { createUsageCounter, type UsageCounter } from './http/usage.ts'
import { observeService } from './observe.ts'

const FLUSH_USAGE_MS = 5000
const REFRESH_CLOCK_MS = 500

export type Api = {
  http: FastifyInstance
  metrics: Metrics
  usage: UsageCounter
  readiness: () => Promise<NotReady | null>
  /** Readiness off; once nobody sends any more, in-flight requests finish, as far as they do so in time. */
  close(): Promise<void>
}

export function createApi(service: Service): Api {
  const metrics = createMetrics()
  const usage = createUsageCounter(service)
  const proxyNotice = createProxyNotice(service.config, service.log)
  let standing: 'open' | 'draining' | 'stopping' = 'open'
  const http = createServer({
    service,
    routes,
    metrics,
    usage,
    proxyNotice,
    isStopping: () => standing === 'stopping',
  })
  const readiness = createReadiness(service, () => standing !== 'open')
  mountPages(http, { service, metrics, proxyNotice, readiness })
  mountTrackerScript(http)
  mountPageRoutes(http, service, pageRoutes)
  if (service.sandbox !== undefined) mountSandbox(http, service, service.sandbox)
  mountConsole(http)
  observeService(metrics, service)
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
      standing = 'draining'
      await delay(service.config.DRAIN_SECONDS * 1000)
      standing = 'stopping'
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
