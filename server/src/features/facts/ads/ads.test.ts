import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeDelivery, makeEntity } from '../../../../test/ad-world.ts'
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
import type { DeliveryRecord } from '../../../connectors/connector.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { saveAdRecords } from '../../attribution/pipeline/save-ad-records.ts'
import { importSpend } from '../../sources/imports/contract.ts'
import { sendEvent } from '../events/contract.ts'
import { saveAppliedSettings } from './applied-settings.ts'
import { entityId } from './entities.ts'
import type { AdRecord } from './structure.ts'

let app: TestApp
let person: Person
let workspaceId: string
let profileId: string
let call: TestClient

beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app)
  workspaceId = await makeWorkspace(person, 'agency')
})
beforeEach(async () => {
  profileId = await makeProfile(person, workspaceId)
  call = app.as(await makeKey(app, profileId, ['campaigns:apply', 'events:write']))
})
afterAll(() => app.close())

const save = (records: readonly AdRecord[], source = 'social_ads') =>
  inTransaction(app.service.db, async (tx) =>
    saveAdRecords(
      tx,
      await loadAttributionProfile(tx, profileId),
      { source, connectionId: null },
      records,
      new Date(),
    ),
  )

const delivery = (level: DeliveryRecord['level'], externalId: string, fields: Partial<DeliveryRecord> = {}) =>
  ({
    type: 'delivery',
    level,
    externalId,
    day: '2026-05-01',
    spendMinor: 100,
    currency: 'EUR',
    impressions: 10,
    clicks: null,
    reach: null,
    platformConversionsMilli: null,
    platformConversionValueMinor: null,
    messagingConversationsStarted7d: null,
    ...fields,
  }) as const satisfies DeliveryRecord

const namedEntity = (
  level: 'ad_set' | 'ad',
  externalId: string,
  campaign: string | null,
  adSet: string | null,
) =>
  ({
    type: 'named',
    level,
    externalId,
    name: null,
    campaignExternalId: campaign,
    adSetExternalId: adSet,
  }) as const

async function effective() {
  const { rows } = await sql<{ level: string; external_id: string; day: string; spend_minor: number }>`
    select d.level, e.external_id, d.day, d.spend_minor, d.impressions, d.clicks, d.fx_missing, d.source
    from delivery_daily d join ad_entities e on e.profile_id = d.profile_id and e.id = d.entity_id
    where d.profile_id = ${profileId} order by d.level, e.external_id, d.day, d.source`.execute(
    app.service.db,
  )
  return rows
}
const spendOf = async () =>
  Object.fromEntries((await effective()).map((row) => [row.external_id, row.spend_minor]))

it("gives a parent the sum of its children's delivery until it has its own", async () => {
  await save([
    namedEntity('ad_set', 'S1', 'C1', null),
    delivery('ad', 'A1', { entity: { name: 'One', campaignExternalId: 'C1', adSetExternalId: 'S1' } }),
    delivery('ad', 'A2', {
      spendMinor: 50,
      entity: { name: null, campaignExternalId: null, adSetExternalId: 'S1' },
    }),
    delivery('ad', 'A3', {
      spendMinor: 7,
      entity: { name: null, campaignExternalId: 'C1', adSetExternalId: null },
    }),
  ])
  expect(await spendOf()).toEqual({ A1: 100, A2: 50, A3: 7, S1: 150, C1: 157 })
  await save([delivery('campaign', 'C1', { spendMinor: 160 })])
  expect((await spendOf()).C1).toBe(160)
  await save([delivery('ad', 'A1', { spendMinor: 90 })])
  expect(await spendOf()).toMatchObject({ A1: 90, S1: 140, C1: 160 })
})

it('today, the spend of a campaign equals that of its ads, although the ads were read later', async () => {
  const today = app.service.clock.now().toISOString().slice(0, 10)
  const read = async (level: string, day: string) => {
    const { rows } = await sql<{ spend_minor: number }>`
      select sum(spend_minor)::bigint as spend_minor from delivery_daily
      where profile_id = ${profileId} and level = ${level} and day = ${day}::date`.execute(app.service.db)
    return rows[0]!.spend_minor
  }
  const entities = [
    makeEntity('campaign', 'C1'),
    makeEntity('ad_set', 'S1', { campaignExternalId: 'C1' }),
    makeEntity('ad', 'A1', { campaignExternalId: 'C1', adSetExternalId: 'S1' }),
  ]
  const spent = (level: 'campaign' | 'ad_set' | 'ad', id: string, day: string, spendMinor: number) =>
    makeDelivery(level, id, day, { spendMinor })
  await save([...entities, spent('campaign', 'C1', today, 38_916), spent('ad_set', 'S1', today, 38_916)])
  await save([spent('ad', 'A1', today, 38_948)])
  for (const level of ['campaign', 'ad_set', 'ad']) expect(await read(level, today)).toBe(38_948)
  // A day that was over when it was read keeps the platform's figure at each level.
  await save([spent('campaign', 'C1', '2026-05-01', 100), spent('ad', 'A1', '2026-05-01', 101)])
  expect(await read('campaign', '2026-05-01')).toBe(100)
})

