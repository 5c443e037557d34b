/**
 * Direct responses must equal the framework's. Both get the same bytes on a real socket: a path with a percent-encoded
 * letter reaches the same route through the framework, but does not match the direct routes.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import {
  type Case,
  cases,
  DIRECT,
  event,
  FRAMEWORK,
  type Head,
  type Keys,
  type Paths,
  request,
} from '../../../test/ingest-requests.ts'
import { makeKey, makeOwnProfile, startTestProfile } from '../../../test/make.ts'
import { issueTrackingKey } from '../../features/sources/tracking/contract.ts'
import { lookupHash } from '../secrets/tokens.ts'
import { mountFastPath } from './direct.ts'
import type { Incoming, Outgoing } from './exchange.ts'

let app: TestApp
let profileId: string
/** Separate keys for each path, so that the counts per key can be compared. */
let directKeys: Keys
let frameworkKeys: Keys
beforeAll(async () => {
  const scopes = ['events:write', 'tracking:write'] as const
  const profile = await startTestProfile(scopes)
  ;({ app, profileId } = profile)
  const unscoped = await makeKey(app, profileId, ['campaigns:read'])
  const tracking = (await profile.call(issueTrackingKey)).data.key
  const keys = async (): Promise<Keys> => ({
    own: await makeKey(app, profileId, scopes),
    other: (await makeOwnProfile(app, scopes)).key,
    unscoped,
    tracking,
  })
  directKeys = await keys()
  frameworkKeys = await keys()
})
afterAll(() => app.close())

type Answer = { status: string; headers: Record<string, string>; body: string }

/** Collects `answers` responses, or fewer if the connection ends. */
async function exchange(text: string, answers = 1): Promise<Answer[]> {
  const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let received = ''
  const answersRead: Answer[] = []
  const ended = new Promise<void>((resolve) => {
    const take = (isEnd: boolean) => {
      for (let next = takeAnswer(received, isEnd); next !== undefined; next = takeAnswer(received, isEnd)) {
        received = next.rest
        answersRead.push(next.answer)
      }
      if (isEnd || answersRead.length >= answers) resolve()
    }
    socket.on('close', () => take(true))
    socket.on('data', (part) => {
      received += part.toString('latin1')
      take(false)
    })
  })
  socket.write(text, 'latin1')
  await ended
  socket.destroy()
  return answersRead
}

/** When the connection ends, the body may be shorter than announced, as after HEAD. */
function takeAnswer(text: string, isEnd: boolean): { answer: Answer; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [status = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers['content-length'] ?? 0)
  const body = text.slice(end + 4, end + 4 + length)
  if (body.length < length && !isEnd) return undefined
  return { answer: { status, headers, body }, rest: text.slice(end + 4 + length) }
}

/** Removes values that differ between requests. */
function comparable({ status, headers, body }: Answer) {
  const {
    date,
    ratelimit,
    'x-ratelimit-remaining': remaining,
    'content-length': length,
    ...otherHeaders
  } = headers
  const isOwn = otherHeaders['x-request-id']?.startsWith('req_aaaa')
  const without = (text: string) =>
    text
      .replace(/req_[a-z2-7]{20}/g, (id) => (isOwn ? id : 'req_'))
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
      .replace(/%65|%62|%63/g, (letter) => decodeURIComponent(letter))
  return {
    status,
    headers: {
      ...otherHeaders,
      'x-request-id': otherHeaders['x-request-id'] && without(otherHeaders['x-request-id']),
    },
    present: {
      date: date !== undefined,
      ratelimit: ratelimit !== undefined,
      remaining: remaining !== undefined,
    },
    isWhole: length === String(body.length),
    body: without(body),
  }
}

async function answersTo(bytes: ReturnType<Case>) {
  const [sent, answers] = typeof bytes === 'string' ? [bytes, 1] : bytes
  return (await exchange(sent, answers)).map(comparable)
}

/** Metrics of the three routes, without time-dependent ones. */
async function counted(): Promise<Record<string, number>> {
  const lines = (await (await fetch(`${app.baseUrl}/metrics`)).text()).split('\n')
  return Object.fromEntries(
    lines
      .filter(
        (line) =>
          /^http_request\S+route="\/api\/(v1\/events|tracking)/.test(line) && !/_bucket|_sum/.test(line),
      )
      .map((line): [string, number] => [
        line.slice(0, line.lastIndexOf(' ')),
        Number(line.split(' ').at(-1)),
      ]),
  )
}

