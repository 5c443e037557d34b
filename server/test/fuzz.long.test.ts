/**
 * Fuzzes every route from its own schema plus values that break careless code: no undeclared 5xx,
 * every refusal is the error envelope with a declared code, and every success matches
 * its contract. SEED repeats a run, FUZZ_ROUNDS lengthens it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../src/app.ts'
import { createProfile } from '../src/features/account/profiles/contract.ts'
import { createWorkspace } from '../src/features/account/workspaces/contract.ts'
import { sendEvent } from '../src/features/facts/events/contract.ts'
import type { Endpoint } from '../src/platform/contract/endpoint.ts'
import { type ErrorCode, errorCatalogue } from '../src/platform/contract/error-catalogue.ts'
import { inputSchema, objectFor } from '../src/platform/contract/examples.ts'
import { errorCodesOf } from '../src/platform/http/openapi-errors.ts'
import { contractViolation } from './answers.ts'
import { startTestApp, type TestApp } from './app.ts'
import { leanFetch } from './lean-fetch.ts'
import { type Sample, sampleOf } from './samples.ts'
import { printedSeed } from './seed.ts'
import { type Answered, fittingCredential, makeTenant, send, type Tenant } from './tenants.ts'

/** Phrases of zod's messages; an event type may be called `leadgen.received`. */
const VALIDATOR_WORDS =
  /\b(expected|received) (array|bigint|boolean|date|int|map|NaN|never|null|number|object|record|set|string|undefined)\b|^.*: (Invalid|Too (small|big)|Unrecognized)/i

const seed = printedSeed('fuzz')
const MUTATIONS = Number(process.env.FUZZ_ROUNDS ?? 12)

let app: TestApp
let tenant: Tenant
beforeAll(async () => {
  // Malformed requests need a real connection.
  app = { ...(await startTestApp()), fetch: leanFetch }
  tenant = await makeTenant(app)
})
afterAll(() => app.close())

/** mulberry32 */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const nasty: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e15,
  -1e308,
  '',
  ' ',
  '0',
  'null',
  'undefined',
  'NaN',
  'infinity',
  '-0',
  '1e400',
  '2025-02-30',
  '2026-13-01',
  '0000-00-00',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  'toString',
  'constructor',
  "' or 1=1 --",
  '%00',
  '%',
  '../../etc/passwd',
  '{{7*7}}',
  '<script>',
  'ñ'.repeat(300),
  'x'.repeat(70_000),
  '😀',
  '\u202e',
  '\ufeff',
  '\u0001',
  'http://',
  'http://[::1',
  'javascript:alert(1)',
  'https://user:pass@x.example',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  { constructor: 1 },
  Array.from({ length: 2000 }, () => 'x'),
]

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const rawBodies: readonly string[] = [
  '{',
  '[]',
  'null',
  '"text"',
  '1',
  '{"a":1e400}',
  '{"a":123456789012345678901234567890}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"a":1,"a":2}',
  deep(33),
  `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
  '{"a":\u0000}',
  '\ufeff{}',
  '{"a":NaN}',
]

function changed(value: unknown, random: () => number, depth = 0): unknown {
  const pick = () => nasty[Math.floor(random() * nasty.length)]
  if (typeof value !== 'object' || value === null || depth > 4 || random() < 0.2) return pick()
  const copy = structuredClone(value) as Record<string, unknown>
  const keys = Object.keys(copy)
  if (keys.length === 0 || random() < 0.1) return { ...copy, [`extra${Math.floor(random() * 9)}`]: pick() }
  const key = keys[Math.floor(random() * keys.length)]!
  if (random() < 0.15) delete copy[key]
  else copy[key] = changed(copy[key], random, depth + 1)
  return Array.isArray(value) ? Object.values(copy) : copy
}

/** Text for a URL; lone surrogates cannot be encoded. */
function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 3000).toWellFormed()
}

function mutate(sample: Sample, random: () => number): Sample {
  const choice = random()
  if (sample.body !== null && choice < 0.6) {
    const body = changed(sample.body, random)
    return {
      ...sample,
      body: (typeof body === 'object' && body !== null ? body : { value: body }) as Sample['body'],
    }
  }
  const part = choice < 0.8 && Object.keys(sample.params).length > 0 ? 'params' : 'query'
  const names = [
    ...Object.keys(sample[part]),
    ...(part === 'query' ? ['limit', 'cursor', 'profile_id', 'date_from'] : []),
  ]
  const name = names[Math.floor(random() * names.length)]!
  const value = textOf(nasty[Math.floor(random() * nasty.length)])
  // An empty segment or dots would name another route.
  const safe = part === 'params' && /^(\.{0,2}|)$/.test(value) ? 'x' : value
  return { ...sample, [part]: { ...sample[part], [name]: safe } }
}

function judge(entry: Endpoint, answered: Answered): string | null {
  const { status, code, body, text } = answered
  if (status < 400) {
    // A script or a file instead of the envelope.
    if (body === null && text !== '') return null
    return contractViolation(entry, status, body)
  }
  const error = (body as { error?: Record<string, unknown> } | null)?.error
  if (error === undefined || code === undefined || !(code in errorCatalogue))
    return `no envelope or unknown code: ${text.slice(0, 200)}`
  if (error.status !== status || errorCatalogue[code as ErrorCode].status !== status)
    return `${code} answered with ${status}`
  if (typeof error.message !== 'string' || !/^req_/.test(String(error.request_id)) || !error.docs_url)
    return 'the envelope is incomplete'
  if (VALIDATOR_WORDS.test(error.message)) return `a validator's message: ${error.message}`
  if (status >= 500 && !entry.errors.includes(code as ErrorCode)) return `${status} ${code}: ${error.message}`
  return errorCodesOf(entry).includes(code as ErrorCode) ? null : `${code} is not declared by the entry`
}

