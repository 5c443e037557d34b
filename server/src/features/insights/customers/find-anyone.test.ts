import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import {
  makeKey,
  makeOwnProfile,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { jobs } from '../../../app.ts'
import { listPersonAccess } from '../../../platform/audit/contract.ts'
import type { Client } from '../../../platform/contract/client.ts'
import type { Pagination } from '../../../platform/contract/page.ts'
import { indexMissingNames } from '../../attribution/pipeline/index-names.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import {
  decideMergeProposal,
  listMergeProposals,
  scanMergeProposals,
  undoMerge,
} from '../../corrections/identity-review/contract.ts'
import { listPayments } from '../../corrections/payments/contract.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { listCustomers } from './contract.ts'

const scopes = ['customers:read', 'events:write', 'payments:read', 'identity:read', 'identity:write'] as const

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let call: Client

type Sale = {
  key: string
  email: string
  first?: string
  last?: string
  value: number
  currency?: string
  hour: number
}

async function sell(as: Client, { key, email, first, last, value, currency = 'EUR', hour }: Sale) {
  await as(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: key,
      timestamp: new Date(app.service.clock.now().getTime() - hour * 3_600_000).toISOString(),
      properties: { value, currency, order_id: `order-${key}` },
      user_traits: {
        email,
        ...(first === undefined ? {} : { first_name: first }),
        ...(last === undefined ? {} : { last_name: last }),
      },
    },
  })
}

const emailsOf = (rows: { contact: { email: string | null } | null }[]) =>
  rows.map((row) => row.contact?.email)
const find = async (search: string, as = call) =>
  emailsOf((await as(listCustomers, { query: { search } })).data)
const indexed = async () =>
  (
    await sql<{ identifier_id: string; tokens: string[] }>`
      select identifier_id, tokens::text[] as tokens from customer_names
      where profile_id = ${profileId} order by 1`.execute(app.service.db)
  ).rows

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId)
  call = app.as(await makeKey(app, profileId, scopes))
  await call(sendEvent, {
    body: {
      event_name: 'page_view',
      anonymous_id: 'lucia-laptop',
      session_start: true,
      timestamp: new Date(app.service.clock.now().getTime() - 30 * 60_000).toISOString(),
      page: { url: 'https://shop.example/', referrer: 'https://www.google.com/' },
      user_traits: { email: 'lucia@example.com' },
    },
  })
  await sell(call, {
    key: '1',
    email: 'jose@example.com',
    first: 'José María',
    last: 'García',
    value: 129.9,
    hour: 3,
  })
  await sell(call, {
    key: '2',
    email: 'lucia@example.com',
    first: 'Lucía',
    last: 'Garrido',
    value: 40,
    hour: 2,
  })
  await sell(call, {
    key: '3',
    email: 'wei@example.com',
    first: '伟',
    last: '李',
    value: 130,
    currency: 'JPY',
    hour: 1,
  })
  await sell(call, { key: '4', email: 'old@example.com', value: 129.9, currency: 'USD', hour: 4 })
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

it('finds people by prefixes of the words of their name, in any order, with or without accents', async () => {
  for (const search of ['jose', 'Maria gar', 'GARCÍA José', 'garcia'])
    expect([search, await find(search)]).toEqual([search, ['jose@example.com']])
  expect(await find('gar')).toEqual(['lucia@example.com', 'jose@example.com'])
  expect(await find('李')).toEqual(['wei@example.com'])
  for (const search of ['arcia', 'jose garrido', 'g', 'garciaa'])
    expect([search, await find(search)]).toEqual([search, []])
})

it('finds people by an amount they paid, in the currency of the payment', async () => {
  for (const search of ['129.90', '129,90', '€129.90', '129.9 EUR'])
    expect([search, await find(search)]).toEqual([search, ['jose@example.com', 'old@example.com']])
  expect(await find('130')).toEqual(['wei@example.com'])
  expect(await find('129.91')).toEqual([])
})

