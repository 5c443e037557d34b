import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdWorld } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { updateReportingCurrency } from '../../account/workspaces/contract.ts'
import { getPacing } from '../../advice/pacing/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { sumOverview } from '../../figures/definitions/definitions.ts'
import { getOverview } from '../../insights/reports/contract.ts'
import { generateReports } from '../client-reports/contract.ts'
import { listClients, tagClients } from './contract.ts'
import { changeTags, toCurrency, toFigures, worstPacing } from './rules.ts'

const may = { date_from: '2026-05-01', date_to: '2026-05-31' }

let app: TestApp
let owner: Person
let workspaceId: string
let shop: string
let studio: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  shop = await makeProfile(owner, workspaceId, { name: 'Shop' })
  studio = await makeProfile(owner, workspaceId, { name: 'Studio', currency: 'USD' })
  await makeAdWorld(app, shop, app.as(await makeKey(app, shop, ['events:write'])))
  await app.as(await makeKey(app, studio, ['events:write']))(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: 'one',
      timestamp: '2026-05-10T10:00:00Z',
      properties: { value: 129.9, currency: 'USD' },
      user_traits: { email: 'ana@example.com' },
    },
  })
  await app.service.processor.settled(studio)
})
afterAll(() => app.close())

const clients = (person = owner, query: Record<string, string> = may) =>
  person.call(listClients, { params: { workspaceId }, query })
const rowOf = async (profileId: string, person = owner) =>
  (await clients(person)).data.find((row) => row.profile_id === profileId)!

it('each row has the figures of the profile’s overview for both periods', async () => {
  for (const profileId of [shop, studio]) {
    const reader = app.as(await makeKey(app, profileId, ['analytics:read', 'campaigns:read']))
    const overviewOf = async (range: typeof may) => {
      const { totals } = (await reader(getOverview, { query: { ...range, model: 'linear' } })).data
      const { spend, revenue, credited_revenue, payments, total_roas, roas } = totals
      return { spend, revenue, credited_revenue, payments, total_roas, roas }
    }
    const { data } = await clients(owner, { ...may, model: 'linear' })
    const row = data.find((client) => client.profile_id === profileId)!
    expect(row).toMatchObject(await overviewOf(may))
    expect(row.previous).toEqual(await overviewOf({ date_from: '2026-03-31', date_to: '2026-04-30' }))
  }
  expect((await rowOf(shop)).spend).toBeGreaterThan(0)
})

it('pacing equals the pacing report', async () => {
  const { data } = await owner.call(getPacing, { params: { workspaceId } })
  const shopRows = data.filter((row) => row.profile_id === shop)
  expect((await rowOf(shop)).pacing).toEqual(worstPacing(shopRows))
})

it('members see only their profiles, and other people and workspaces see none', async () => {
  const member = await makePerson(app, 'Member')
  const now = app.service.clock.now()
  await app.service.db
    .insertInto('profile_members')
    .values({ id: uuidv7(now), profile_id: studio, user_id: member.id, role: 'viewer', created_at: now })
    .execute()
  expect((await clients(member)).data.map((row) => row.profile_id)).toEqual([studio])
  const stranger = await makePerson(app, 'Stranger')
  expect(await refusalOf(clients(stranger))).toMatchObject({ status: 404, code: 'not_found' })
  const other = await makeWorkspace(stranger, 'agency')
  expect((await stranger.call(listClients, { params: { workspaceId: other }, query: may })).data).toEqual([])
})

it('amounts are converted to the requested currency, and a day without a rate is left out and counted', async () => {
  expect((await clients()).totals).toBeNull()
  await app.pool.query(
    `insert into fx_rates (day, currency, rate, base) values ('2026-05-08', 'USD', 1.25, 'EUR'), ('2026-05-08', 'EUR', 1, 'EUR')
     on conflict do nothing`,
  )
  const { data, totals } = await clients(owner, { ...may, currency: 'EUR' })
  const row = data.find((client) => client.profile_id === studio)!
  expect(row).toMatchObject({ currency: 'EUR', revenue: 103.92, fx_missing: 0 })
  const shopRow = data.find((client) => client.profile_id === shop)!
  expect(totals).toMatchObject({
    currency: 'EUR',
    revenue: Math.round((shopRow.revenue! + row.revenue!) * 100) / 100,
    spend: shopRow.spend,
  })
  const inPounds = await clients(owner, { ...may, currency: 'GBP' })
  expect(inPounds.data.find((client) => client.profile_id === studio)).toMatchObject({
    revenue: null,
    fx_missing: 1,
  })
  await owner.call(updateReportingCurrency, { params: { workspaceId }, body: { reporting_currency: 'EUR' } })
  expect((await clients()).data.map((client) => client.currency)).toEqual(['EUR', 'EUR'])
  await owner.call(updateReportingCurrency, { params: { workspaceId }, body: { reporting_currency: null } })
})

