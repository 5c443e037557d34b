import { afterAll, describe, expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { shortIt as it, longIt } from '../../../../test/length.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import { until } from '../../../../test/until.ts'
import { createLog } from '../../../platform/log.ts'
import type { IngestStatus } from '../../../platform/ports.ts'
import { createIngest } from './ingest.ts'
import type { NewEvent } from './stored.ts'

const makeEvent = (id: string): NewEvent => ({
  id,
  occurredAt: null,
  receivedAt: new Date(0),
  source: 'api',
  provider: null,
  externalId: null,
  name: 'x',
  anonymousId: null,
  sessionId: null,
  isBot: false,
  contentHash: Buffer.alloc(0),
  body: { identifiers: [] },
})
const makeEvents = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => makeEvent(`${prefix}-${index}`))

type Write = { ids: string[]; end(error?: Error, status?: IngestStatus): void }

/** An ingest whose writes are completed by the test. */
function makeIngest() {
  const writes: Write[] = []
  const begun: PromiseWithResolvers<Write>[] = []
  const announced: string[] = []
  const nth = (index: number) => {
    begun[index] ??= Promise.withResolvers()
    return begun[index]
  }
  const ingest = createIngest(
    (_profileId, events) => {
      const { promise, resolve, reject } = Promise.withResolvers<IngestStatus[]>()
      const end = (error?: Error, status: IngestStatus = 'accepted') =>
        error ? reject(error) : resolve(events.map(() => status))
      const write = { ids: events.map((event) => event.id), end }
      nth(writes.push(write) - 1).resolve(write)
      return promise
    },
    (profileId) => announced.push(profileId),
    createLog('silent'),
  )
  /** Resolves with the nth write once it has started. */
  const nthWrite = (index: number) => nth(index).promise
  return { ingest, writes, announced, nthWrite }
}

