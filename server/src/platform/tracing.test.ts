import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { makePerson } from '../../test/make.ts'
import { getMe } from './access/contract.ts'
import { startTracing, traced } from './tracing.ts'

type SentSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number; message?: string }
  attributes: { key: string; value: { stringValue?: string } }[]
}

let app: TestApp
let collector: Server
let endpoint: string
const sent: SentSpan[] = []
beforeAll(async () => {
  app = await startTestApp()
  collector = createServer(async (request, reply) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString())
    for (const resource of body.resourceSpans)
      for (const scope of resource.scopeSpans) sent.push(...scope.spans)
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
})
afterAll(async () => {
  collector.closeAllConnections()
  collector.close()
  await app.close()
})

const options = () => ({ endpoint, serviceName: 'whence', ratio: 1, role: 'all' })

it('a request and its statements are one trace, which continues the caller\u2019s trace', async () => {
  const person = await makePerson(app)
  const stop = await startTracing(options())
  const traceId = 'a'.repeat(32)
  await fetch(`${app.baseUrl}/api/v1${getMe.path}`, {
    headers: { authorization: `Bearer ${person.token}`, traceparent: `00-${traceId}-${'b'.repeat(16)}-01` },
  })
  await stop()
  const ofTrace = sent.filter((span) => span.traceId === traceId)
  const request = ofTrace.find((span) => span.name === 'GET /auth/me')
  expect(request?.parentSpanId).toBe('b'.repeat(16))
  const statements = ofTrace.filter((span) => span.name === 'database statement')
  expect(statements.length).toBeGreaterThan(0)
  expect(new Set(statements.map((span) => span.parentSpanId))).toEqual(new Set([request!.spanId]))
  expect(JSON.stringify(ofTrace)).not.toContain(person.email)
})

it('an error is marked, without personal values', async () => {
  sent.length = 0
  const stop = await startTracing(options())
  const failing = traced({ name: 'failing', kind: 'client', attributes: () => ({}) }, async () => {
    throw new Error('no account ana@example.com')
  })
  await expect(failing).rejects.toThrow('ana@example.com')
  await stop()
  expect(sent).toMatchObject([{ name: 'failing', status: { code: 2 } }])
  expect(JSON.stringify(sent)).not.toContain('ana@')
})

it('while tracing is off nothing is recorded and no attributes are computed', async () => {
  sent.length = 0
  const attributes = () => {
    throw new Error('made')
  }
  expect(await traced({ name: 'off', kind: 'client', attributes }, async () => 1)).toBe(1)
  expect(sent).toEqual([])
})
