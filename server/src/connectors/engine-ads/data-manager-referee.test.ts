/** Checks our request bodies and the sandbox against Google's official client. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { IngestionServiceClient, protos } from '@google-ads/datamanager'
import { expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { openSession, startSandbox } from '../../../test/sandbox-server.ts'
import { engineAds } from './connector.ts'
import { previewExport } from './exports.ts'

const { IngestEventsRequest } = protos.google.ads.datamanager.v1

const account = { accountId: '1234567890', token: { extra: { loginCustomerId: '99' } }, app: { extra: {} } }
const target = { id: '777', testEventCode: 'T' }
const conversions = [
  makeConversion({
    source: 'website',
    clicks: [{ kind: 'wbraid', id: 'wb', seenAt: '2026-02-27T08:00:00.123Z' }],
    person: {
      ...noPerson,
      emails: ['a@b.example'],
      phones: ['+1555'],
      address: {
        firstName: 'Ana',
        lastName: 'Lee',
        city: null,
        region: null,
        postalCode: '94045',
        country: 'US',
      },
    },
  }),
  makeConversion({ eventId: 'e2', adjustment: 'retract' }),
]

type Json = Record<string, unknown>

/** Times are text in REST, seconds in the message type. */
const withSeconds = (body: Json): Json => ({
  ...body,
  events: (body.events as Json[]).map((event) => ({
    ...event,
    eventTimestamp: { seconds: Math.floor(Date.parse(String(event.eventTimestamp)) / 1000) },
  })),
})

test('every member and every enum value of a body is in the official message type', () => {
  const { bodies } = previewExport(account, target, conversions, new Date(0))
  expect(bodies).toHaveLength(1)
  const body = withSeconds(bodies[0]!)
  const message = IngestEventsRequest.fromObject(body)
  expect(IngestEventsRequest.verify(message)).toBeNull()
  const back = IngestEventsRequest.toObject(message, { enums: String, longs: Number })
  expect(back).toEqual(body)
  // Unknown members are dropped, which the comparison above would detect.
  const strange = IngestEventsRequest.fromObject({ ...body, surprise: 1 })
  expect(IngestEventsRequest.toObject(strange)).not.toHaveProperty('surprise')
})

test('the official client sends to the sandbox and reads its responses', async () => {
  const spec = connectorCases.find(({ connector }) => connector === engineAds)!
  const running = await startSandbox(spec)
  const session = await openSession(spec, running)
  const paths: string[] = []
  // The client supports no path before /v1, so it gets a server with the sandbox at the root.
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const url = new URL(request.url!, 'http://x')
      paths.push(`${request.method} ${url.pathname}`)
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      const reply = await running.sandbox.handle({
        method: request.method!,
        path: url.pathname,
        query: url.searchParams,
        rawQuery: url.search.slice(1),
        headers: { ...headers, authorization: `Bearer ${session.token.accessToken}` },
        body: Buffer.concat(chunks),
        baseUrl: 'http://x',
      })
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new IngestionServiceClient({
    fallback: true,
    protocol: 'http',
    apiEndpoint: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    authClient: anyone as never,
  })
  try {
    const { bodies } = previewExport(session, { ...target, testEventCode: null }, conversions, new Date(0))
    const [{ requestId }] = await client.ingestEvents(withSeconds(bodies[0]!))
    expect(requestId).toMatch(/^t-/)
    running.clock.now = new Date(running.clock.now.getTime() + 30 * 60_000)
    const [status] = await client.retrieveRequestStatus({ requestId: requestId! })
    expect(status.requestStatusPerDestination).toMatchObject([
      { requestStatus: 'SUCCESS', eventsIngestionStatus: { recordCount: '2' } },
    ])
    expect(paths).toEqual(['POST /v1/events:ingest', 'GET /v1/requestStatus:retrieve'])
    await expect(client.retrieveRequestStatus({ requestId: 'unknown' })).rejects.toMatchObject({ code: 3 })
  } finally {
    await client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await running.close()
  }
})

/** The token is added by the server above; the client only needs a fetch implementation. */
const anyone = {
  fetch: (url: string, { method, headers, body }: RequestInit) =>
    fetch(url, { method: method!, headers: headers!, body: body ?? null }),
  getRequestHeaders: async () => new Headers(),
  getUniverseDomain: async () => 'googleapis.com',
  getProjectId: async () => 'project',
}
