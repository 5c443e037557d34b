/** A geo study from its design to its verdict, on simulated outcomes by region. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { shortIt as it, longIt } from '../../../../test/length.ts'
import { makeOwnProfile, type OwnProfile, refusalOf } from '../../../../test/make.ts'
import { plantSeries } from '../../../../test/planted/experiments.ts'
import { plantRegionDays } from '../../../../test/planted/region-days.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { cancelGeoExperiment, createGeoExperiment, designGeoExperiment, listExperiments } from './contract.ts'
import { decideExperiments } from './operations.ts'
import { LARGE_PAST, readDesignPast } from './past.ts'
import { listProfilesToDecide, listRegionDays } from './queries-regions.ts'

const PAST = 150
const scopes = ['campaigns:read', 'tracking:write'] as const
let app: TestApp
let shop: OwnProfile
const today = '2026-06-15'
const atTen = (day: string) => () => new Date(`${day}T10:00:00Z`)
beforeAll(async () => {
  app = await startTestApp()
  app.service.clock.now = atTen(today)
  shop = await makeOwnProfile(app, scopes)
})
afterAll(() => app.close())

const world = plantSeries({ regions: 9, days: PAST + 14, sales: 10 }, 4)

it('is designed, created, evaluated by region and gets a verdict', async () => {
  for (const { region, days } of world)
    await plantRegionDays(
      app.pool,
      shop.profileId,
      `  ${region.toLowerCase()} `,
      addDays(today, -PAST),
      days.slice(0, PAST),
    )
  const { data: design } = await shop.call(designGeoExperiment, { query: {} })
  expect(design).toMatchObject({ supported: true, reason: null, by_lot: true, power: 0.8 })
  expect(design.past).toMatchObject({ regions: 9, with_region: design.past.outcomes })
  expect([design.treated.length, design.control.length]).toEqual([3, 6])
  expect((await shop.call(designGeoExperiment, { query: {} })).data).toEqual(design)
  const names = (list: { region: string }[]) => list.map(({ region }) => region)
  // The draw is deterministic.
  expect(names(design.treated)).toEqual(['ES-R8', 'ES-R2', 'ES-R5'])
  const draws = await Promise.all(
    ['1', '2'].map(async (lot) => (await shop.call(designGeoExperiment, { query: { lot } })).data.treated),
  )
  expect(draws.map(names)).not.toEqual(draws.map(() => names(design.treated)))
  const option = design.options.find(({ days }) => days === 14)!
  const body = {
    name: 'Spring',
    metric: 'payments' as const,
    days: 14 as const,
    starts_on: today,
    treated: names(design.treated),
    control: names(design.control),
  }
  const { data: created } = await shop.call(createGeoExperiment, { body })
  expect(created).toMatchObject({ detectable_effect: option.detectable_effect, by_lot: true, power: 0.8 })
  expect(created.ends_on).toBe(addDays(today, 13))
  for (const { region, days } of world) {
    const factor = body.treated.some((name) => name.endsWith(region)) ? 1 + 2 * option.detectable_effect! : 1
    const during = days.slice(PAST).map((count) => Math.round(count * factor))
    await plantRegionDays(app.pool, shop.profileId, region, today, during)
  }
  const list = async () =>
    (await shop.owner.call(listExperiments, { params: { workspaceId: shop.workspaceId } })).data
  const toDecide = (day: string) => listProfilesToDecide(app.service.db, { now: atTen(day)() })
  app.service.clock.now = atTen(addDays(today, 7))
  expect((await list())[0]).toMatchObject({ verdict: null, status: 'running', own_reading: null })
  expect(await toDecide(addDays(today, 7))).toEqual([shop.profileId])
  expect(await toDecide(addDays(today, -1))).toEqual([])
  await decideExperiments({ db: app.service.db, now: app.service.clock.now() }, shop.profileId)
  const [running] = await list()
  expect(running).toMatchObject({ provider: 'own', verdict: null, status: 'running' })
  expect(running!.own_reading).toMatchObject({ metric: 'payments' })
  app.service.clock.now = atTen(addDays(today, 10))
  // The list does not read outcomes: it shows the reading stored by the daily run.
  expect((await list())[0]).toEqual(running)
  app.service.clock.now = atTen(today)
  const now = new Date(`${addDays(today, 30)}T06:00:00Z`)
  const rename = (from: string, to: string) =>
    app.pool.query(
      'update experiments set cells = replace(cells::text, $2, $3)::jsonb where profile_id = $1 and id = $4',
      [shop.profileId, JSON.stringify(from), JSON.stringify(to), created.id],
    )
  // A region without any outcome left is not treated as one with zero sales.
  await rename(body.control[0]!, 'ES-TEXA ')
  await decideExperiments({ db: app.service.db, now }, shop.profileId)
  expect((await list())[0]).toMatchObject({ verdict: null, own_reading: null })
  await rename('ES-TEXA ', body.control[0]!)
  await decideExperiments({ db: app.service.db, now }, shop.profileId)
  const [study] = await list()
  expect(study).toMatchObject({ id: created.id, kind: 'geo', verdict: 'positive', truth_grade: 'lift' })
  expect(study!.own_reading).not.toEqual(running!.own_reading)
  expect(await toDecide(addDays(today, 31))).toEqual([])
  expect(study!.cells.map(({ regions }) => regions)).toEqual([body.treated, body.control])
  expect(study!.design).toMatchObject({ metric: 'payments', days: 14, by_lot: true })
  const lateCancel = await refusalOf(shop.call(cancelGeoExperiment, { params: { id: created.id } }))
  expect(lateCancel).toMatchObject({ status: 409, code: 'invalid_state' })
  const unknown = await refusalOf(
    shop.call(createGeoExperiment, { body: { ...body, treated: ['Atlantis'] } }),
  )
  expect(unknown).toMatchObject({ status: 422, code: 'validation_error' })
  const pastStart = await refusalOf(
    shop.call(createGeoExperiment, { body: { ...body, starts_on: addDays(today, -1) } }),
  )
  expect(pastStart).toMatchObject({ status: 422, code: 'validation_error' })
  const few = await refusalOf(
    shop.call(createGeoExperiment, {
      body: { ...body, treated: body.treated.slice(0, 1), control: body.control.slice(0, 4) },
    }),
  )
  expect(few).toMatchObject({ status: 409, code: 'invalid_state' })

  const treated = names(draws[1]!)
  const control = [...body.treated, ...body.control].filter((region) => !treated.includes(region))
  const { data: second } = await shop.call(createGeoExperiment, { body: { ...body, treated, control } })
  expect(second.by_lot).toBe(true)
  const other = await makeOwnProfile(app, scopes)
  const foreignCancel = await refusalOf(other.call(cancelGeoExperiment, { params: { id: second.id } }))
  expect(foreignCancel).toMatchObject({ status: 404, code: 'not_found' })
  await shop.call(cancelGeoExperiment, { params: { id: second.id } })
  expect((await list()).find(({ id }) => id === second.id)).toMatchObject({
    status: 'canceled',
    verdict: null,
  })
})

it('region names are compared without regard to case and whitespace', async () => {
  const { profileId } = await makeOwnProfile(app, scopes)
  for (const region of ['massachusetts', ' Massachusetts', 'NEW  JERSEY', 'New\tJersey'])
    await plantRegionDays(app.pool, profileId, region, today, [9])
  const range = { country: 'US', from: today, to: today, minCustomers: 1 }
  const days = await listRegionDays(app.service.db, { profileId, ...range })
  expect(days.map(({ region, conversions }) => [region, conversions])).toEqual([
    ['US-MASSACHUSETTS', 18],
    ['US-NEW JERSEY', 18],
  ])
})

it('returns the reason if the history supports no study', async () => {
  const empty = await makeOwnProfile(app, scopes)
  const reasonOf = async (query = {}) => {
    const { data } = await empty.call(designGeoExperiment, { query })
    expect(data).toMatchObject({ supported: false, treated: [], options: [], recommended_days: null })
    return data.reason
  }
  const flat = (days: number) => Array.from({ length: days }, (_, day) => 3 + (day % 3))
  expect(await reasonOf()).toBe('no_regions')
  for (const region of ['A', 'B', 'C', 'D', 'E'])
    await plantRegionDays(app.pool, empty.profileId, region, addDays(today, -20), flat(20))
  expect(await reasonOf()).toBe('too_few_regions')
  await plantRegionDays(app.pool, empty.profileId, 'F', addDays(today, -20), flat(20))
  expect(await reasonOf()).toBe('past_too_short')
  await plantRegionDays(app.pool, empty.profileId, '5 Harbour Street', addDays(today, -20), flat(20), 2)
  expect((await empty.call(designGeoExperiment, { query: {} })).data.past.regions).toBe(6)
  await plantRegionDays(
    app.pool,
    empty.profileId,
    null,
    addDays(today, -20),
    flat(20).map((count) => 20 * count),
  )
  expect(await reasonOf()).toBe('regions_unknown')
})

it('a scan in a failing transaction is not shared with other requests', async () => {
  const { profileId } = await makeOwnProfile(app, scopes)
  const profile = (await findProfileRef(app.service.db, { profileId }))!
  const context = { service: app.service, db: app.service.db, profile, now: atTen(today)() }
  await app.service.db.transaction().execute(async (tx) => {
    await sql`savepoint before`.execute(tx)
    await expect(sql`select 1 / 0`.execute(tx)).rejects.toThrow('division by zero')
    const failing = readDesignPast({ ...context, db: tx })
    const other = readDesignPast(context)
    await expect(failing).rejects.toThrow('transaction is aborted')
    expect((await other).payments.outcomes).toBe(0)
    await sql`rollback to before`.execute(tx)
  })
})

longIt('a large history is read once a day', async () => {
  const large = await makeOwnProfile(app, scopes)
  const clock = app.service.clock.now
  const outcomesOf = async (query = {}) =>
    (await large.call(designGeoExperiment, { query })).data.past.outcomes
  const plant = (counts: number[]) =>
    plantRegionDays(app.pool, large.profileId, 'A', addDays(today, -9), counts)
  await plant([LARGE_PAST])
  expect(await outcomesOf()).toBe(LARGE_PAST)
  await plant([1])
  const [first, second] = await Promise.all([outcomesOf(), outcomesOf({ metric: 'conversions' })])
  expect([first, second]).toEqual([LARGE_PAST + 1, LARGE_PAST + 1])
  await plant([1])
  expect(await outcomesOf({ lot: '3' })).toBe(LARGE_PAST + 1)
  app.service.clock.now = atTen(addDays(today, 1))
  expect(await outcomesOf()).toBe(LARGE_PAST + 2)
  app.service.clock.now = clock
})