it('another profile finds no one by the same name, and its hashes differ', async () => {
  const other = await makeOwnProfile(app, scopes)
  expect(await find('garcia', other.call)).toEqual([])
  await sell(other.call, {
    key: '1',
    email: 'x@example.com',
    first: 'José María',
    last: 'García',
    value: 1,
    hour: 1,
  })
  await app.service.processor.settled(other.profileId)
  expect(await find('garcia', other.call)).toEqual(['x@example.com'])
  const { rows } = await sql<{ token: string; profiles: number }>`
    select token::text, count(distinct profile_id)::int as profiles from customer_names, unnest(tokens) as token
    where profile_id in (${profileId}, ${other.profileId}) group by token having count(distinct profile_id) > 1`.execute(
    app.service.db,
  )
  expect(rows).toEqual([])
})

it('customers can be sorted and paged in each order', async () => {
  const pages = async (query: {
    sort: 'revenue' | 'last_seen' | 'first_channel'
    order?: 'asc'
    search?: string
  }) => {
    const rows = []
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await call(listCustomers, {
        query: { ...query, limit: '1', ...(cursor ? { cursor } : {}) },
      })
      rows.push(...page.data)
      cursor = (page.pagination as Pagination).cursor ?? undefined
    }
    return rows
  }
  const byRevenue = await pages({ sort: 'revenue' })
  const revenue = byRevenue.map((row) => row.revenue ?? 0)
  expect(revenue).toEqual(revenue.toSorted((a, b) => b - a))
  expect(new Set(byRevenue.map((row) => row.customer_id)).size).toBe(4)
  expect((await pages({ sort: 'revenue', order: 'asc' })).map((row) => row.revenue ?? 0)).toEqual(
    revenue.toReversed(),
  )
  expect(emailsOf(await pages({ sort: 'last_seen' }))).toEqual([
    'lucia@example.com',
    'wei@example.com',
    'jose@example.com',
    'old@example.com',
  ])
  const byChannel = await pages({ sort: 'first_channel' })
  expect(byChannel[0]).toMatchObject({
    first_channel: 'organic_search',
    contact: { email: 'lucia@example.com' },
  })
  expect(byChannel.slice(1).map((row) => row.first_channel)).toEqual([null, null, null])
  expect(emailsOf(await pages({ sort: 'revenue', search: 'gar' }))).toEqual([
    'jose@example.com',
    'lucia@example.com',
  ])
})

it('a cursor of another sort order is rejected', async () => {
  const { pagination } = await call(listCustomers, { query: { sort: 'revenue', limit: '1' } })
  const { cursor } = pagination as Pagination
  for (const query of [{ sort: 'last_seen' as const }, {}])
    expect(await refusalOf(call(listCustomers, { query: { ...query, cursor: cursor! } }))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    })
})

const times = () => ({
  from: new Date(app.service.clock.now().getTime() - 86_400_000).toISOString(),
  to: app.service.clock.now().toISOString(),
})
const paid = async (query: Record<string, string>, as = call) =>
  (await as(listPayments, { query: { ...times(), ...query } })).data.map(
    (row) => `${row.value} ${row.currency}`,
  )

it('payments are filtered by amount and searched by payer, order and amount', async () => {
  expect(await paid({ search: '129.90' })).toEqual(['129.9 EUR', '129.9 USD'])
  expect(await paid({ search: 'garc' })).toEqual(['129.9 EUR'])
  expect(await paid({ search: 'old@example.com' })).toEqual(['129.9 USD'])
  expect(await paid({ search: 'order-2' })).toEqual(['40 EUR'])
  expect(await paid({ amount_min: '100' })).toEqual(['130 JPY', '129.9 EUR', '129.9 USD'])
  expect(await paid({ amount_min: '40', amount_max: '129.89' })).toEqual(['40 EUR'])
  expect(await paid({ search: '129.90', amount_max: '100' })).toEqual([])
  expect(await refusalOf(paid({ amount_min: '1e3' }))).toMatchObject({ status: 400 })
})

