import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeOwnProfile, sessionOf } from '../../../test/make.ts'
import { routes } from '../../app.ts'
import { publishedEvents } from '../../features/outgoing/webhooks/published-events.ts'
import { signIn, signUp } from '../access/contract.ts'
import { errorCatalogue } from '../contract/error-catalogue.ts'
import { version } from '../version.ts'
import { createMetrics } from './metrics.ts'
import { toOpenApi } from './openapi.ts'
import { createProxyNotice } from './proxy-notice.ts'
import { readSchemaNames } from './schema-names.ts'
import { createServer, type Stage } from './server.ts'
import { createUsageCounter } from './usage.ts'
import { writeJson } from './write-json.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const ana = { email: 'Ana@Example.com', password: 'correct horse battery', name: 'Ana' }

it('signs a person up, and the session can read its own data', async () => {
  const { data } = await app.as()(signUp, { body: ana })
  const me = await fetch(`${app.baseUrl}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${data.token}` },
  })
  expect(await me.json()).toMatchObject({ data: { email: ana.email, name: 'Ana' } })
  const again = await app.as()(signIn, { body: { email: 'ana@example.com', password: ana.password } })
  expect(sessionOf(again.data).user).toEqual(data.user)
})

it('returns the error envelope for an unknown path', async () => {
  const reply = await fetch(`${app.baseUrl}/api/v1/nowhere`)
  expect(reply.status).toBe(404)
  const { error } = (await reply.json()) as { error: Record<string, unknown> }
  expect(error).toMatchObject({
    code: 'not_found',
    status: 404,
    docs_url: expect.stringContaining('/docs/errors#not_found'),
  })
  expect(reply.headers.get('x-request-id')).toBe(error.request_id)
})

it.each([
  ['{"a":', 400, 'invalid_request'],
  ['[]', 400, 'invalid_request'],
  [`${'['.repeat(33)}${']'.repeat(33)}`, 400, 'invalid_request'],
  ['{"email":"\\u0000a@b.co","password":"xxxxxxxxxxxxxxxx","name":"A"}', 400, 'invalid_request'],
  ['{"email":"a@b.co","password":"xxxxxxxxxxxxxxxx","name":"\\ud800"}', 400, 'invalid_request'],
  ['{"email":"a@b.co","password":"xxxxxxxxxxxxxxxx","name":1e400}', 400, 'invalid_request'],
  ['{"email":"a@b.co","password":"xxxxxxxxxxxxxxxx","name":"A","__proto__":{}}', 400, 'invalid_request'],
  ['{"email":"a@b.co","password":"xxxxxxxxxxxxxxxx","name":"A","more":1}', 422, 'validation_error'],
  ['{"email":"a@b.co","password":"short","name":"A"}', 422, 'weak_password'],
])('refuses the body %s', async (body, status, code) => {
  const reply = await fetch(`${app.baseUrl}/api/v1/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
    status,
    code,
  ])
})

it('returns the invalid field and the violated rule as data', async () => {
  const { key } = await makeOwnProfile(app, ['campaigns:read'])
  const reply = await fetch(
    `${app.baseUrl}/api/v1/campaigns?date_from=2026-05-01&date_to=2026-05-02&limit=x`,
    {
      headers: { authorization: `Bearer ${key}` },
    },
  )
  const { error } = (await reply.json()) as { error: Record<string, unknown> }
  expect(error).toMatchObject({ field: 'limit', rule: expect.any(String), problem: expect.any(String) })
  expect(error.message).toBe(`${error.field}: ${error.problem}`)
})

it('rejects an unknown query parameter and suggests the closest name', async () => {
  const listCampaigns = async (query: string) => {
    const { key } = await ownProfile
    const reply = await fetch(`${app.baseUrl}/api/v1/campaigns?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { error } = (await reply.json()) as { error?: { code: string; message: string } }
    return [reply.status, error?.code, error?.message]
  }
  const ownProfile = makeOwnProfile(app, ['campaigns:read'])
  const range = 'date_from=2026-05-01&date_to=2026-05-02'
  expect(await listCampaigns(`${range}&modle=linear`)).toEqual([
    400,
    'invalid_parameter',
    'modle: unknown query parameter; did you mean model?',
  ])
  expect((await listCampaigns(`${range}&colour=red`))[2]).toMatch(
    /^colour: unknown query parameter; valid names are date_from,/,
  )
  expect(await listCampaigns(`${range}&model=linear`)).toEqual([200, undefined, undefined])
  const none = await fetch(`${app.baseUrl}/api/v1/auth/options?x=1`)
  expect(none.status).toBe(400)
  // Pages and the collector ignore unknown parameters, because others build those links.
  expect((await fetch(`${app.baseUrl}/docs?utm_source=mail`)).status).toBe(200)
})