describe('one profile', () => {
  it('senders of the same tick share a write, later ones share the next, and each resolves after its own write', async () => {
    const { ingest, writes, nthWrite } = makeIngest()
    const answered: string[] = []
    const send = (id: string) => ingest.add('p', [makeEvent(id)]).then(() => answered.push(id))
    const early = Promise.all([send('a'), send('b')])
    const first = await nthWrite(0)
    const late = Promise.all([send('c'), send('d')])
    expect(answered).toEqual([])
    first.end()
    const second = await nthWrite(1)
    expect(answered).toEqual(['a', 'b'])
    second.end()
    await Promise.all([early, late])
    expect(writes.map((write) => write.ids)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(ingest.waiting()).toBe(0)
  })

  it('two versions of one event are written one after the other, and a sender of both resolves after the last', async () => {
    const { ingest, writes, nthWrite } = makeIngest()
    const sent = ingest.add('p', [makeEvent('a'), makeEvent('b'), makeEvent('a')])
    for (const at of [0, 1]) (await nthWrite(at)).end()
    expect(await sent).toEqual(['accepted', 'accepted', 'accepted'])
    expect(writes.map((write) => write.ids)).toEqual([['a', 'b'], ['a']])
  })

  it('a failed write rejects only its senders, and the next write proceeds', async () => {
    const { ingest, nthWrite } = makeIngest()
    const first = ingest.add('p', [makeEvent('a')])
    const write = await nthWrite(0)
    const second = ingest.add('p', [makeEvent('b')])
    write.end(new Error('disk full'))
    await expect(first).rejects.toThrow('disk full')
    const next = await nthWrite(1)
    next.end()
    expect(await second).toEqual(['accepted'])
  })

  it('a value that the database rejects fails only its sender', async () => {
    const { ingest, writes, nthWrite } = makeIngest()
    const sent = ['a', 'bad', 'c', 'd'].map((id) => ingest.add('p', [makeEvent(id), makeEvent(`${id}-2`)]))
    const answers = Promise.allSettled(sent)
    const refuse = () => Object.assign(new Error('\\u0000 cannot be text'), { code: '22P05' })
    for (let at = 0; at < 5; at++) {
      const write = await nthWrite(at)
      write.end(write.ids.includes('bad') ? refuse() : undefined)
    }
    const accepted = { status: 'fulfilled', value: ['accepted', 'accepted'] }
    expect(await answers).toEqual([accepted, { status: 'rejected', reason: refuse() }, accepted, accepted])
    expect(writes.map((write) => write.ids.length)).toEqual([8, 4, 2, 2, 4])
    await ingest.drain()
  })

  it('the pipeline is notified of a write that changed something, and of no other', async () => {
    const { ingest, announced, nthWrite } = makeIngest()
    const answers = (['unchanged', 'retracted', 'updated', 'accepted'] as const).map(async (status, at) => {
      const sent = ingest.add(status, [makeEvent(status)])
      const write = await nthWrite(at)
      write.end(undefined, status)
      return sent
    })
    await Promise.all(answers)
    expect(announced).toEqual(['updated', 'accepted'])
  })

  it('an empty list is not written', async () => {
    const { ingest, writes } = makeIngest()
    expect(await ingest.add('p', [])).toEqual([])
    expect(writes).toEqual([])
  })
})

it('profiles do not wait for each other', async () => {
  const { ingest, writes, nthWrite } = makeIngest()
  void ingest.add('p', [makeEvent('a')])
  void ingest.add('q', [makeEvent('b')])
  await nthWrite(1)
  expect(writes.map((write) => write.ids)).toEqual([['a'], ['b']])
})

it('a full queue rejects senders with a retry time, and accepts them once it has capacity', async () => {
  const { ingest, nthWrite } = makeIngest()
  const queued = ingest.add('p', makeEvents(50_000, 'held'))
  const rejected = ingest.add('p', [makeEvent('late')])
  await expect(rejected).rejects.toMatchObject({ code: 'service_unavailable', status: 503, retryAfter: 1 })
  for (let at = 0; at < 25; at++) (await nthWrite(at)).end()
  await queued
  const later = ingest.add('p', [makeEvent('late')])
  const last = await nthWrite(25)
  last.end()
  expect(await later).toEqual(['accepted'])
})

describe('over HTTP', () => {
  const apps: TestApp[] = []
  afterAll(async () => {
    for (const app of apps) await app.close()
  })

  async function startSender(env: Record<string, string>) {
    const app = await startTestApp(env)
    apps.push(app)
    const person = await makePerson(app)
    const key = await makeKey(app, await makeProfile(person, await makeWorkspace(person)), ['events:write'])
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const post = (path: string, body: unknown) =>
      fetch(`${app.baseUrl}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { app, post }
  }

  longIt(
    'a blocked database fills the queue: 503 with Retry-After; afterwards all accepted events are stored',
    async ({ skip }) => {
      const { app, post } = await startSender({ INGEST_PER_SECOND: '100000', INGEST_BURST: '100000' })
      skip(app.service.nodes.isDistributed, 'on Citus the lock of a table does not hold up its shards')
      const blocker = await app.pool.connect()
      await blocker.query('begin')
      await blocker.query('lock table event_keys in exclusive mode')
      const events = Array(1000).fill({ event_name: 'x' })
      const sent = Array.from({ length: 50 }, () => post('/events/batch', { events }))
      await until(() => app.service.ingest.waiting() === 50_000)
      const refusal = await post('/events', { event_name: 'x' })
      expect(refusal.status).toBe(503)
      expect(refusal.headers.get('retry-after')).toBe('1')
      expect(await refusal.json()).toMatchObject({ error: { code: 'service_unavailable' } })
      await blocker.query('rollback')
      blocker.release()
      for (const reply of await Promise.all(sent)) expect(reply.status).toBe(202)
      expect((await post('/events', { event_name: 'x' })).status).toBe(202)
      const { rows } = await app.pool.query<{ stored: number }>(
        'select count(*)::int as stored from event_keys',
      )
      expect(rows[0]!.stored).toBe(50_001)
      // 50,000 events on a machine that does other work too.
    },
    240_000,
  )

  it('a profile above its rate limit gets a Retry-After, and can send again after it', async () => {
    const { post } = await startSender({ INGEST_PER_SECOND: '1', INGEST_BURST: '2' })
    const send = () => post('/events', { event_name: 'x' })
    let reply = await send()
    expect(reply.status).toBe(202)
    while (reply.status === 202) reply = await send()
    expect(reply.status).toBe(429)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await reply.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    await until(async () => (await send()).status === 202, 100)
  })

  it('for a rejected batch RateLimit and Retry-After have the same wait, although fewer events would pass', async () => {
    const { post } = await startSender({ INGEST_PER_SECOND: '1', INGEST_BURST: '100' })
    const events = Array.from({ length: 60 }, () => ({ event_name: 'x' }))
    let reply = await post('/events/batch', { events })
    while (reply.status === 202) reply = await post('/events/batch', { events })
    expect(reply.status).toBe(429)
    const [, remaining, wait] = /^"default";r=(\d+);t=(\d+)$/.exec(reply.headers.get('ratelimit')!)!
    expect(Number(remaining)).toBeGreaterThan(0)
    expect(wait).toBe(reply.headers.get('retry-after'))
  })
})
