/**
 * Random corruptions of providers' responses: one field of one record of a list is replaced by nonsense, and at most
 * that record is lost. `SEED` changes what is corrupted; 100 corruptions per list.
 */

import type { Sandbox } from '@whence/sandbox/sandbox.ts'
import { describe, expect, test } from 'vitest'
import type { Session, SyncRecord } from '../src/connectors/connector.ts'
import type { Outbound, OutboundReply, OutboundRequest } from '../src/platform/outbound/outbound.ts'
import { type Random, seededRandom } from '../src/platform/seeded-random.ts'
import { connectorCases } from './connector-cases.ts'
import { bytesOf } from './sandbox-outbound.ts'
import { type ConnectorCase, lastDays, openSession, startSandbox } from './sandbox-server.ts'

const SEED = process.env.SEED ?? '1'
const ROUNDS = Array.from({ length: 100 }, (_, round) => round)

type Json = unknown
type Path = readonly (string | number)[]
type Change = (list: Record<string, Json>[]) => Record<string, Json>[]

const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The outermost lists of records; the records of a stream are the rows of its batches. */
function listsIn(value: Json, path: Path = []): Path[] {
  if (Array.isArray(value)) {
    if (value.length === 0 || !value.every(isRecord)) return []
    const isBatches = value.every((item) => Array.isArray(item.results))
    return isBatches ? value.flatMap((item, index) => listsIn(item, [...path, index])) : [path]
  }
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => listsIn(inner, [...path, name]))
}

const at = (value: Json, path: Path): Json =>
  path.reduce<Json>((inner, part) => (inner as Record<string | number, Json>)[part], value)

function withList(body: Json, path: Path, change: Change): Json {
  const copy = structuredClone(body)
  const list = at(copy, path) as Record<string, Json>[]
  list.splice(0, list.length, ...change([...list]))
  return copy
}

function nodesIn(value: Json, path: Path = []): Path[] {
  const self = path.length === 0 ? [] : [path]
  if (Array.isArray(value))
    return [...self, ...value.flatMap((inner, index) => nodesIn(inner, [...path, index]))]
  if (!isRecord(value)) return self
  return [...self, ...Object.entries(value).flatMap(([name, inner]) => nodesIn(inner, [...path, name]))]
}

const nonsense: readonly Json[] = [
  null,
  '',
  ' ',
  'nonsense',
  '2026-99-99T99:99:99Z',
  '9'.repeat(400),
  '-5',
  '1e999',
  -1,
  0.5,
  1e20,
  true,
  {},
  { nonsense: true },
  [],
  ['nonsense'],
  [null],
]

function corrupt(record: Record<string, Json>, random: Random): Record<string, Json> {
  const copy = structuredClone(record)
  const path = random.pick(nodesIn(copy))
  const parent = at(copy, path.slice(0, -1)) as Record<string | number, Json>
  parent[path.at(-1)!] = structuredClone(random.pick(nonsense))
  return copy
}

/** The sandbox without a network; can change a reply. */
function direct(
  sandbox: Sandbox,
  baseUrl: string,
  onReply: (request: OutboundRequest, index: number, body: Json) => Json,
): Outbound {
  let index = 0
  return {
    close: async () => {},
    async send(request): Promise<OutboundReply> {
      const url = new URL(request.url)
      const reply = await sandbox.handle({
        method: request.method,
        path: url.pathname.slice(new URL(baseUrl).pathname.length),
        query: url.searchParams,
        rawQuery: url.search.slice(1),
        headers: request.headers ?? {},
        body: await bytesOf(request),
        baseUrl,
      })
      const isJson = typeof reply.body !== 'string' && !(reply.body instanceof Uint8Array)
      const body = isJson ? JSON.stringify(onReply(request, index++, reply.body)) : reply.body
      return {
        status: reply.status,
        headers: reply.headers ?? {},
        bytes: Buffer.from(body as string | Uint8Array),
      }
    },
  }
}