const entries = routes.map((route) => route.entry)

it.each(entries.map((entry) => [`${entry.method} ${entry.path}`, entry] as const))('%s', async (_, entry) => {
  const random = randomFrom(seed + entries.indexOf(entry))
  const sample = sampleOf(entry)
  // Uses the tenant's own ids, except in requests that would delete the tenant.
  if ('workspaceId' in sample.params && entry.method !== 'DELETE')
    sample.params.workspaceId = tenant.workspaceId
  if ('profileId' in sample.params && entry.method !== 'DELETE') sample.params.profileId = tenant.profileId
  const credential = () => fittingCredential(app, tenant, entry)
  const problems: string[] = []
  const note = (what: unknown, problem: string | null) => {
    if (problem !== null) problems.push(`${problem} ← ${JSON.stringify(what).slice(0, 400)}`)
  }
  note('the sample', judge(entry, await send(app, entry, await credential(), sample)))
  for (let i = 0; i < MUTATIONS; i++) {
    const mutated = mutate(sample, random)
    note(mutated, judge(entry, await send(app, entry, await credential(), mutated)))
  }
  if (entry.body !== null) {
    const bytes = rawBodies[Math.floor(random() * rawBodies.length)]!
    for (const contentType of ['application/json', 'text/plain'])
      note(bytes, judge(entry, await send(app, entry, await credential(), sample, { contentType, bytes })))
  }
  expect(problems, `seed ${seed}`).toEqual([])
})

/** Duplicates the elements of every array, at every depth; undefined without arrays. */
function doubled(value: unknown): unknown {
  if (Array.isArray(value)) {
    const inner = value.map((item) => doubled(item) ?? item)
    return value.length === 0 ? undefined : [...inner, ...structuredClone(inner)]
  }
  if (typeof value !== 'object' || value === null) return undefined
  const changed = Object.entries(value).flatMap(([name, item]) => {
    const twice = doubled(item)
    return twice === undefined ? [] : [[name, twice] as const]
  })
  return changed.length === 0 ? undefined : { ...value, ...Object.fromEntries(changed) }
}

/** A request with all optional members, including arrays. */
function fullBody(entry: Endpoint): Sample['body'] {
  if (entry.body === null) return null
  const full = objectFor(inputSchema(entry.body), 'all')
  return entry.body.safeParse(full).success ? full : sampleOf(entry).body
}

const listTakers = entries.flatMap((entry) => {
  const body = doubled(fullBody(entry))
  return body === undefined ? [] : [[`${entry.method} ${entry.path}`, entry, body as Sample['body']] as const]
})

it('many routes accept lists', () => {
  expect(listTakers.length).toBeGreaterThan(8)
})

it.each(listTakers)('%s with everything twice', async (_, entry, body) => {
  const sample = { ...sampleOf(entry), body }
  if ('workspaceId' in sample.params) sample.params.workspaceId = tenant.workspaceId
  if ('profileId' in sample.params) sample.params.profileId = tenant.profileId
  const credential = await fittingCredential(app, tenant, entry)
  expect(judge(entry, await send(app, entry, credential, sample))).toBeNull()
})

it.each(rawBodies.map((bytes) => [bytes.slice(0, 40), bytes]))(
  'the body %s is refused or kept, never a crash',
  async (_, bytes) => {
    for (const entry of [createWorkspace, sendEvent, createProfile] as unknown as Endpoint[]) {
      const raw = { contentType: 'application/json', bytes }
      const answered = await send(
        app,
        entry,
        await fittingCredential(app, tenant, entry),
        sampleOf(entry),
        raw,
      )
      expect([entry.name, answered.status]).toEqual([
        entry.name,
        expect.toSatisfy((status: number) => status < 500),
      ])
    }
  },
)
