/**
 * The sender of conversions is killed at the worst moments: before it connects to the platform, after the platform
 * accepted a batch but before its response, and just after the response. In the end each platform has the conversions of
 * the ledger, each once. KILLS=50 for the long run, on each platform.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ExportKind } from '../src/connectors/export-rules.ts'
import { sendEvents } from '../src/features/facts/events/contract.ts'
import { createExportDestination } from '../src/features/outgoing/exports/destinations/contract.ts'
import { listPixels } from '../src/features/sources/connections/contract.ts'
import { startTestApp, type TestApp } from './app.ts'
import { type ExportShop, makeExportShop, receivedBy } from './export-shop.ts'
import { triggerSandbox } from './make-shop.ts'
import { createRandom } from './oracle/random.ts'
import { printedSeed } from './seed.ts'
import { until } from './until.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
const phases = ['before', 'after', 'answered'] as const
type Phase = (typeof phases)[number]
type Started = { process: ChildProcess; isReady: Promise<boolean> }

vi.setConfig({ hookTimeout: 120_000 })

const random = createRandom(printedSeed('kill -9 of exports'))
let app: TestApp
let shop: ExportShop
let proxy: Server
let child: ChildProcess | undefined
/** The next sender, started in advance because its start takes longer than its work. */
let spare: Started | undefined
/** Kills the sender at this phase of the next request. */
let armed: { phase: Phase; onKilled: () => void } | undefined
let sentTwice = 0
const forwarded = new Set<string>()

beforeAll(async () => {
  app = await startTestApp()
  proxy = createServer((request, reply) => {
    pass(request, reply).catch(() => reply.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})
afterAll(async () => {
  await kill('SIGTERM')
  child = spare?.process
  await kill('SIGKILL')
  proxy.closeAllConnections()
  proxy.close()
  await app.close()
})

async function pass(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  // The proxy also forwards requests for tokens and accounts.
  const isSending = /\/events$|\/events:ingest$|\/event\/track\/$|\/conversionEvents$/.test(
    request.url!.split('?')[0]!,
  )
  const end = isSending ? armed : undefined
  if (isSending) armed = undefined
  if (end?.phase === 'before') return die(end, reply)
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
  const answer = await fetch(`${app.baseUrl}${request.url}`, {
    method: request.method!,
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
  })
  for (const id of isSending ? idsIn(body.toString()) : []) {
    if (forwarded.has(id)) sentTwice += 1
    forwarded.add(id)
  }
  const text = await answer.text()
  if (end?.phase === 'after') return die(end, reply)
  reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  if (end !== undefined) return die(end, reply)
}

/** Ids of the conversions in a request. */
const idsIn = (body: string) =>
  [...body.matchAll(/"(?:event_id|eventId|transactionId)":"([^"]+)"/g)].map((match) => match[1]!)

async function die(end: { onKilled: () => void }, reply: ServerResponse): Promise<void> {
  await kill('SIGKILL')
  reply.destroy()
  end.onKilled()
}

async function kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const dying = child
  child = undefined
  if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return
  dying.kill(signal)
  await once(dying, 'exit')
}

async function live(): Promise<void> {
  for (let attempt = 1; child === undefined; attempt++) {
    const next = spare ?? boot()
    spare = undefined
    if (await next.isReady) child = next.process
    else if (attempt === 3) throw new Error('The sender does not start')
  }
  child.send('begin')
  spare = boot()
}

/** `isReady` is false if the process exits early, e.g. because a busy machine delays its database connection. */
function boot(): Started {
  const { keys } = app.service.keyring
  const masterKeys = keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',')
  const { port } = proxy.address() as AddressInfo
  const program = new URL('./export-process.ts', import.meta.url)
  const started = fork(program, [app.connectionString, masterKeys, `http://127.0.0.1:${port}`], {
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  })
  const isReady = Promise.race([
    once(started, 'message').then(() => true),
    once(started, 'exit').then(() => false),
  ])
  return { process: started, isReady }
}

/** With a click for each platform that matches by click only. */
async function payMany(count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    event_name: 'payment_received',
    idempotency_key: randomUUID(),
    properties: { value: (random.int(1, 50_000) / 100).toFixed(2), currency: 'EUR' },
    user_traits: { email: `${randomUUID()}@example.com` },
    click_ids: { gclid: randomUUID() },
  }))
  await shop.call(sendEvents, { body: { events } })
  await app.service.processor.settled(shop.profileId)
}