it('a broken connection, a finding and the last report are in the row', async () => {
  const now = app.service.clock.now()
  await app.pool.query(
    `insert into doctor_checks (profile_id, check_id, status, affected, examples, checked_at)
     values ($1, 'a', 'warning', 2, '[]', $2), ($1, 'b', 'ok', 0, '[]', $2)`,
    [shop, now],
  )
  expect(await rowOf(shop)).toMatchObject({ health: { status: 'warning', findings: 1 }, alerts: 1 })
  await app.pool.query(
    `insert into alert_rules (profile_id, id, name, kind, state, enabled, muted_until, created_at, updated_at)
     select $1, gen_random_uuid(), 'Rule', 'finding', state, enabled, muted, now(), now()
     from (values ('firing', true, null), ('ok', true, null), ('firing', false, null), ('firing', true, $2::timestamptz))
       rules (state, enabled, muted)`,
    [shop, new Date(now.getTime() + 86_400_000)],
  )
  expect(await rowOf(shop)).toMatchObject({ health: { findings: 1 }, alerts: 2 })
  expect(await rowOf(studio)).toMatchObject({ health: { status: 'unknown' }, alerts: 0, last_report: null })
  const { data } = await owner.call(generateReports, {
    params: { workspaceId },
    body: { profile_ids: [shop], ...may },
  })
  expect((await rowOf(shop)).last_report).toBeNull()
  await app.pool.query(`update client_reports set status = 'ready' where profile_id = $1`, [shop])
  expect((await rowOf(shop)).last_report).toMatchObject({
    report_id: data.reports[0]!.report_id,
    status: 'ready',
  })
})

it('tags are added and removed in bulk, by editors and up, and only to profiles of the workspace', async () => {
  const tag = (person: Person, body: { profile_ids: string[]; add?: string[]; remove?: string[] }) =>
    person.call(tagClients, { params: { workspaceId }, body })
  await tag(owner, { profile_ids: [shop, studio], add: ['Retail', 'spain'] })
  const { data } = await tag(owner, { profile_ids: [studio], add: ['retail'], remove: ['SPAIN'] })
  expect(data).toEqual([{ profile_id: studio, tags: ['Retail'] }])
  expect((await rowOf(shop)).tags).toEqual(['Retail', 'spain'])
  const stranger = await makePerson(app, 'Other')
  const otherProfileId = await makeProfile(stranger, await makeWorkspace(stranger, 'agency'))
  expect(await refusalOf(tag(owner, { profile_ids: [otherProfileId], add: ['x'] }))).toMatchObject({
    code: 'not_found',
  })
  const many = Array.from({ length: 20 }, (_, at) => `tag-${at}`)
  expect(await refusalOf(tag(owner, { profile_ids: [shop], add: many }))).toMatchObject({ field: 'add' })
})

it('computes sums, currencies and tags', () => {
  const day = {
    day: '2026-05-01',
    spend_minor: 100,
    spend_unrated: 0,
    cash_minor: 300,
    cash_unrated: 0,
    payments: 2,
    credited_minor: 200,
    credited_unrated: 0,
  }
  const noRates = { convert: () => undefined }
  expect(toCurrency(day, 'EUR', 'EUR', noRates)).toEqual(day)
  expect(toFigures(sumOverview([toCurrency(day, 'EUR', 'USD', noRates)]), 'USD')).toEqual({
    spend: null,
    revenue: null,
    credited_revenue: null,
    payments: 2,
    total_roas: null,
    roas: null,
  })
  expect(toFigures(sumOverview([day, day]), 'EUR')).toMatchObject({
    spend: 2,
    revenue: 6,
    roas: 2,
    payments: 4,
  })
  expect(changeTags(['b', 'A'], ['a', 'c'], ['B'])).toEqual(['A', 'c'])
})
