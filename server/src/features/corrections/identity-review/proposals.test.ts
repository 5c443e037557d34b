import { identifierKinds } from '@whence/engine'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { dumpTables } from '../../../../test/oracle/tables.ts'
import { listChanges, listPersonAccess } from '../../../platform/audit/contract.ts'
import type { Pagination } from '../../../platform/contract/page.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { identifierId } from '../../facts/identity/identifiers.ts'
import { eraseWorkspaceCustomer } from '../erasures/contract.ts'
import { runPendingErasures } from '../erasures/erase.ts'
import { retractEvent } from '../retractions/contract.ts'
import {
  decideIdentityLink,
  decideMergeProposal,
  listIdentityLinks,
  listMergeProposals,
  listMerges,
  previewMerge,
  previewMergeProposal,
  repairIdentity,
  scanIdentityRepairs,
  scanMergeProposals,
  undoMerge,
} from './contract.ts'
import { calculateScore } from './rules.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let call: TestClient
let minute = 0

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner, 'agency')
})
afterAll(() => app.close())
beforeEach(async () => {
  profileId = await makeProfile(owner, workspaceId)
  call = app.as(
    await makeKey(app, profileId, ['events:write', 'identity:read', 'identity:write', 'customers:read']),
  )
  await sendPayment('one', { external_id: 'crm-1', email: 'ana@example.com', first_name: 'Ana' }, 100)
  await sendPayment('two', { external_id: 'crm-2', email: 'ana@example.com', phone: '+34600000001' }, 50)
  await sendPayment('three', { external_id: 'crm-3', email: 'bob@example.com' }, 10)
})

async function sendPayment(key: string, user_traits: Record<string, string>, value: number): Promise<void> {
  await call(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: key,
      timestamp: new Date(Date.UTC(2026, 4, 2) + 60_000 * ++minute).toISOString(),
      properties: { value, currency: 'EUR' },
      user_traits,
      utm: { source: 'news' },
    },
  })
  await app.service.processor.settled(profileId)
}

const idOf = (externalId: string) =>
  identifierId('external_id', externalId, profileId, app.service.identityPepper)
const scan = async () => (await call(scanMergeProposals, { body: {} })).data
const list = () => call(listMergeProposals)
const decide = async (id: string, body: Record<string, unknown>) =>
  (await call(decideMergeProposal, { params: { id }, body })).data

it('a scan proposes customers who share an email once, with both sides and the evidence', async () => {
  expect(await scan()).toEqual({ proposed: 1, truncated: false })
  expect(await scan()).toEqual({ proposed: 0, truncated: false })
  const reply = await list()
  expect(reply.status_counts).toEqual({ open: 1, snoozed: 0, merged: 0, dismissed: 0 })
  const [proposal] = reply.data
  expect(proposal).toMatchObject({ status: 'open', score: 90, evidence: [{ kind: 'email' }] })
  const sides = [proposal!.first, proposal!.second]
  const [ana, other] = sides[0]!.contact?.phone ? sides.toReversed() : sides
  expect([ana, other]).toMatchObject([
    { customer_id: idOf('crm-1'), contact: { first_name: 'Ana', email: 'ana@example.com' } },
    { customer_id: idOf('crm-2'), contact: { phone: '+34600000001' } },
  ])
  const log = await owner.call(listPersonAccess, {
    params: { workspaceId },
    query: { profile_id: profileId },
  })
  expect(log.data[0]).toMatchObject({ route: 'listMergeProposals', row_count: 2 })
  const withoutPeople = app.as(await makeKey(app, profileId, ['identity:read']))
  const [withheld] = (await withoutPeople(listMergeProposals)).data
  expect(withheld!.first).toMatchObject({ contact: null, contact_withheld: true })
})

