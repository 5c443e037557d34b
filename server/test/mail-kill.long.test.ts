/**
 * The service is killed while it sends a mail: before it connects to the vendor, after the vendor accepted the mail but
 * before its response, and just after the response. Repeating the request at another process never sends the mail twice.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sendMail } from '../src/features/outgoing/mail/contract.ts'
import { ClientError } from '../src/platform/contract/client.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey } from './make.ts'
import { makeShop, triggerSandbox } from './make-shop.ts'
import { ana, recordOutcome } from './record-outcome.ts'
import { until } from './until.ts'

const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
type Phase = 'before' | 'after' | 'answered'

vi.setConfig({ hookTimeout: 120_000, testTimeout: 120_000 })

let app: TestApp
let proxy: Server
let key: string
let connectionId: string
let child: ChildProcess | undefined
/** Kills the service at this phase of the next mail. */
let armed: Phase | undefined

beforeAll(async () => {
  app = await startTestApp()
  proxy = createServer((request, reply) => {
    pass(request, reply).catch(() => reply.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const shop = await makeShop(app)
  key = await makeKey(app, shop.profileId, ['messages:write'])
  connectionId = (await shop.connected('gmail')).id
  await recordOutcome(app, shop.profileId, 'lead-1')
})
afterAll(async () => {
  await kill()
  proxy.closeAllConnections()
  proxy.close()
  await app.close()
})

async function pass(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const end = request.url!.endsWith('/messages/send') ? armed : undefined
  if (end === 'before') return die(reply)
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
  const answer = await fetch(`${app.baseUrl}${request.url}`, {
    method: request.method!,
    headers: headers as Record<string, string>,
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  })
  const text = await answer.text()
  if (end === 'after') return die(reply)
  reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  if (end === 'answered') await die(reply)
}

async function die(reply: ServerResponse): Promise<void> {
  await kill()
  reply.destroy()
}

async function kill(): Promise<void> {
  const dying = child
  child = undefined
  if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return
  dying.kill('SIGKILL')
  await once(dying, 'exit')
}

/** Starts a second process of the service, which connects to the vendor through the proxy; returns its address. */
async function boot(): Promise<string> {
  const { keys } = app.service.keyring
  const masterKeys = keys.map((masterKey) => `${masterKey.id}:${masterKey.key.toString('base64')}`).join(',')
  const { port } = proxy.address() as AddressInfo
  const program = new URL('./mail-process.ts', import.meta.url)
  child = fork(program, [app.connectionString, masterKeys, `http://127.0.0.1:${port}`], {
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  })
  const [baseUrl] = (await once(child, 'message')) as [string]
  return baseUrl
}

const body = () => ({ connection_id: connectionId, to: [ana.email], subject: 'Plan', text: 'Ready' })
const sent = async () =>
  ((await triggerSandbox(app, 'gmail', 'act', { action: 'sent_mail', args: {} })) as { sent: unknown[] }).sent

/** Retries until the database notices that the killed process is gone and releases its idempotency key. */
async function sendAgain(idempotencyKey: string) {
  let answer: Awaited<ReturnType<typeof send>> | undefined
  const send = () => app.as(key)(sendMail, { body: body(), headers: { 'idempotency-key': idempotencyKey } })
  await until(async () => {
    answer = await send().catch((error: unknown) => {
      if (error instanceof ClientError && error.code === 'idempotency_key_in_flight') return undefined
      throw error
    })
    return answer !== undefined
  })
  return answer!.data
}

it.each([
  ['before the vendor was reached', 0, 'before'],
  ['before it answered', 1, 'after'],
  ['just after its answer', 1, 'answered'],
] as const)('killed %s: the same request leaves %i mail', async (_, count, phase) => {
  const before = (await sent()).length
  const idempotencyKey = randomUUID()
  const baseUrl = await boot()
  armed = phase
  const dying = child!
  await fetch(`${baseUrl}/api/v1/mail/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body()),
  }).catch(() => undefined)
  if (dying.exitCode === null && dying.signalCode === null) await once(dying, 'exit')
  armed = undefined
  const first = await sendAgain(idempotencyKey)
  // If it was killed after the response, the process may have had time to save it.
  if (phase !== 'answered') expect(first.status).toBe('unknown')
  expect(await sendAgain(idempotencyKey)).toMatchObject({ message_id: first.message_id })
  expect(await sent()).toHaveLength(before + count)
})