it('a credential without access to customers finds payments by order and amount, but not by payer', async () => {
  const blind = app.as(await makeKey(app, profileId, ['payments:read']))
  expect(await paid({ search: '129.90' }, blind)).toEqual(['129.9 EUR', '129.9 USD'])
  expect(await paid({ search: 'order-2' }, blind)).toEqual(['40 EUR'])
  for (const search of ['garc', 'old@example.com']) expect(await paid({ search }, blind)).toEqual([])
})

it('every person shown by a search is in the access log', async () => {
  const logged = async () => {
    const { data } = await owner.call(listPersonAccess, { params: { workspaceId }, query: { limit: '200' } })
    return data.length
  }
  const before = await logged()
  await find('gar')
  expect(await logged()).toBeGreaterThan(before)
})

it('a job indexes older names and resumes after an interruption', async () => {
  const complete = await indexed()
  await sql`delete from customer_names where profile_id = ${profileId}`.execute(app.service.db)
  expect(await find('garcia')).toEqual([])
  const stop = new AbortController()
  let pages = 0
  const { service } = app
  const parts = { service, db: service.backgroundDb, log: service.log, signal: stop.signal }
  const interrupted = {
    ...parts,
    signal: new Proxy(stop.signal, {
      get(signal, name) {
        if (name !== 'throwIfAborted') return Reflect.get(signal, name)
        return () => {
          pages += 1
          if (pages === 2) stop.abort()
          signal.throwIfAborted()
        }
      },
    }),
  }
  await expect(indexMissingNames(interrupted, [profileId], 1)).rejects.toThrow()
  expect(await indexed()).toHaveLength(1)
  await indexMissingNames({ ...parts, signal: new AbortController().signal }, [profileId], 1)
  expect(await indexed()).toEqual(complete)
})

it('a merge combines search results, and its undo separates them', async () => {
  const profile = await makeOwnProfile(app, scopes)
  const identify = (external_id: string, name: Record<string, string>) =>
    profile.call(sendEvent, {
      body: {
        event_name: 'lead_created',
        idempotency_key: external_id,
        user_traits: { external_id, email: 'same@example.com', ...name },
      },
    })
  await identify('crm-1', { first_name: 'Jose' })
  await app.service.processor.settled(profile.profileId)
  await identify('crm-2', { last_name: 'Garrido' })
  await app.service.processor.settled(profile.profileId)
  expect(await find('jose garrido', profile.call)).toEqual([])
  await profile.call(scanMergeProposals, { body: {} })
  const [proposal] = (await profile.call(listMergeProposals)).data
  const params = { id: proposal!.id }
  const merged = await profile.call(decideMergeProposal, { params, body: { decision: 'merge' } })
  expect(await find('jose garrido', profile.call)).toEqual(['same@example.com'])
  expect(await find('jose', profile.call)).toHaveLength(1)
  await profile.call(undoMerge, { params: { auditLogId: merged.data.audit_log_id! }, body: {} })
  expect(await find('jose garrido', profile.call)).toEqual([])
  expect(await find('garrido', profile.call)).toHaveLength(1)
})

it('a retraction, an updated event and an erasure remove the name from the index', async () => {
  const before = await indexed()
  await call(retractEvent, { body: { idempotency_key: '2' } })
  expect(await find('garrido')).toEqual([])
  await sell(call, { key: '3', email: 'wei@example.com', first: 'Wei', value: 130, currency: 'JPY', hour: 1 })
  await app.service.processor.settled(profileId)
  expect([await find('李'), await find('wei')]).toEqual([[], ['wei@example.com']])
  await owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, email: 'jose@example.com' },
  })
  await drainJobs(app.service, jobs)
  expect(await find('garcia')).toEqual([])
  expect(before).toHaveLength(3)
  expect(await indexed()).toHaveLength(1)
})