it('a merge moves exactly the previewed records, and its undo restores every table', async () => {
  await scan()
  const { id, first, second } = (await list()).data[0]!
  const before = await dumpTables(app.service.db, profileId)
  const preview = (await call(previewMergeProposal, { params: { id } })).data
  const pair = { from_customer_id: second.customer_id, into_customer_id: first.customer_id }
  expect((await call(previewMerge, { query: pair })).data).toEqual(preview)
  expect(preview.moves).toMatchObject({ touches: 1, conversions: 1, payments: 1 })
  const merged = await decide(id, { decision: 'merge' })
  expect(merged).toMatchObject({
    status: 'merged',
    first: { customer_id: first.customer_id },
    second: { customer_id: second.customer_id },
  })
  expect(merged.second).toEqual(second)
  const joined = await app.pool.query(
    'select count(*)::int as count from identifiers where profile_id = $1 and customer_id = $2',
    [profileId, first.customer_id],
  )
  expect(joined.rows[0].count).toBe(first.identifier_kinds.length + preview.moves.identifiers)
  expect(await decide(id, { decision: 'merge' })).toEqual(merged)
  const history = await call(listMerges, { query: { customer_id: first.customer_id } })
  expect(history.data).toMatchObject([{ audit_log_id: merged.audit_log_id, ...pair, undone_at: null }])
  const ofTheOther = await call(listMerges, { query: { customer_id: second.customer_id } })
  expect(ofTheOther.data).toEqual(history.data)
  const { data: changes } = await owner.call(listChanges, {
    params: { workspaceId },
    query: { profile_id: profileId, action: 'identity.merged' },
  })
  expect(changes.map((row) => row.id)).toEqual([merged.audit_log_id])
  const params = { auditLogId: merged.audit_log_id! }
  expect((await call(undoMerge, { params, body: {} })).data).toMatchObject(pair)
  expect(await dumpTables(app.service.db, profileId)).toEqual(before)
  expect((await list()).data[0]).toMatchObject({ id, status: 'open', audit_log_id: null })
  expect(await refusalOf(call(undoMerge, { params, body: {} }))).toMatchObject({
    code: 'invalid_state',
    reason: 'already_undone',
  })
})

it('different names and emails lower the score of a shared phone and are listed as contradictions', async () => {
  const phone = '+34600000005'
  await sendPayment(
    'q-1',
    { external_id: 'q-1', email: 'eva@example.com', first_name: 'Eva', last_name: 'Sol', phone },
    5,
  )
  await sendPayment(
    'q-2',
    { external_id: 'q-2', email: 'max@example.com', first_name: 'Max', last_name: 'Roth', phone },
    5,
  )
  const other = { email: 'e.sol@work.example', first_name: 'éva', last_name: 'SOL', phone: '+34600000006' }
  await sendPayment('q-3', { external_id: 'q-3', ...other }, 5)
  await sendPayment('q-4', { external_id: 'q-4', ...other, email: 'eva.s@example.com' }, 5)
  await scan()
  const phoneProposals = (await list()).data.filter((row) => row.evidence[0]!.kind === 'phone')
  expect(phoneProposals.map((row) => [row.score, row.contradictions]).sort()).toEqual([
    [21, ['name', 'email']],
    [53, ['email']],
  ])
})

it('a phone that more than three customers share is ignored, and its open proposals are withdrawn', async () => {
  const phone = '+34600000007'
  for (const index of [1, 2, 3]) await sendPayment(`m-${index}`, { external_id: `m-${index}`, phone }, 1)
  expect(await scan()).toMatchObject({ proposed: 4 })
  await sendPayment('m-4', { external_id: 'm-4', phone }, 1)
  expect(await scan()).toMatchObject({ proposed: 0 })
  expect((await list()).data.map((row) => row.evidence[0]!.kind)).toEqual(['email'])
})

it('a merged proposal shows both sides as they were before the merge', async () => {
  await sendPayment('ana again', { external_id: 'crm-1', phone: '+34600000008' }, 1)
  await scan()
  const { id, first, second } = (await list()).data[0]!
  const merged = await decide(id, { decision: 'merge' })
  expect(merged).toMatchObject({ status: 'merged', first, second })
  const [listed] = (await call(listMergeProposals, { query: { status: 'merged' } })).data
  expect(listed).toMatchObject({ first, second })
  await call(undoMerge, { params: { auditLogId: merged.audit_log_id! }, body: {} })
  expect((await list()).data[0]).toMatchObject({ id, status: 'open', first, second })
})

it('a dismissed pair stays dismissed after one side gets a stronger identifier', async () => {
  await sendPayment('four', { email: 'eva@example.com', phone: '+34600000002' }, 5)
  await sendPayment('five', { email: 'eve@example.com', phone: '+34600000002' }, 5)
  expect(await scan()).toMatchObject({ proposed: 2 })
  const pair = (await list()).data.find((row) => row.evidence[0]!.kind === 'phone')!
  await decide(pair.id, { decision: 'dismiss' })
  expect((await decide(pair.id, { decision: 'dismiss' })).status).toBe('dismissed')
  await sendPayment('six', { external_id: 'crm-eva', email: 'eva@example.com' }, 5)
  expect(await scan()).toMatchObject({ proposed: 0 })
  expect((await call(listMergeProposals, { query: { status: 'dismissed' } })).data).toMatchObject([
    { id: pair.id },
  ])
  const [dismissed] = (await call(listMergeProposals, { query: { status: 'dismissed' } })).data
  expect([dismissed!.first.customer_id, dismissed!.second.customer_id]).toContain(idOf('crm-eva'))
  expect(await refusalOf(decide(pair.id, { decision: 'merge' }))).toMatchObject({
    status: 409,
    reason: 'already_dismissed',
  })
})