it('moves delivery with an ad set that changes its campaign, without leftover rows', async () => {
  await save([
    namedEntity('ad_set', 'S1', 'C1', null),
    delivery('ad', 'A1', { entity: { name: null, campaignExternalId: 'C1', adSetExternalId: 'S1' } }),
  ])
  expect(await spendOf()).toEqual({ A1: 100, S1: 100, C1: 100 })
  await save([namedEntity('ad_set', 'S1', 'C2', null)])
  expect(await spendOf()).toEqual({ A1: 100, S1: 100, C2: 100 })
})

it('saves restated days, counts changes, and adds up two sources of one entity', async () => {
  expect(await save([delivery('campaign', 'C1'), delivery('campaign', 'C1', { day: '2026-05-02' })])).toEqual(
    {
      inserted: 2,
      updated: 0,
      unchanged: 0,
    },
  )
  expect(
    await save([
      delivery('campaign', 'C1'),
      delivery('campaign', 'C1', { day: '2026-05-02', clicks: 3 }),
      delivery('campaign', 'C1', { day: '2026-05-03' }),
    ]),
  ).toEqual({ inserted: 1, updated: 1, unchanged: 1 })
  await save([delivery('campaign', 'C1', { spendMinor: 5 })], 'podcast')
  expect((await effective()).map((row) => [row.day, row.spend_minor])).toEqual([
    ['2026-05-01', 5],
    ['2026-05-01', 100],
    ['2026-05-02', 100],
    ['2026-05-03', 100],
  ])
})

