/** Bad input for every route from the click to the report: the exact code and status, and no writes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app.ts'
import { recordRefund } from '../../src/features/corrections/payments/contract.ts'
import { retractEvent } from '../../src/features/corrections/retractions/contract.ts'
import { sendEvent, sendEvents } from '../../src/features/facts/events/contract.ts'
import { eventIdOf } from '../../src/features/facts/events/rules.ts'
import { importSpend } from '../../src/features/sources/imports/contract.ts'
import { issueTrackingKey } from '../../src/features/sources/tracking/contract.ts'
import type { Client } from '../../src/platform/contract/client.ts'
import type { Endpoint } from '../../src/platform/contract/endpoint.ts'
import type { ErrorBody } from '../../src/platform/contract/errors.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { leanFetch } from '../lean-fetch.ts'
import { stateOf } from '../rows.ts'
import { makeTenant, send, type Tenant } from '../tenants.ts'
import { makeWirePage } from '../wire-page.ts'
import type { BadRequest } from './cases.ts'
import { badReads } from './reads.ts'
import { badSettings } from './settings.ts'
import { badWrites } from './writes.ts'

const areas = [
  'reports',
  'events',
  'payments',
  'tracking',
  'attribution',
  'conversions',
  'annotations',
  'saved-views',
  'notifications',
]
const casesFor = (payments: Parameters<typeof badWrites>[0]): Record<string, BadRequest[]> => ({
  ...badReads,
  ...badWrites(payments),
  ...badSettings,
})
const names = Object.keys(casesFor({ whole: '', refunded: '' }))
const entries = routes.map((route) => route.entry).filter((entry) => areas.includes(entry.tag))
const allEntries = [
  ...entries,
  ...routes.map((route) => route.entry).filter((entry) => entry.name === 'getCampaignStatus'),
]

let app: TestApp
let tenant: Tenant
let trackingKey: string
let cases: Record<string, BadRequest[]>
let before: Record<string, string>

beforeAll(async () => {
  // Malformed requests need a real connection.
  app = { ...(await startTestApp()), fetch: leanFetch }
  tenant = await makeTenant(app)
  const call: Client = app.as(tenant.key)
  trackingKey = (await call(issueTrackingKey)).data.key
  const row = { source: 'radio', level: 'ad' as const, date: '2026-05-01', spend: 5 }
  await call(importSpend, { body: { rows: [{ ...row, campaign_id: 'C1', ad_set_id: 'S1', ad_id: 'A1' }] } })
  for (const idempotency_key of ['paid', 'refunded', 'gone'])
    await call(sendEvent, {
      body: {
        event_name: 'payment_received',
        idempotency_key,
        timestamp: '2026-05-10T10:00:00Z',
        properties: { value: 100 },
        user_traits: { email: 'eva@example.com' },
      },
    })
  await app.service.processor.settled(tenant.profileId)
  const ids = {
    whole: eventIdOf(tenant.profileId, 'paid'),
    refunded: eventIdOf(tenant.profileId, 'refunded'),
  }
  await call(recordRefund, { params: { payment_id: ids.refunded }, body: { amount: 40 } })
  await call(retractEvent, { body: { idempotency_key: 'gone' } })
  cases = casesFor(ids)
  before = await stateOf(app.pool)
})
afterAll(() => app.close())

it('every route of these areas that accepts input is in the tables', () => {
  const takesInput = (entry: Endpoint) =>
    entry.path.includes('{') || entry.body !== null || Object.keys(shapeOf(entry)).length > 0
  const listed = new Set(names)
  expect(
    entries
      .filter(takesInput)
      .filter((entry) => !listed.has(entry.name))
      .map((entry) => entry.name),
    'Add bad requests of these routes and their refusals to reads.ts, writes.ts or settings.ts',
  ).toEqual([])
  expect(
    [...listed].filter((name) => !allEntries.some((entry) => entry.name === name)),
    'Listed in reads.ts, writes.ts or settings.ts, but not a route of these areas',
  ).toEqual([])
})

function shapeOf(entry: Endpoint): object {
  return (entry.query as { shape?: object } | null)?.shape ?? {}
}

describe('is refused by its own code, and writes nothing', () => {
  it.each(names)('%s', async (name) => {
    const entry = allEntries.find((candidate) => candidate.name === name)!
    const answers: unknown[] = []
    for (const { wrong, params = {}, query = {}, body = null, raw, headers } of cases[name]!) {
      const sample = { params, query, body: body ?? (entry.body === null ? null : {}) }
      const answered = await send(app, entry, `Bearer ${tenant.key}`, sample, raw, headers)
      answers.push([wrong, answered.status, answered.code])
      if (answered.code === 'invalid_date_range')
        expect((answered.body as ErrorBody).error.field, wrong).toMatch(/^date_(from|to)$/)
    }
    expect(answers).toEqual(cases[name]!.map(({ wrong, refusal }) => [wrong, ...refusal]))
    expect(await stateOf(app.pool)).toEqual(before)
  })
})

/** Error codes that depend on the request only, not on the caller or on stored data. */
const ofRequest = [
  'invalid_parameter',
  'invalid_request',
  'invalid_date_range',
  'validation_error',
  'payload_too_large',
  'payment_ref_invalid',
  'range_invalid',
  'status_invalid',
]

/** The order of validation and scope is the same for every case of one refusal: their code is reached on one way. */
function firstOfEachRefusal(all: readonly BadRequest[]): BadRequest[] {
  const first = new Map<string, BadRequest>()
  for (const request of all) {
    const way = `${request.refusal} ${request.ofState ?? false} ${request.raw === undefined}`
    if (!first.has(way)) first.set(way, request)
  }
  return [...first.values()]
}