it('a snoozed proposal is not listed as open until the snooze ends', async () => {
  await scan()
  const { id } = (await list()).data[0]!
  const { snoozed_until } = await decide(id, { decision: 'snooze', snooze_days: 2 })
  const open = () => call(listMergeProposals, { query: { status: 'open' } })
  expect((await open()).data).toEqual([])
  expect((await open()).status_counts).toMatchObject({ open: 0, snoozed: 1 })
  // A second ago, because the database counts microseconds and the server's clock milliseconds.
  await app.pool.query(
    "update merge_proposals set snoozed_until = now() - interval '1 second' where profile_id = $1",
    [profileId],
  )
  expect((await open()).data).toMatchObject([{ id, snoozed_until: null }])
  expect(Date.parse(snoozed_until!)).toBeGreaterThan(Date.now() + 86_400_000)
})

it('lists older proposals page by page, returns the first page for an invalid cursor, and refuses other tenants', async () => {
  for (const name of ['a', 'b', 'c'])
    await sendPayment(`p-${name}`, { external_id: `crm-p${name}`, phone: '+34600000009' }, 1)
  expect(await scan()).toMatchObject({ proposed: 4 })
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await call(listMergeProposals, {
      query: { limit: '3', ...(cursor === undefined ? {} : { cursor }) },
    })
    ids.push(...page.data.map((row) => row.id))
    const { has_next, cursor: next } = page.pagination as Pagination
    if (!has_next) break
    cursor = next!
  }
  expect(new Set(ids).size).toBe(4)
  expect(ids).toEqual(ids.toSorted().reverse())
  const restarted = await call(listMergeProposals, { query: { cursor: 'garbage', limit: '1' } })
  expect(restarted.data.map((row) => row.id)).toEqual(ids.slice(0, 1))
  const other = app.as(
    await makeKey(app, await makeProfile(owner, workspaceId), ['identity:read', 'identity:write']),
  )
  const params = { id: ids[0]! }
  const refusals = [
    await refusalOf(other(previewMergeProposal, { params })),
    await refusalOf(other(decideMergeProposal, { params, body: { decision: 'merge' } })),
    await refusalOf(
      other(previewMerge, {
        query: { from_customer_id: idOf('crm-1'), into_customer_id: idOf('crm-2') },
      }),
    ),
    await refusalOf(other(listMerges, { query: { customer_id: idOf('crm-1') } })),
    await refusalOf(
      call(previewMerge, { query: { from_customer_id: idOf('crm-1'), into_customer_id: idOf('crm-1') } }),
    ),
    await refusalOf(decide(ids[0]!, { decision: 'merge', into_customer_id: idOf('crm-3') })),
  ]
  expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual([
    '404 not_found',
    '404 not_found',
    '422 customer_not_in_profile',
    '422 customer_not_in_profile',
    '400 invalid_parameter',
    '422 customer_not_in_profile',
  ])
})

it('an erasure removes the customer from proposals, the merge history and merge records', async () => {
  await scan()
  const { id } = (await list()).data[0]!
  await decide(id, { decision: 'merge' })
  await owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, email: 'ana@example.com' },
  })
  expect((await list()).data).toEqual([])
  await runPendingErasures(app.service, profileId)
  expect((await list()).status_counts).toEqual({ open: 0, snoozed: 0, merged: 0, dismissed: 0 })
  const { rows } = await app.pool.query(
    `select a::text as line from audit_log a where profile_id = $1
     union all select m::text from customer_merges m where profile_id = $1
     union all select p::text from merge_proposals p where profile_id = $1`,
    [profileId],
  )
  const lines = rows.map((row) => row.line).join('\n')
  expect(lines).toContain('identity.merged')
  for (const name of ['crm-1', 'crm-2']) expect(lines).not.toContain(idOf(name))
})

