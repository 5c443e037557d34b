/**
 * The sender of conversions dies at the worst moments: before the platform was reached, after it took a batch and before
 * it answered, and just after its answer. What the platform has in the end is what the ledger says, each conversion
 * once. KILLS=50 for the long run.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sendEvents } from '../src/features/events/contract.ts'
import { createExportDestination } from '../src/features/exports/destinations/contract.ts'
import { startTestApp, type TestApp } from './app.ts'
import { type ExportShop, makeExportShop, receivedBy } from './export-shop.ts'
import { createRandom } from './oracle/random.ts'
import { printedSeed } from './seed.ts'
import { until } from './until.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const phases = ['before', 'after', 'answered'] as const
type Phase = (typeof phases)[number]

vi.setConfig({ hookTimeout: 120_000 })

const random = createRandom(printedSeed('kill -9 of exports'))
let app: TestApp
let shop: ExportShop
let proxy: Server
let child: ChildProcess | undefined
/** The next request meets this end. */
let armed: { phase: Phase; onKilled: () => void } | undefined
let sentTwice = 0
const forwarded = new Set<string>()

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CKILL0123456789', access_token: 'pasted' },
  })
  proxy = createServer((request, reply) => {
    pass(request, reply).catch(() => reply.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})
afterAll(async () => {
  await kill('SIGTERM')
  proxy.closeAllConnections()
  proxy.close()
  await app.close()
})

async function pass(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const end = armed
  armed = undefined
  if (end?.phase === 'before') return die(end, reply)
  const answer = await fetch(`${app.baseUrl}/sandbox/shortvideo${request.url}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'access-token': String(request.headers['access-token']),
    },
    body,
  })
  for (const { event_id: id } of (JSON.parse(body.toString()) as { data: { event_id: string }[] }).data) {
    if (forwarded.has(id)) sentTwice += 1
    forwarded.add(id)
  }
  const text = await answer.text()
  if (end?.phase === 'after') return die(end, reply)
  reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  if (end !== undefined) return die(end, reply)
}

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
  const { keys } = app.service.keyring
  const masterKeys = keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',')
  const { port } = proxy.address() as AddressInfo
  const program = new URL('./export-process.ts', import.meta.url)
  child = fork(program, [app.connectionString, masterKeys, `http://127.0.0.1:${port}`])
  await once(child, 'message')
}

/** Payments in this batch, and what each is worth in cents. */
async function payMany(count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    event_name: 'payment_received',
    idempotency_key: randomUUID(),
    properties: { value: (random.int(1, 50_000) / 100).toFixed(2), currency: 'EUR' },
    user_traits: { email: `${randomUUID()}@example.com` },
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

it('the platform has what the ledger says, each conversion once, wherever kill -9 strikes', {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  let made = 0
  for (let round = 0; round < KILLS; round++) {
    const count = random.pick([1, 7, 40])
    await payMany(count)
    made += count
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
  expect(ledger.rows).toHaveLength(made + 5)
  expect(ledger.rows.filter((row) => row.status !== 'sent')).toEqual([])
  const received = await receivedBy(app, 'shortvideo')
  const seen = received
    .map((event) => ({
      id: String(event.event_id),
      minor: Math.round(Number((event.properties as { value: number }).value) * 100),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(seen).toEqual(ledger.rows.map((row) => ({ id: row.conversion_id, minor: row.value_minor })))
  // A batch that was taken before the sender died is sent again, and recognised.
  expect(sentTwice).toBeGreaterThan(0)
  const told = await sql<{ runs: number; told: number; sent: number }>`
    select (select count(*) from export_runs where profile_id = ${shop.profileId}) as runs,
      (select count(*) from outbox_events where profile_id = ${shop.profileId} and type like 'export.%') as told,
      (select sum(sent) from export_runs where profile_id = ${shop.profileId})::bigint as sent`.execute(
    app.service.db,
  )
  expect(told.rows[0]).toEqual({ runs: told.rows[0]!.told, told: told.rows[0]!.told, sent: made + 5 })
})

async function openRuns(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from export_runs where profile_id = ${shop.profileId} and finished_at is null`.execute(
    app.service.db,
  )
  return rows[0]!.count
}
