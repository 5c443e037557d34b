/**
 * The process is killed at random moments under load. A sender that repeats only unacknowledged requests ends up with
 * every event once, every payment once, and exact revenue. KILLS=50 for the long run.
 */
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listPayments } from '../src/features/corrections/payments/contract.ts'
import { getUnattributed, listCampaigns } from '../src/features/insights/reports/contract.ts'
import {
  getTrackingOps,
  issueTrackingKey,
  listTrackedEvents,
} from '../src/features/sources/tracking/contract.ts'
import type { Client } from '../src/platform/contract/client.ts'
import { createCheckedClient } from './answers.ts'
import { freePort } from './free-port.ts'
import { Victim } from './kill-process.ts'
import { leanFetch } from './lean-fetch.ts'
import { createRandom } from './oracle/random.ts'
import { printedSeed } from './seed.ts'
import { makeWirePage } from './wire-page.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const CONNECTIONS = 8
const MAX_ANSWERS_IN_A_LIFE = 120

let dataDir: string
let victim: Victim
let call: Client
let trackingKey: string
let currency: string

vi.setConfig({ hookTimeout: 120_000 })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'whence-kill-'))
  await chmod(dataDir, 0o755)
  victim = new Victim(dataDir, await freePort())
  await victim.start()
  call = createCheckedClient({ baseUrl: victim.baseUrl, token: victim.apiKey })
  trackingKey = (await call(issueTrackingKey)).data.key
  const { meta } = await call(getUnattributed, { query: days() })
  currency = String(meta.currency)
})
afterAll(async () => {
  await victim.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

function days() {
  const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10)
  return { date_from: day(-3), date_to: day(2) }
}

/** A request and its expected result: number of events, and the value of each payment in hundredths. */
type Request = { path: string; body: unknown; events: number; payments: number[] }

const random = createRandom(printedSeed('kill -9'))

function nextRequest(): Request {
  const cents = random.int(1, 50_000)
  const who = { anonymous_id: `visitor-${random.int(1, 40)}` }
  const pay = (value: number) => ({
    event_name: 'payment_received',
    idempotency_key: randomUUID(),
    properties: { value: (value / 100).toFixed(2), currency },
    ...who,
  })
  const visit = () => ({ event_name: 'visit', idempotency_key: randomUUID(), ad: { ad_id: 'A1' }, ...who })
  switch (random.pick(['payment', 'payment', 'visit', 'batch', 'card', 'page'] as const)) {
    case 'payment':
      return { path: '/api/v1/events', body: pay(cents), events: 1, payments: [cents] }
    case 'visit':
      return { path: '/api/v1/events', body: visit(), events: 1, payments: [] }
    case 'batch': {
      const values = Array.from({ length: random.int(1, 8) }, () => random.int(1, 50_000))
      const events = [...values.map(pay), visit()]
      return { path: '/api/v1/events/batch', body: { events }, events: events.length, payments: values }
    }
    case 'card': {
      const body = { payment_id: randomUUID(), value: (cents / 100).toFixed(2), currency, customer: who }
      return { path: '/api/v1/payments/cardgateway', body, events: 1, payments: [cents] }
    }
    case 'page':
      return {
        path: '/api/tracking/collect',
        body: { key: trackingKey, events: [pageOf(who.anonymous_id)] },
        events: 1,
        payments: [],
      }
  }
}

function pageOf(anonymous_id: string) {
  const now = new Date().toISOString()
  return makeWirePage({
    event_id: randomUUID(),
    occurred_at: now,
    sent_at: now,
    anonymous_id,
    ad: { ad_id: 'A2' },
  })
}

/** Sends on every connection until the process is killed after some responses, or until everything is sent. */
class Senders {
  readonly acknowledged: Request[] = []
  private readonly waiting: Request[] = []

  async run(answersBeforeKill: number): Promise<void> {
    let answers = 0
    let killed: Promise<void> | undefined
    const connection = async () => {
      while (killed === undefined) {
        const request = this.waiting.pop() ?? nextRequest()
        if (await this.isAcknowledged(request)) {
          this.acknowledged.push(request)
          answers += 1
        } else this.waiting.push(request)
        if (answers >= answersBeforeKill) killed ??= victim.kill()
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    await killed
  }

  async drain(): Promise<void> {
    for (let request = this.waiting.pop(); request !== undefined; request = this.waiting.pop()) {
      expect(await this.isAcknowledged(request)).toBe(true)
      this.acknowledged.push(request)
    }
  }

  private async isAcknowledged({ path, body }: Request): Promise<boolean> {
    const reply = await leanFetch(`${victim.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${victim.apiKey}`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      },
      body: JSON.stringify(body),
    }).catch(() => undefined)
    if (reply === undefined) return false
    if (reply.status === 202) return true
    // Only transient refusals are allowed.
    expect([429, 503], await reply.text()).toContain(reply.status)
    return false
  }
}

type Page = { pagination?: unknown; data: unknown[] }

async function readAll<T>(readPage: (cursor: { cursor?: string }) => Promise<Page>): Promise<T[]> {
  const rows: unknown[] = []
  let cursor: string | null = null
  do {
    const page: Page = await readPage(cursor === null ? {} : { cursor })
    rows.push(...page.data)
    cursor = (page.pagination as { cursor: string | null }).cursor
  } while (cursor !== null)
  return rows as T[]
}

it('no acknowledged event is lost and no money counts twice, despite kill -9', {
  timeout: 60_000 + KILLS * 60_000,
}, async () => {
  const senders = new Senders()
  for (let kill = 0; kill < KILLS; kill++) {
    await senders.run(random.int(1, MAX_ANSWERS_IN_A_LIFE))
    await victim.start()
  }
  await senders.drain()
  await vi.waitFor(async () => expect((await call(getTrackingOps)).data.waiting).toBe(0), {
    timeout: 50_000,
    interval: 50,
  })
  const { acknowledged } = senders
  const cents = acknowledged.flatMap((request) => request.payments)
  const times = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', limit: '200' }
  const payments = await readAll<{ value: number; payment_id: string }>((cursor) =>
    call(listPayments, { query: { ...times, ...cursor } }),
  )
  expect(payments.map((row) => Math.round(row.value * 100)).sort((a, b) => a - b)).toEqual(
    cents.toSorted((a, b) => a - b),
  )
  const events = await readAll<{ id: string }>((cursor) =>
    call(listTrackedEvents, { query: { limit: '200', ...cursor } }),
  )
  const sent = acknowledged.reduce((sum, request) => sum + request.events, 0)
  expect(new Set(events.map((row) => row.id)).size).toBe(sent)
  expect(events.length).toBe(sent)
  const revenue = cents.reduce((sum, value) => sum + value, 0) / 100
  for (const model of ['last_touch', 'linear', 'time_decay'] as const) {
    const { data, meta } = await call(listCampaigns, { query: { ...days(), model, level: 'ad' } })
    const unattributed = await call(getUnattributed, { query: { ...days(), model, level: 'ad' } })
    expect(meta.reconciliation).toMatchObject({ total: revenue, delta: 0 })
    const rows = data.reduce((sum, row) => sum + Math.round(row.outcome_value! * 100), 0)
    expect(rows + Math.round(unattributed.data.outcome_value! * 100)).toBe(Math.round(revenue * 100))
  }
})