it('rejecting a link separates its customers, and accepting it restores every table', async () => {
  const reply = await call(listIdentityLinks, { query: { customer_id: idOf('crm-1') } })
  const link = reply.data.find((row) => row.stronger.customer_id === idOf('crm-1'))!
  expect(link).toMatchObject({
    status: 'pending',
    events: 1,
    weaker: { kind: 'email', customer_id: idOf('crm-1') },
    stronger: { kind: 'external_id' },
  })
  const before = await dumpTables(app.service.db, profileId)
  const params = { id: link.id }
  const decideLink = async (decision: 'accept' | 'reject') =>
    (await call(decideIdentityLink, { params, body: { decision } })).data
  const rejected = await decideLink('reject')
  expect(rejected).toMatchObject({ status: 'rejected', weaker: { customer_id: idOf('crm-2') } })
  expect(await decideLink('reject')).toEqual(rejected)
  // Only the other customer has the email now, so there is no pair to propose.
  expect(await scan()).toMatchObject({ proposed: 0 })
  await sendPayment('again', { external_id: 'crm-1', email: 'ana@example.com' }, 3)
  expect((await call(listIdentityLinks, { query: { status: 'rejected' } })).data).toMatchObject([
    { id: link.id, events: 2, weaker: { customer_id: idOf('crm-2') } },
  ])
  await call(retractEvent, { body: { idempotency_key: 'again' } })
  expect((await decideLink('accept')).weaker.customer_id).toBe(idOf('crm-1'))
  expect(await dumpTables(app.service.db, profileId)).toEqual(before)
  const other = app.as(await makeKey(app, await makeProfile(owner, workspaceId), ['identity:write']))
  expect(await refusalOf(other(decideIdentityLink, { params, body: { decision: 'reject' } }))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
})

it('a repair writes the corrected value once and merges no customers', async () => {
  await sendPayment(
    'r-1',
    { external_id: 'crm-r1', email: 'Rita <rita@example.com>', phone: '(31) 99688-3193' },
    1,
  )
  await sendPayment('r-2', { external_id: 'crm-r2', email: 'Bob <bob@example.com>' }, 1)
  await sendPayment('r-3', { external_id: 'crm-r3', email: 'no address' }, 1)
  const query = { country: 'br' }
  const scanned = await call(scanIdentityRepairs, { query: { ...query, limit: '1' } })
  expect(scanned.data).toMatchObject({
    customers: 6,
    missing_email_count: 4,
    missing_phone_count: 5,
    duplicate_email_groups: 1,
    duplicate_phone_groups: 0,
    auto_repairable_count: 2,
    auto_merge_count: 1,
  })
  expect(scanned.pagination).toEqual({ has_next: true, offset: 0, limit: 1 })
  const nextPage = await call(scanIdentityRepairs, { query: { ...query, offset: '1' } })
  const all = [...scanned.data.profiles, ...nextPage.data.profiles]
  expect(all.find((row) => row.customer_id === idOf('crm-r1'))!.backfills).toEqual([
    { kind: 'email', value: 'rita@example.com', status: 'repairable' },
    { kind: 'phone', value: '+5531996883193', status: 'repairable' },
  ])
  expect(all.find((row) => row.customer_id === idOf('crm-r2'))!.backfills).toEqual([
    { kind: 'email', value: 'bob@example.com', status: 'taken' },
  ])
  const customers = async () => {
    const { rows } = await app.pool.query(
      'select count(distinct customer_id)::int as count from identifiers where profile_id = $1',
      [profileId],
    )
    return rows[0].count
  }
  const before = await customers()
  const preview = (await call(repairIdentity, { body: query })).data
  expect(preview).toMatchObject({ applied: false, written: 0 })
  expect((await call(repairIdentity, { body: { ...query, apply: true } })).data).toEqual({
    ...preview,
    applied: true,
    written: 2,
  })
  await app.service.processor.settled(profileId)
  expect(await customers()).toBe(before)
  const owned = await call(listIdentityLinks, { query: { customer_id: idOf('crm-r1') } })
  expect(owned.data.map((link) => link.weaker.kind).sort()).toEqual(['email', 'phone'])
  expect((await call(scanIdentityRepairs, { query })).data).toMatchObject({
    missing_email_count: 3,
    auto_repairable_count: 0,
  })
})

it('a score is never 0 or 100', () => {
  const every = identifierKinds.map((_, kind) => kind)
  expect(calculateScore(every, [])).toBe(99)
  expect(calculateScore([], ['name', 'email'])).toBe(1)
})
