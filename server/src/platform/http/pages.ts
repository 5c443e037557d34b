/** Served documents: the API's description, its reference, the error catalogue, health and metrics. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { mountGuides } from './guide-pages.ts'
import { type Html, html } from './html.ts'
import type { Metrics } from './metrics.ts'
import { METRICS_TYPE, metricsStatus } from './metrics-access.ts'
import type { ProxyNotice } from './proxy-notice.ts'
import { type Readiness, readyAnswer, readyPaths } from './readiness.ts'

export const pagePolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'self'; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Built from the same list of routes as the router, and proven fresh by the checks; building it costs 150 ms. */
const description = new URL('../../../../openapi.json', import.meta.url)

const reference = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const assets: Record<string, { file: string; type: string }> = {
  'swagger-ui.css': { file: join(reference, 'swagger-ui.css'), type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': {
    file: join(reference, 'swagger-ui-bundle.js'),
    type: 'text/javascript; charset=utf-8',
  },
}
const referenceStart = (basePath: string) =>
  // Without the list of all schemas, which takes longer to draw than the rest; each operation shows its own.
  `if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode')
window.ui = SwaggerUIBundle({ url: '${basePath}/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true, persistAuthorization: false, defaultModelsExpandDepth: -1 })`

export function mountPages(
  app: FastifyInstance,
  parts: {
    service: Service
    metrics: Metrics
    proxyNotice: ProxyNotice
    readiness: Readiness
  },
): void {
  const { service } = parts
  const { BASE_PATH } = service.config
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await readDescription(BASE_PATH)),
  )
  app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }))
  for (const [path, use] of readyPaths)
    app.get(path, async (_request, reply) => {
      const { status, body } = readyAnswer(await parts.readiness(use))
      const warning = parts.proxyNotice.warning()
      return reply.code(status).send(warning === undefined ? body : { ...body, warning })
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
  mountGuides(app, BASE_PATH, page)
  app.get('/docs/reference', async (_request, reply) => page(reply, referencePage(BASE_PATH)))
  app.get('/docs/assets/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(referenceStart(BASE_PATH)),
  )
  for (const [name, asset] of Object.entries(assets))
    app.get(`/docs/assets/${name}`, async (_request, reply) =>
      reply
        .type(asset.type)
        .header('cache-control', 'public, max-age=86400')
        .send(await readFile(asset.file)),
    )
}

/** The stored description calls the service's root `/`. */
async function readDescription(basePath: string): Promise<Buffer | string> {
  const stored = await readFile(description)
  if (basePath === '') return stored
  return JSON.stringify({ ...JSON.parse(stored.toString('utf8')), servers: [{ url: basePath }] })
}

function page(reply: import('fastify').FastifyReply, body: Html) {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy)
    .send(`<!doctype html>${body.html}`)
}

function referencePage(basePath: string): Html {
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Whence API reference</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${basePath}/docs/assets/swagger-ui.css"><style>.swagger-ui .markdown table{display:block;overflow-x:auto}</style></head>
<body><p style="margin:1rem"><a href="${basePath}/docs">Guides, search and errors</a></p><main id="reference"></main><script src="${basePath}/docs/assets/swagger-ui-bundle.js"></script><script src="${basePath}/docs/assets/start.js"></script></body></html>`
}
