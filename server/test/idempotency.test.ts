import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiKey } from '../src/features/account/api-keys/contract.ts'
import { createWorkspace } from '../src/features/account/workspaces/contract.ts'
import { sendEvents } from '../src/features/facts/events/contract.ts'
import { mintHandoff } from '../src/features/sources/handoffs/contract.ts'
import { signOut } from '../src/platform/access/contract.ts'
import type { ApiError } from '../src/platform/contract/errors.ts'
import { type Claim, withIdempotency } from '../src/platform/http/idempotency.ts'
import { startTestApp, type TestApp } from './app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type PartnerApp,
  type Person,
  provision,
  refusalOf,
} from './make.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
})
afterAll(() => app.close())

function mint(key: string, name: string): Promise<Response> {
  return fetch(`${app.baseUrl}/api/v1/workspaces/${workspaceId}/api-keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ profile_id: profileId, name }),
  })
}

async function keysNamed(name: string): Promise<number> {
  const rows = await app.service.db.selectFrom('credentials').select('id').where('name', '=', name).execute()
  return rows.length
}

it('a call with a key gets the response headers of its route: signing out removes the cookie', async () => {
  const person = await makePerson(app, 'Leaver')
  const reply = await fetch(`${app.baseUrl}/api/v1${signOut.path}`, {
    method: signOut.method,
    headers: { authorization: `Bearer ${person.token}`, 'idempotency-key': 'leaving' },
  })
  expect(reply.status).toBe(204)
  expect(reply.headers.get('set-cookie')).toContain('Max-Age=0')
})

it('fifty concurrent equal calls have one effect and one response', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => mint('fifty', 'Fifty')))
  const bodies = await Promise.all(
    replies.map((reply) => reply.json() as Promise<{ error?: { code: string } }>),
  )
  const creations = bodies.filter((_, index) => replies[index]!.status === 201)
  expect(creations.length).toBeGreaterThan(0)
  expect(new Set(creations.map((body) => JSON.stringify(body))).size).toBe(1)
  const refusals = bodies.filter((_, index) => replies[index]!.status !== 201)
  expect(new Set(refusals.map((body) => body.error?.code))).toEqual(
    new Set(refusals.length > 0 ? ['idempotency_key_in_flight'] : []),
  )
  expect(await keysNamed('Fifty')).toBe(1)
  const again = await mint('fifty', 'Fifty')
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect(await again.json()).toEqual(creations[0])
})

it('the same key for another body or operation is refused; keys of different people are independent', async () => {
  await mint('reused', 'First')
  const other = await mint('reused', 'Second')
  expect([other.status, ((await other.json()) as { error: { code: string } }).error.code]).toEqual([
    409,
    'idempotency_key_conflict',
  ])
  expect(await keysNamed('Second')).toBe(0)
  const headers = { 'idempotency-key': 'reused' }
  const elsewhere = owner.call(createWorkspace, { body: { name: 'Elsewhere' }, headers })
  expect(await refusalOf(elsewhere)).toMatchObject({ status: 409, code: 'idempotency_key_conflict' })
  const stranger = await makePerson(app, 'Stranger')
  const theirs = await stranger.call(createWorkspace, { body: { name: 'Theirs' }, headers })
  expect(theirs.data.created).toBe(true)
})

it('belongs to its holder: an app, a person, or the direct keys of a profile', async () => {
  const headers = { 'idempotency-key': 'shared' }
  const mintWith = (key: string) =>
    app.as(key)(mintHandoff, { params: { provider: 'cardpay' }, body: {}, headers })
  const [first, second] = [await makeApp(app, workspaceId), await makeApp(app, workspaceId)]
  const keysOf = async (partner: PartnerApp, id: string) =>
    (await provision(app, id, partner, ['connections'])).apiKey
  const handoff = await mintWith(await keysOf(first, profileId))
  const again = await mintWith(await keysOf(first, profileId))
  expect(again.data.id).toBe(handoff.data.id)
  const other = await mintWith(await keysOf(second, profileId))
  expect(other.data.id).not.toBe(handoff.data.id)
  const direct = await mintWith(await makeKey(app, profileId, ['connections:write']))
  expect([handoff.data.id, other.data.id]).not.toContain(direct.data.id)
  const twin = await mintWith(await makeKey(app, profileId, ['connections:write']))
  expect(twin.data.id).toBe(direct.data.id)
  // The same request at another profile of the app is another operation.
  const elsewhere = await keysOf(first, await makeProfile(owner, workspaceId))
  expect(await refusalOf(mintWith(elsewhere))).toMatchObject({ code: 'idempotency_key_conflict' })
})

it('a batch of events repeated with its key stores nothing twice, whether or not its response was stored', async () => {
  const own = await makeProfile(owner, workspaceId)
  const call = app.as(await makeKey(app, own, ['events:write']))
  const events = [
    { event_name: 'lead_created', user_traits: { email: 'ana@example.com' } },
    { event_name: 'lead_created', user_traits: { email: 'ana@example.com' } },
    { event_name: 'payment_received', properties: { value: 5 } },
  ]
  const send = (events: object[], key: string) =>
    call(sendEvents, { body: { events }, headers: { 'idempotency-key': key } })
  const { data } = await send(events, 'batch')
  expect([data.accepted, data.refused, data.results[2]!.error?.code]).toEqual([2, 1, 'validation_error'])
  expect((await send(events, 'batch')).data).toEqual(data)
  expect(await refusalOf(send(events.slice(1), 'batch'))).toMatchObject({ code: 'idempotency_key_conflict' })
  await app.service.db.deleteFrom('idempotency_keys').where('key', '=', 'batch').execute()
  const repeated = (await send(events, 'batch')).data
  expect([repeated.accepted, repeated.unchanged]).toEqual([0, 2])
  expect(repeated.results.map((result) => result.event_id)).toEqual(
    data.results.map((result) => result.event_id),
  )
  expect((await send(events, 'another')).data.accepted).toBe(2)
  expect((await call(sendEvents, { body: { events } })).data.accepted).toBe(2)
})

it('a refusal that a corrected request could avoid is not stored', async () => {
  const headers = { 'idempotency-key': 'corrected' }
  const call = (scopes: string[]) =>
    owner.call(createApiKey, {
      params: { workspaceId },
      body: { profile_id: profileId, name: 'Corrected', scopes: scopes as ['events:write'] },
      headers,
    })
  expect(await refusalOf(call(['nonsense']))).toMatchObject({ status: 422 })
  expect((await call(['events:write'])).data.scopes).toEqual(['events:write'])
})

it('a process that dies between claim and commit leaves the key usable and no effect', async () => {
  const claim: Claim = {
    scope: `user:${owner.id}`,
    method: 'POST',
    path: '/crash',
    key: 'crash',
    fingerprint: () => Buffer.from('one'),
    storesErrors: true,
    sealed: false,
  }
  const refusal = (error: ApiError) => ({ status: error.status, body: null })
  const stamp = (name: string) => ({
    ...{ id: crypto.randomUUID(), workspace_id: workspaceId, actor_kind: 'service', action: name },
    ...{ detail: '{}', occurred_at: new Date() },
  })
  const crashed = withIdempotency(
    { service: app.service, db: app.service.db },
    claim,
    async (tx) => {
      await tx.insertInto('audit_log').values(stamp('crash.first')).execute()
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      return { status: 200, body: 'never' }
    },
    refusal,
  )
  await expect(crashed).rejects.toThrow()
  const second = await withIdempotency(
    { service: app.service, db: app.service.db },
    claim,
    async (tx) => {
      await tx.insertInto('audit_log').values(stamp('crash.second')).execute()
      return { status: 200, body: 'done' }
    },
    refusal,
  )
  expect(second).toEqual({ status: 200, body: 'done', replayed: false })
  const effects = await app.service.db
    .selectFrom('audit_log')
    .select('action')
    .where('action', 'like', 'crash.%')
    .execute()
  expect(effects).toEqual([{ action: 'crash.second' }])
})