const identity = ['type', 'kind', 'level', 'externalId', 'outcomeType', 'day', 'query', 'page', 'leadgenId']
const keyOf = (record: SyncRecord) =>
  JSON.stringify(identity.map((name) => (record as unknown as Record<string, Json>)[name] ?? null))

type Place = { cursor: string | null; reply: number; path: Path; length: number }

/** All lists, by the path of the request without its ids and the position in the response. */
async function findLists(spec: ConnectorCase, sandbox: Sandbox, session: Session) {
  const lists = new Map<string, Place[]>()
  let cursor: string | null = null
  for (let pages = 0; pages < 60; pages++) {
    const here: string | null = cursor
    const http = direct(sandbox, session.app.apiBaseUrl, ({ url, body: sent }, reply, body) => {
      const request = new URL(url).pathname.replace(/[0-9a-f-]{16,}|\d{5,}/g, '{id}')
      // Lists inside a single record are part of that record.
      if (request.endsWith('{id}')) return body
      for (const path of listsIn(body)) {
        // Queries to the same address differ by resource.
        const resource = / FROM (\w+)/.exec(String(sent ?? ''))?.[1] ?? ''
        const name = `${request} ${resource} ${path.filter((part) => typeof part === 'string').join('.')}`
        const place = { cursor: here, reply, path, length: (at(body, path) as Json[]).length }
        lists.set(name, [...(lists.get(name) ?? []), place])
      }
      return body
    })
    const page = await spec.connector.sync!.page({ ...session, http }, lastDays, cursor)
    cursor = page.cursor
    if (cursor === null) break
  }
  return lists
}

describe.each(connectorCases.map((spec) => [spec.connector.provider, spec] as const))(
  '%s',
  (provider, spec) => {
    test('a corrupted record of any list affects at most itself', {
      timeout: 60_000 + ROUNDS.length * 3_000,
    }, async () => {
      const running = await startSandbox(spec)
      try {
        const { sandbox } = running
        const session: Session = { ...(await openSession(spec, running)), currency: 'USD' }
        const keysWith = async (place: Place, change: Change | null) => {
          const http = direct(sandbox, session.app.apiBaseUrl, (_request, index, body) =>
            change === null || index !== place.reply ? body : withList(body, place.path, change),
          )
          const page = await spec.connector.sync!.page({ ...session, http }, lastDays, place.cursor)
          return new Set(page.records.map(keyOf))
        }
        const wholes = new Map<Place, Set<string>>()
        const withouts = new Map<string, Set<string>>()
        const lists = await findLists(spec, sandbox, session)
        expect(lists.size).toBeGreaterThan(0)
        for (const [name, places] of lists) {
          for (const round of ROUNDS) {
            const random = seededRandom(SEED, provider, name, round)
            const place = random.pick(places)
            const chosen = random.int(0, place.length - 1)
            let corruptedRecord: Record<string, Json> | undefined
            const corrupted: Change = (list) => {
              corruptedRecord = corrupt(list[chosen]!, random)
              return list.with(chosen, corruptedRecord)
            }
            const allKeys = wholes.get(place) ?? (await keysWith(place, null))
            wholes.set(place, allKeys)
            const result = await keysWith(place, corrupted).catch((error: unknown) => error as Error)
            const what = `${provider} ${name}, round ${round} of SEED=${SEED}: ${JSON.stringify(corruptedRecord)?.slice(0, 600)}`
            expect(result instanceof Error ? `${what}\n${result.message}` : null, what).toBeNull()
            const missing = [...allKeys].filter((key) => !(result as Set<string>).has(key))
            if (missing.length === 0) continue
            const removed: Change = (list) => list.filter((_, index) => index !== chosen)
            const record = `${name} ${places.indexOf(place)} ${chosen}`
            const without = withouts.get(record) ?? (await keysWith(place, removed))
            withouts.set(record, without)
            const lost = missing.filter((key) => without.has(key))
            expect(lost, what).toEqual([])
          }
        }
      } finally {
        await running.close()
      }
    })
  },
)