describe('status, headers and body are the same', () => {
  it.each(Object.keys(cases))('%s', async (name) => {
    const direct = await answersTo(cases[name]!(DIRECT, directKeys))
    expect(direct.length).toBeGreaterThan(0)
    expect(direct).toEqual(await answersTo(cases[name]!(FRAMEWORK, frameworkKeys)))
  })

  it('of any mixture', async () => {
    const heads = fc.record(
      {
        'content-type': fc.constantFrom(
          'application/json',
          'application/json;charset=UTF-8',
          'text/plain',
          'x',
          '',
        ),
        authorization: fc.constantFrom('own', 'other', 'unscoped', 'Basic eDp5', 'Bearer', ''),
        'idempotency-key': fc.constantFrom('a', '', 'b c', '\x7f'),
        'x-forwarded-for': fc.constantFrom('203.0.113.9', '2001:db8::1', 'x', ''),
        'user-agent': fc.string({ maxLength: 20, unit: 'grapheme-ascii' }),
        expect: fc.constantFrom('100-continue', 'x'),
        connection: fc.constantFrom('close', 'keep-alive', 'Keep-Alive, x'),
      },
      { requiredKeys: [] },
    )
    const bodies = fc.oneof(
      fc.constant(event()),
      fc.constant(`{"events":[${event()}]}`),
      fc.json(),
      fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    )
    const paths = fc.constantFrom('events', 'batch', 'collect')
    await fc.assert(
      fc.asyncProperty(paths, heads, bodies, async (path, head, body) => {
        const to = (target: Paths, keys: Keys) => {
          const token = keys[head.authorization as keyof Keys]
          const sent = token === undefined ? head : { ...head, authorization: `Bearer ${token}` }
          return request(target[path as keyof Paths], sent as Head, body)
        }
        const answers = head.expect === '100-continue' ? 2 : 1
        const direct = await exchange(to(DIRECT, directKeys), answers)
        const framework = await exchange(to(FRAMEWORK, frameworkKeys), answers)
        expect(direct.map(comparable)).toEqual(framework.map(comparable))
      }),
      { numRuns: 60 },
    )
  })
})

it('metrics, key usage and recorded refusals are the same', async () => {
  const rejected = ['no JSON', 'money without a key', 'a list']
  const names = [
    'an event',
    'a batch',
    'a page view',
    'no credential',
    'no JSON in the collector',
    ...rejected,
  ]
  const send = async (paths: Paths, keys: Keys, letter: string) => {
    const before = await counted()
    const key = await makeKey(app, profileId, ['events:write'])
    const id = `req_${letter.repeat(20)}`
    for (const name of names)
      await exchange(
        (cases[name]!(paths, { ...keys, own: key }) as string).replace(
          'host: x',
          `host: x\r\nx-request-id: ${id}`,
        ),
      )
    const { db, keyring } = app.service
    const usage = () =>
      sql<{ route: string; requests: number; errors: number }>`
      select route, requests::int, errors::int from api_usage
      where credential_id = (select id from credentials where lookup_hash = ${lookupHash(keyring, key)})
      order by route`.execute(db)
    const refusals = () =>
      sql<{ code: string; message: string }>`
      select code, message from refused_events where request_id = ${id} order by code, message`.execute(db)
    const requests = async () => (await usage()).rows.reduce((sum, row) => sum + row.requests, 0)
    await expect.poll(requests, { timeout: 20_000 }).toBe(2 + rejected.length)
    await expect
      .poll(async () => (await refusals()).rows.length, { timeout: 20_000 })
      .toBe(2 + rejected.length)
    const after = await counted()
    return {
      counts: Object.fromEntries(
        Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
      ),
      usage: (await usage()).rows,
      refusals: (await refusals()).rows,
    }
  }
  const direct = await send(DIRECT, directKeys, 'a')
  expect(Object.values(direct.counts).filter((count) => count > 0).length).toBeGreaterThan(4)
  expect(direct).toEqual(await send(FRAMEWORK, frameworkKeys, 'b'))
})

it('only plain requests bypass the framework', async () => {
  const seen: string[] = []
  const config = { ...app.service.config, BASE_PATH: '/whence' }
  const never = () => Promise.reject(new Error('not admitted'))
  const respond = async (_request: Incoming, reply: Outgoing) => void reply.send('direct')
  const server = createServer(
    mountFastPath(
      {
        service: { ...app.service, config },
        hooks: {
          begin: () => undefined,
          toSend: (_request, _reply, body) => `${String(body)}, passed`,
          observer: () => () => {},
        },
        runInBatch: (work) => work(),
        requestIdOf: () => 'req_',
      },
      [
        {
          path: '/direct',
          bodyLimit: 10,
          admit: () => undefined,
          respond,
          answered: () => {},
        },
        { path: '/refused', bodyLimit: 10, admit: never, respond, answered: () => {} },
      ],
      (message, response) => {
        seen.push(message.method!)
        response.end('framework')
      },
    ),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const readText = async (path: string, { method = 'POST', type = 'application/json', body = '{}' } = {}) => {
    const init = method === 'GET' ? { method } : { method, body, headers: { 'content-type': type } }
    return (await fetch(`${base}${path}`, init)).text()
  }
  try {
    expect(await readText('/direct')).toBe('direct, passed')
    expect(await readText('/whence/direct')).toBe('direct, passed')
    expect(await readText('/direct', { type: 'text/plain;charset=UTF-8' })).toBe('direct, passed')
    expect(JSON.parse((await readText('/refused')).replace(', passed', ''))).toMatchObject({
      error: { code: 'internal_error' },
    })
    expect(seen).toEqual([])
    expect(await readText('/direct', { method: 'PUT' })).toBe('framework')
    expect(await readText('/direct', { method: 'GET' })).toBe('framework')
    expect(await readText('/direct?x=1')).toBe('framework')
    expect(await readText('/other')).toBe('framework')
    expect(await readText('/direct', { type: 'application/xml' })).toBe('framework')
    expect(await readText('/direct', { body: '12345678901' })).toBe('framework')
  } finally {
    server.close()
  }
})
