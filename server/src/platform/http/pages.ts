/** Serves openapi.json, the documentation, health and metrics. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { mountGuides } from './guide-pages.ts'
import type { Metrics } from './metrics.ts'
import { METRICS_TYPE, metricsStatus } from './metrics-access.ts'
import { pack, packOnce, sendPacked } from './packed-file.ts'
import type { ProxyNotice } from './proxy-notice.ts'
import { type Health, healthAnswer, type Readiness, readyAnswer, readyPaths } from './readiness.ts'
import { descriptionFile } from './reference-document.ts'

export function mountPages(
  app: FastifyInstance,
  parts: {
    service: Service
    metrics: Metrics
    proxyNotice: ProxyNotice
    readiness: Readiness
    health: Health
  },
): void {
  const { service } = parts
  const { BASE_PATH } = service.config
  const description = packOnce(async () => pack(await readDescription(BASE_PATH)))
  app.get('/openapi.json', async (request, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')
    return sendPacked(request, reply, await description())
  })
  app.get('/healthz', async (_request, reply) => {
    const { status, body } = await healthAnswer(parts.health)
    return reply.code(status).send(body)
  })
  for (const [path, use] of readyPaths)
    app.get(path, async (_request, reply) => {
      const { status, body } = readyAnswer(await parts.readiness(use), parts.proxyNotice.warning())
      return reply.code(status).send(body)
    })
  app.get('/metrics', async (request, reply) => {
    switch (metricsStatus(service.config, request.headers)) {
      case 404:
        return reply.callNotFound()
      case 401:
        throw new ApiError('unauthorized', 'Send METRICS_SECRET as Authorization: Bearer.')
      case 200:
        return reply.type(METRICS_TYPE).send(await parts.metrics.render())
    }
  })
  mountGuides(app, BASE_PATH)
}

/** Stored, because generating it takes 150 ms; a test proves that it is up to date. The stored server URL is `/`. */
async function readDescription(basePath: string): Promise<Buffer | string> {
  const stored = await readFile(descriptionFile)
  if (basePath === '') return stored
  return JSON.stringify({ ...JSON.parse(stored.toString('utf8')), servers: [{ url: basePath }] })
}