describe('is validated before the scope if it depends on the request only', () => {
  it.each(names)('%s', async (name) => {
    const entry = allEntries.find((candidate) => candidate.name === name)!
    const answers: unknown[] = []
    const tried = firstOfEachRefusal(cases[name]!)
    for (const { wrong, params = {}, query = {}, body = null, raw, headers } of tried) {
      const sample = { params, query, body: body ?? (entry.body === null ? null : {}) }
      const answered = await send(app, entry, `Bearer ${tenant.bareKey}`, sample, raw, headers)
      answers.push([wrong, answered.status, answered.code])
    }
    const refusals = tried.map(({ wrong, refusal, ofState = false }) =>
      ofRequest.includes(refusal[1]) && !ofState ? [wrong, ...refusal] : [wrong, 403, 'insufficient_scope'],
    )
    expect(answers).toEqual(refusals)
  })
})

describe('the collector', () => {
  const page = makeWirePage({ event_id: '0198f6a2-7c1e-4b7e-9d3c-2f6a54b0c111', anonymous_id: 'eva' })

  it('refuses unreadable requests and writes nothing', async () => {
    const posts: [wrong: string, path: string, bytes: string, status: number, code: string][] = [
      ['no JSON', 'collect', '{', 400, 'invalid_request'],
      ['a list', 'collect', '[]', 400, 'invalid_request'],
      ['no key', 'collect', JSON.stringify(page), 401, 'unauthorized'],
      ['another key', 'collect', JSON.stringify({ ...page, key: 'trk_live_nope' }), 401, 'unauthorized'],
      ['no events', 'collect', JSON.stringify({ key: trackingKey, events: [] }), 422, 'validation_error'],
      [
        'too many events',
        'collect',
        JSON.stringify({ key: trackingKey, events: Array.from({ length: 51 }, () => page) }),
        422,
        'validation_error',
      ],
      [
        'no consent',
        'collect',
        JSON.stringify({ ...page, key: trackingKey, consent: 'denied' }),
        422,
        'validation_error',
      ],
      [
        'no event id',
        'collect',
        JSON.stringify({ ...page, key: trackingKey, event_id: '7' }),
        422,
        'validation_error',
      ],
      [
        'money of no currency',
        'collect',
        JSON.stringify({
          ...page,
          key: trackingKey,
          type: 'purchase',
          properties: { value: 1, currency: 'XXQ' },
        }),
        422,
        'validation_error',
      ],
      [
        'money below nothing',
        'collect',
        JSON.stringify({ ...page, key: trackingKey, type: 'purchase', properties: { value: -1 } }),
        422,
        'validation_error',
      ],
      ['too large', 'collect', `{"a":"${'x'.repeat(256 * 1024)}"}`, 413, 'payload_too_large'],
      ['no key', 'identity-signal', '{}', 401, 'unauthorized'],
      ['no key', 'verification/beacon', '{}', 401, 'unauthorized'],
      ['no key', 'visit', '{}', 401, 'unauthorized'],
    ]
    const answers: unknown[] = []
    for (const [wrong, path, bytes] of posts) {
      const reply = await fetch(`${app.baseUrl}/api/tracking/${path}`, { method: 'POST', body: bytes })
      const body = (await reply.json()) as { error?: { code: string } }
      answers.push([wrong, path, reply.status, body.error?.code])
    }
    expect(answers).toEqual(posts.map(([wrong, path, , status, code]) => [wrong, path, status, code]))
    expect(await stateOf(app.pool)).toEqual(before)
  })
})

it('refuses only the bad events of a batch, each with its own code', async () => {
  const { data } = await app.as(tenant.key)(sendEvents, {
    body: {
      events: [
        { event_name: 'lead_created', idempotency_key: 'good' },
        { event_name: 'payment_received', properties: { value: 5 } },
        { event_name: 'x', properties: { subject_ref: 'ana@example.com' } },
        { event_name: 'x', idempotency_key: 'gone' },
        { nothing: true },
      ],
    },
  })
  expect(data.results.map((result) => result.error?.reason ?? result.error?.code ?? result.status)).toEqual([
    'accepted',
    'validation_error',
    'invalid_parameter',
    'event_retracted',
    'validation_error',
  ])
  const { rows } = await app.pool.query(
    `select external_id from events where profile_id = $1 and external_id in ('good', 'gone')`,
    [tenant.profileId],
  )
  expect(rows).toEqual([{ external_id: 'good' }])
})

it('refuses only the elements of a batch that are unreadable or no objects', async () => {
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`
  const event = (key: string) => `{"event_name":"lead_created","idempotency_key":"${key}"}`
  const bodies = [
    event('one'),
    'null',
    '{"event_name":"\\u0000"}',
    `{"event_name":"x","a":${deep}}`,
    '7',
    event('two'),
  ]
  const reply = await fetch(`${app.baseUrl}/api/v1/events/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tenant.key}` },
    body: `{"events":[${bodies.join(',')}]}`,
  })
  expect(reply.status).toBe(202)
  const { data } = (await reply.json()) as { data: { results: { error: { message: string } | null }[] } }
  expect(data.results.map(({ error }) => error?.message ?? 'kept')).toEqual([
    'kept',
    'The event: must be an object.',
    'A text contains a NUL character.',
    'The element is nested deeper than 32 levels.',
    'The event: must be an object.',
    'kept',
  ])
})
