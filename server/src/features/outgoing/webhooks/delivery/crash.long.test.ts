import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../../../test/database.ts'
import { type Receiver, startReceiver } from '../../../../../test/receiver.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { type OpenDatabase, openDatabase } from '../../../../platform/db/database.ts'
import { mintWebhookSecret } from '../../../../platform/outbound/standard-webhooks.ts'
import { generateMasterKeys, parseMasterKeys } from '../../../../platform/secrets/keyring.ts'
import { seal } from '../../../../platform/secrets/seal.ts'
import { connectionEvent } from '../../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../../facts/outbox/record.ts'
import { attemptDelaysMs } from '../rules.ts'
import { secretCell } from '../subscriptions.ts'

/** 100 events to two subscriptions by default; SCALE=100 for a long run. A sender is killed at least every 3 s. */
const SCALE = Number(process.env.SCALE ?? 1)
const EVENTS = 100 * SCALE
const KILL_AFTER = 80 * SCALE
const KILL_AFTER_MS = 3000 * Math.max(1, 10 / SCALE)
const MAX_LIVES = 40 + 4 * SCALE
const FAILURES_AT_MOST = 3

const masterKeys = generateMasterKeys()
const profileId = uuidv7()
const paths = { first: '/first', second: '/second', deaf: '/deaf' }
let database: ClonedDatabase
let opened: OpenDatabase
let receiver: Receiver

beforeAll(async () => {
  database = await cloneDatabase()
  opened = openDatabase({ connectionString: database.connectionString, max: 5 })
  receiver = await startReceiver(misbehave)
  const workspaceId = uuidv7()
  await opened.pool.query(
    `insert into workspaces (id, name, timezone, plan, acquisition_source, created_at)
     values ($1, 'W', 'UTC', 'starter', 'direct', now())`,
    [workspaceId],
  )
  await opened.pool.query(
    `insert into profiles (id, workspace_id, name, timezone, currency, created_at)
     values ($1, $2, 'P', 'UTC', 'EUR', now())`,
    [profileId, workspaceId],
  )
  await opened.pool.query('insert into webhook_fanouts values ($1, 0)', [profileId])
  for (const [name, path] of Object.entries(paths)) {
    const id = uuidv7()
    const secret = seal(parseMasterKeys(masterKeys), secretCell(profileId, id), mintWebhookSecret())
    const events = name === 'deaf' ? ['connection.revoked'] : ['connection.connected']
    await opened.pool.query(
      `insert into webhook_subscriptions (profile_id, id, url, events, providers, status, secret, opens_contact,
         after_number, created_at, updated_at)
       values ($1, $2, $3, $4, '{platform}', 'active', $5, false, 0, now(), now())`,
      [profileId, id, receiver.url + path, events, secret],
    )
  }
})
afterAll(async () => {
  await receiver.close()
  await opened.close()
  await database.drop()
})

/** Fails the first attempts of most events, in an order per event: an error, a reset, no response; then accepts it. */
const tries = new Map<string, number>()
function misbehave(...[request, reply]: Parameters<Parameters<typeof startReceiver>[0] & object>): void {
  const key = `${request.path} ${request.headers['webhook-id']}`
  const before = tries.get(key) ?? 0
  tries.set(key, before + 1)
  const fate = before >= FAILURES_AT_MOST ? 0 : (key.charCodeAt(key.length - 1) + before) % 5
  if (fate === 1) reply.writeHead(500).end()
  else if (fate === 2) reply.destroy()
  else if (fate !== 3) reply.writeHead(200).end()
}

async function startSender(): Promise<ChildProcess> {
  const program = new URL('../../../../../test/dispatcher-process.ts', import.meta.url)
  const child = fork(program, [database.connectionString, masterKeys])
  const ended = once(child, 'exit').then(() => {
    throw new Error('The sender did not start')
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return child
}

/** If no retry is due, moves the clock to when all are. Returns true once all deliveries are done. */
async function advanceClock(): Promise<boolean> {
  const { rows } = await opened.pool.query<{
    left: number
    due: number
    lagging: boolean
    wait: number | null
  }>(
    `select count(*) filter (where status = 'pending') as left,
       count(*) filter (where status = 'pending' and next_attempt_at <= t.now) as due,
       count(*) < 2 * $2::integer as lagging,
       extract(epoch from max(next_attempt_at) filter (where status = 'pending') - t.now) * 1000 as wait
     from (select clock_timestamp() + coalesce((select max(offset_ms) from service_clock), 0) * interval '1 millisecond' as now) t
     left join webhook_deliveries on profile_id = $1 group by t.now`,
    [profileId, EVENTS],
  )
  const { left, due, lagging, wait } = rows[0]!
  if (!lagging && Number(left) === 0) return true
  if (!lagging && Number(due) === 0)
    await opened.pool.query(
      `insert into service_clock (id, offset_ms) values (1, $1)
       on conflict (id) do update set offset_ms = service_clock.offset_ms + excluded.offset_ms`,
      [Math.ceil(Number(wait)) + 1],
    )
  return false
}

it('every event arrives although its senders are killed repeatedly', async () => {
  const data = { provider: 'cardpay', connection_id: uuidv7(), status: 'connected', reason: null }
  for (let n = 0; n < EVENTS; n += 50)
    await opened.db.transaction().execute((tx) => {
      const events = Array.from({ length: 50 }, () =>
        connectionEvent('connection.connected', profileId, data, new Date()),
      )
      return recordEvents(tx, events, new Date())
    })
  let lives = 0
  for (let done = false; !done && lives < MAX_LIVES; lives++) {
    const sender = await startSender()
    const already = receiver.requests.length
    const dies = Date.now() + KILL_AFTER_MS
    while (!done && receiver.requests.length < already + KILL_AFTER && Date.now() < dies) {
      done = await advanceClock()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    sender.kill('SIGKILL')
    await once(sender, 'exit')
  }
  process.stdout.write(`crash: ${lives} senders, ${receiver.requests.length} requests\n`)
  expect(lives).toBeGreaterThan(2)
  expect(lives).toBeLessThan(MAX_LIVES)

  const { rows: outbox } = await opened.pool.query<{ id: string }>('select id from outbox_events')
  const ids = new Set(outbox.map((row) => row.id))
  expect(ids.size).toBe(EVENTS)
  for (const path of [paths.first, paths.second]) {
    const requests = receiver.requests.filter((request) => request.path === path)
    expect(new Set(requests.map((request) => request.headers['webhook-id']))).toEqual(ids)
    for (const request of requests) expect(JSON.parse(request.body).id).toBe(request.headers['webhook-id'])
  }
  expect(receiver.requests.filter((request) => request.path === paths.deaf)).toEqual([])

  const { rows: deliveries } = await opened.pool.query<{
    status: string
    attempts: { at: string; duration_ms: number; error: string | null }[]
  }>('select status, attempts from webhook_deliveries')
  expect(deliveries).toHaveLength(2 * EVENTS)
  for (const { status, attempts } of deliveries) {
    expect(status).toBe('delivered')
    expect(attempts.map((attempt) => attempt.error === null)).toEqual(
      attempts.map((_, index) => index === attempts.length - 1),
    )
    for (let n = 1; n < attempts.length; n++) {
      const waited = Date.parse(attempts[n]!.at) - Date.parse(attempts[n - 1]!.at)
      expect(waited).toBeGreaterThanOrEqual(0.9 * attemptDelaysMs[n]!)
    }
  }
}, 900_000)