it('reports invalid JSON before checking its numbers', async () => {
  const reply = await fetch(`${app.baseUrl}/api/v1/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: 'number=12345678901234567890',
  })
  expect(await reply.json()).toMatchObject({ error: { message: 'The body is not valid JSON.' } })
})

it('serves openapi.json, the reference and one anchor per error code', async () => {
  const described = await (await fetch(`${app.baseUrl}/openapi.json`)).text()
  const entries = routes.map((route) => route.entry)
  const schemaNames = await readSchemaNames()
  const fresh = writeJson(toOpenApi(entries, { version, schemaNames, events: publishedEvents }))
  expect(described === `${fresh}\n`, 'npm run generate').toBe(true)
  expect((await fetch(`${app.baseUrl}/docs`)).status).toBe(200)
  const errors = await (await fetch(`${app.baseUrl}/docs/errors`)).text()
  for (const code of Object.keys(errorCatalogue)) expect(errors).toContain(`id="${code}"`)
  expect(errors.match(/What to do:/g)).toHaveLength(Object.keys(errorCatalogue).length)
  expect((await fetch(`${app.baseUrl}/readyz`)).status).toBe(200)
})

it('counts responses by route, method and status, including unmatched ones', async () => {
  for (const path of ['/healthz', '/healthz', '/api/v1/campaigns']) await fetch(`${app.baseUrl}${path}`)
  await fetch(`${app.baseUrl}/api/v1/nowhere`, { method: 'POST' })
  const text = await (await fetch(`${app.baseUrl}/metrics`)).text()
  for (const [labels, least] of [
    ['method="GET",route="/healthz",status="200"', 2],
    ['method="POST",route="unmatched",status="404"', 1],
    ['method="GET",route="/api/v1/campaigns",status="401"', 1],
  ] as const) {
    const line = text.split('\n').find((each) => each.startsWith(`http_requests_total{${labels}} `))
    expect(Number(line?.split(' ').at(-1)), labels).toBeGreaterThanOrEqual(least)
  }
})

it('reports requests, latency, the pool, jobs and the event loop to operators', async () => {
  const text = await (await fetch(`${app.baseUrl}/metrics`)).text()
  for (const name of [
    'http_requests_total{',
    'http_request_duration_seconds_bucket{',
    'database_pool_open ',
    'jobs_ready ',
    'nodejs_eventloop_lag_p99_seconds ',
  ])
    expect(text).toContain(`\n${name}`)
})

const withoutRoutes = (stage: () => Stage, log = app.service.log) => ({
  service: { ...app.service, log },
  routes: [],
  pages: [],
  metrics: createMetrics(),
  usage: createUsageCounter(app.service),
  proxyNotice: createProxyNotice(app.service.config, log),
  stage,
})

it('closes connections while draining, so that a proxy does not reuse them for requests that would be refused', async () => {
  let stage: Stage = 'open'
  const lines: string[] = []
  const log = { ...app.service.log, error: (message: string) => lines.push(message) }
  const http = createServer(withoutRoutes(() => stage, log))
  const requestAt = async (at: Stage) => {
    stage = at
    const { statusCode, headers } = await http.inject('/nowhere')
    return [statusCode, headers.connection, headers['retry-after']]
  }
  expect(await requestAt('open')).toEqual([404, 'keep-alive', undefined])
  expect(await requestAt('draining')).toEqual([404, 'close', undefined])
  expect(await requestAt('stopping')).toEqual([503, 'close', '1'])
  expect(lines).toEqual([])
  await http.close()
})

it('a route with a schema of the framework stops the start', async () => {
  const http = createServer(withoutRoutes(() => 'open'))
  http.get('/described', { schema: { querystring: { type: 'object' } } }, async () => 'never')
  await expect(http.ready()).rejects.toThrow(/described in its contract/)
})