const countQueued = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from conversion_exports where profile_id = ${shop.profileId} and status = 'queued'`.execute(
    app.service.db,
  )
  return rows[0]!.count
}

type Platform = {
  provider: string
  destination(): Promise<Record<string, unknown>>
  /** Reads an event that the imitation received. */
  read(event: Record<string, unknown>): { id: unknown; value: unknown }
}

const platforms: Record<ExportKind, Platform> = {
  shortvideo: {
    provider: 'shortvideo',
    destination: async () => ({ shortvideo_pixel_code: 'CKILL0123456789', access_token: 'pasted' }),
    read: (event) => ({ id: event.event_id, value: (event.properties as { value: number }).value }),
  },
  social: {
    provider: 'social_ads',
    async destination() {
      const { id } = await shop.connected('social_ads')
      const { data } = await shop.call(listPixels, { params: { id } })
      return { connection_id: id, social_pixel_id: data.pixels[0]!.id }
    },
    read: (event) => ({ id: event.event_id, value: (event.custom_data as { value: number }).value }),
  },
  engine: {
    provider: 'engine_ads',
    destination: async () => ({
      connection_id: (await shop.connected('engine_ads')).id,
      engine_conversion_action: '987654321',
    }),
    read: (event) => ({ id: event.transactionId, value: event.conversionValue }),
  },
  microsoft: {
    provider: 'microsoft_ads',
    async destination() {
      const { id } = await shop.connected('microsoft_ads')
      const tag = await triggerSandbox(app, 'microsoft_ads', 'act', { action: 'uet_tag', args: {} })
      return { connection_id: id, microsoft_uet_tag_id: tag.id }
    },
    read: (event) => ({ id: event.eventId, value: (event.customData as { value: number }).value }),
  },
  linkedin: {
    provider: 'linkedin_ads',
    destination: async () => ({
      connection_id: (await shop.connected('linkedin_ads')).id,
      linkedin_conversion_id: '104012',
    }),
    read: (event) => ({
      id: event.eventId,
      value: Number((event.conversionValue as { amount: string }).amount),
    }),
  },
}

describe.each(Object.entries(platforms) as [ExportKind, Platform][])('%s', (kind, platform) => {
  beforeEach(async () => {
    shop = await makeExportShop(app)
    const target = await platform.destination()
    await shop.call(createExportDestination, { body: { kind, ...target } })
    // The first sync of a connection is not needed here.
    await app.service.db.deleteFrom('jobs').where('name', 'not like', 'exports.%').execute()
    sentTwice = 0
  })

  it(
    'receives each conversion of the ledger once, despite kill -9',
    {
      timeout: 60_000 + KILLS * 20_000,
    },
    () => strike(platform),
  )
})

async function strike(platform: Platform): Promise<void> {
  let paymentCount = 0
  for (let round = 0; round < KILLS; round++) {
    const count = random.pick([1, 7, 40])
    await payMany(count)
    paymentCount += count
    const killed = new Promise<void>((onKilled) => {
      armed = { phase: phases[round % phases.length]!, onKilled }
    })
    await live()
    await killed
  }
  await payMany(5)
  await live()
  await until(async () => (await countQueued()) === 0, 50)
  await until(async () => (await openRuns()) === 0, 50)
  const ledger = await sql<{ conversion_id: string; status: string; value_minor: number }>`
    select conversion_id, status, value_minor from conversion_exports where profile_id = ${shop.profileId}
    order by conversion_id`.execute(app.service.db)
  expect(ledger.rows).toHaveLength(paymentCount + 5)
  expect(ledger.rows.filter((row) => row.status !== 'sent')).toEqual([])
  const conversionIds = new Set(ledger.rows.map((row) => row.conversion_id))
  const seen = (await receivedBy(app, platform.provider))
    .map((event) => platform.read(event))
    .map(({ id, value }) => ({ id: String(id), minor: Math.round(Number(value) * 100) }))
    .filter(({ id }) => conversionIds.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(seen).toEqual(ledger.rows.map((row) => ({ id: row.conversion_id, minor: row.value_minor })))
  // A batch that was accepted before the sender died is sent again, and deduplicated.
  expect(sentTwice).toBeGreaterThan(0)
  const announced = await sql<{ runs: number; announced: number; sent: number }>`
    select (select count(*) from export_runs where profile_id = ${shop.profileId}) as runs,
      (select count(*) from outbox_events where profile_id = ${shop.profileId} and type like 'export.%') as announced,
      (select sum(sent) from export_runs where profile_id = ${shop.profileId})::bigint as sent`.execute(
    app.service.db,
  )
  expect(announced.rows[0]).toEqual({
    runs: announced.rows[0]!.announced,
    announced: announced.rows[0]!.announced,
    sent: paymentCount + 5,
  })
  await kill('SIGTERM')
}

async function openRuns(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from export_runs where profile_id = ${shop.profileId} and finished_at is null`.execute(
    app.service.db,
  )
  return rows[0]!.count
}