it('keeps a status that was written while a listing was being read; the next listing corrects it', async () => {
  const listed = (status: string, readAt?: Date) =>
    inTransaction(app.service.db, async (tx) => {
      const from = { source: 'social_ads', connectionId: null, readAt }
      const record = {
        type: 'ad_entity',
        level: 'campaign',
        externalId: 'c-1',
        campaignExternalId: null,
        adSetExternalId: null,
        name: 'Spring',
        status,
        objective: null,
        dailyBudgetMinor: null,
        lifetimeBudgetMinor: null,
        currency: null,
        creative: null,
      } as const
      await saveAdRecords(tx, await loadAttributionProfile(tx, profileId), from, [record], new Date())
    })
  const id = entityId(profileId, 'campaign', 'c-1')
  const status = async () =>
    (
      await app.service.db
        .selectFrom('ad_entities')
        .select('status')
        .where('profile_id', '=', profileId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status
  await listed('ACTIVE')
  const readAt = await databaseNow(app.service.db)
  await saveAppliedSettings(app.service.db, profileId, [id], { status: 'PAUSED' })
  await listed('ACTIVE', readAt)
  expect(await status()).toBe('PAUSED')
  await listed('ARCHIVED', new Date(Date.now() + 60_000))
  expect(await status()).toBe('ARCHIVED')
})

it("converts by the day's rate and shows a missing one", async () => {
  await sql`insert into fx_rates (day, base, currency, rate) values ('2026-05-01', 'EUR', 'EUR', 1), ('2026-05-01', 'EUR', 'USD', 1.25)`.execute(
    app.service.db,
  )
  await save([
    delivery('ad', 'A1', { currency: 'USD', spendMinor: 1000 }),
    delivery('ad', 'A1', { currency: 'USD', spendMinor: 1000, day: '2026-04-20' }),
    delivery('ad', 'A2', { currency: 'USD', spendMinor: 0, day: '2026-04-20' }),
  ])
  expect(await effective()).toMatchObject([
    { external_id: 'A1', day: '2026-04-20', spend_minor: 0, fx_missing: 1 },
    { external_id: 'A1', day: '2026-05-01', spend_minor: 800, fx_missing: 0 },
    { external_id: 'A2', spend_minor: 0, fx_missing: 0 },
  ])
})

it('recomputes credit when the parents of a credited ad become known', async () => {
  const at = (day: number) => `2026-05-0${day}T10:00:00Z`
  await call(sendEvent, {
    body: { event_name: 'visit', anonymous_id: 'v', timestamp: at(1), ad: { ad_id: 'A1' } },
  })
  await call(sendEvent, {
    body: { event_name: 'visit', anonymous_id: 'w', timestamp: at(1), ad: { ad_set_id: 'S2' } },
  })
  for (const visitor of ['v', 'w'])
    await call(sendEvent, {
      body: {
        event_name: 'payment_received',
        anonymous_id: visitor,
        timestamp: at(2),
        properties: { value: 10 },
        idempotency_key: visitor,
      },
    })
  await app.service.processor.settled(profileId)
  const campaigns = async () =>
    (
      await sql<{ entity_id: string; last_touch_minor: number }>`
        select entity_id, last_touch_minor from credit_daily
        where profile_id = ${profileId} and level = 'campaign' order by entity_id`.execute(app.service.db)
    ).rows
  expect(await campaigns()).toEqual([
    { entity_id: '00000000-0000-0000-0000-000000000000', last_touch_minor: 2000 },
  ])
  await save([namedEntity('ad', 'A1', 'C1', 'S1')])
  await save([namedEntity('ad_set', 'S2', 'C1', null)])
  expect(await campaigns()).toEqual([
    { entity_id: entityId(profileId, 'campaign', 'C1'), last_touch_minor: 2000 },
  ])
})

const row = {
  source: 'podcast',
  level: 'ad_set' as const,
  campaign_id: 'spring',
  campaign_name: 'Spring',
  ad_set_id: 'hosts',
  date: '2026-05-01',
  spend: 12.34,
  currency: 'EUR',
  impressions: 1000,
}

it('imports spend as JSON and as CSV, by source, entity and date', async () => {
  const first = await call(importSpend, { body: { rows: [row, { ...row, date: '2026-05-02' }] } })
  expect(first.data).toEqual({ inserted: 2, updated: 0, unchanged: 0 })
  const csv = `${Object.keys(row).join(',')},ad_set_name\r\n${Object.values(row).join(',')},"Hosts, all"\r\n${Object.values({ ...row, date: '2026-05-02', spend: '20.01' }).join(',')},\r\n`
  const second = await call(importSpend, { raw: { contentType: 'text/csv; charset=utf-8', bytes: csv } })
  expect(second.data).toEqual({ inserted: 0, updated: 1, unchanged: 1 })
  expect((await effective()).map((entry) => [entry.level, entry.day, entry.spend_minor])).toEqual([
    ['ad_set', '2026-05-01', 1234],
    ['ad_set', '2026-05-02', 2001],
    ['campaign', '2026-05-01', 1234],
    ['campaign', '2026-05-02', 2001],
  ])
  const { rows } = await sql<{ name: string }>`
    select name from ad_entities where profile_id = ${profileId} order by level`.execute(app.service.db)
  expect(rows.map((entity) => entity.name)).toEqual(['Hosts, all', 'Spring'])
})

it('the order of rows of different entities in an import does not matter', async () => {
  const row = (
    level: 'ad' | 'ad_set',
    ids: { campaign_id?: string; ad_set_id: string; ad_id?: string },
    day: number,
  ) => ({ source: 'radio', level, ...ids, date: `2026-05-0${day}`, spend: '1.00' }) as const
  const first = row('ad', { ad_set_id: 'S1', ad_id: 'A1' }, 1)
  const ofSet = row('ad_set', { campaign_id: 'C2', ad_set_id: 'S1' }, 1)
  const then = row('ad', { ad_set_id: 'S2', ad_id: 'A1' }, 2)
  for (const rows of [
    [first, ofSet, then],
    [first, then, ofSet],
    [ofSet, first, then],
  ]) {
    profileId = await makeProfile(person, workspaceId)
    await app.as(await makeKey(app, profileId, ['campaigns:apply']))(importSpend, { body: { rows } })
    const { rows: ads } = await sql`
      select campaign_id, ad_set_id from ad_entities where profile_id = ${profileId} and level = 'ad'`.execute(
      app.service.db,
    )
    expect(ads).toEqual([{ campaign_id: null, ad_set_id: entityId(profileId, 'ad_set', 'S2') }])
  }
})

it('rejects an import with a bad row, names the row and writes nothing', async () => {
  const badRows: [Record<string, unknown>, string][] = [
    [{ ...row, currency: 'ZZZ' }, 'rows.1.currency'],
    [{ ...row, spend: -1, date: '2026-05-03' }, 'rows.1.spend'],
    [{ ...row, spend: 'much', date: '2026-05-03' }, 'rows.1.spend'],
    [{ ...row, date: '2026-02-30' }, 'rows.1.date'],
    [{ ...row, level: 'ad', date: '2026-05-03' }, 'rows.1.ad_id'],
    [{ ...row, clicks: 1.5, date: '2026-05-03' }, 'rows.1.clicks'],
    [{ ...row, colour: 'red' }, 'rows.1.colour'],
    [row, 'rows.1: same source, entity and date as rows.0'],
  ]
  for (const [badRow, location] of badRows) {
    const json = await refusalOf(call(importSpend, { body: { rows: [row, badRow] } }))
    expect(json).toMatchObject({ status: 422, code: 'validation_error' })
    expect(json.message).toContain(location)
  }
  const many = Array.from({ length: 1001 }, () => row)
  expect((await refusalOf(call(importSpend, { body: { rows: many } }))).status).toBe(422)
  const raw = { contentType: 'text/csv', bytes: 'source,level\npodcast,"campaign' }
  expect((await refusalOf(call(importSpend, { raw }))).code).toBe('invalid_request')
  expect(await effective()).toEqual([])
})
