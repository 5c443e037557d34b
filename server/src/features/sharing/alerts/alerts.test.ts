import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import {
  alertEventsOf,
  belowDaily,
  briefDeliveriesOf,
  makeAlertHook,
  setDailyRevenue,
} from '../../../../test/alert-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makeOwnProfile, type OwnProfile, refusalOf } from '../../../../test/make.ts'
import { type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { addDays, listDays } from '../../../platform/contract/dates.ts'
import { putBriefSubscription } from '../briefs/contract.ts'
import * as contract from './contract.ts'
import { evaluateProfile } from './evaluate.ts'
import { alertJobs } from './jobs.ts'

let app: TestApp
let profile: OwnProfile
let other: OwnProfile
let receiver: Receiver
let realNow: () => Date
const scopes = ['campaigns:read', 'tracking:write'] as const
beforeAll(async () => {
  app = await startTestApp({ SANDBOX: 'on', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  realNow = app.service.clock.now
  receiver = await startReceiver((_request, reply) => void reply.writeHead(200).end('ok'))
  other = await makeOwnProfile(app, scopes)
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})
beforeEach(async () => {
  app.service.clock.now = realNow
  await app.pool.query('delete from jobs')
  receiver.requests.length = 0
  profile = await makeOwnProfile(app, scopes, { name: 'Hazel' })
})

const today = '2026-06-16'
const at = (day: string, time = '08:00') => new Date(`${day}T${time}:00Z`)

const setRevenue = (days: readonly string[], valueMinor: number, payments?: number) =>
  setDailyRevenue(app, profile.profileId, { days, valueMinor, payments })
const steady = () => setRevenue(listDays(addDays(today, -120), addDays(today, 30)), 50_000)

const create = (name = 'Low revenue', condition: contract.AlertCondition = belowDaily) =>
  profile.call(contract.createAlert, { body: { name, condition } })
const evaluate = (now: Date) => evaluateProfile(jobContext(app.service, { now }), profile.profileId)
const listed = async () => (await profile.call(contract.listAlerts, {})).data
const log = async () => (await profile.call(contract.listAlertLog, {})).data
const hook = (fields: object = {}) => makeAlertHook(profile, `${receiver.url}/hook`, fields)
const deliveries = () => briefDeliveriesOf(app, profile.profileId)
const published = () => alertEventsOf(app, profile.profileId)
const texts = () => receiver.requests.map(({ body }) => JSON.parse(body).text as string)

describe('a rule', () => {
  it('fires once on a closed day, stays silent while firing and after a restatement, and recovers', async () => {
    await steady()
    await hook()
    await profile.owner.call(putBriefSubscription, {
      params: { workspaceId: profile.workspaceId },
      body: { profile_id: profile.profileId, cadence: 'never', alerts: true },
    })
    const { data: rule } = await create('Low revenue of ana@example.com')
    await setRevenue([addDays(today, -1)], 20_000)
    // In turn: the day is still open in the profile's zone; too early in the morning; evaluated; already evaluated.
    await evaluate(at(addDays(today, -1), '20:00'))
    await evaluate(at(today, '03:59'))
    expect((await log()).length).toBe(0)
    await Promise.all([evaluate(at(today)), evaluate(at(today))])
    await evaluate(at(today, '15:00'))
    await setRevenue([addDays(today, -2)], 10_000)
    await setRevenue([addDays(today, -1)], 10_000)
    await evaluate(at(today, '16:00'))
    await setRevenue([today], 31_000)
    await evaluate(at(addDays(today, 1)))
    expect(await log()).toMatchObject([
      {
        kind: 'fired',
        day: addDays(today, -1),
        figure: { value: 200, before: 500, change_percent: -60, conversions: 5 },
        recovered_on: null,
        is_muted: false,
      },
    ])
    await evaluate(at(addDays(today, 2)))
    expect((await log()).map(({ kind, recovered_on }) => [kind, recovered_on])).toEqual([
      ['recovered', null],
      ['fired', addDays(today, 1)],
    ])
    await drainJobs(app.service, alertJobs)
    expect((await deliveries()).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'sent'])
    expect(texts()).toHaveLength(2)
    // The two messages can arrive in either order.
    const [fired, recovered] = texts().sort(
      (a, b) => Number(a.includes('recovered')) - Number(b.includes('recovered')),
    )
    expect(fired).toContain('*Hazel: 1 alert*')
    expect(fired).toMatch(
      /Low revenue of …: Revenue on 15 Jun 2026: <https?:[^|>]+\|€200\.00>, below €300\.00/,
    )
    expect(recovered).toContain('Recovered – Low revenue of …')
    expect(JSON.stringify(texts())).not.toContain('ana@')
    const events = await published()
    expect(events.map(({ type }) => type)).toEqual(['alert.fired', 'alert.recovered'])
    expect(events[0].data).toMatchObject({ alert_id: rule.id, value: 200, threshold: 300, currency: 'EUR' })
    expect(JSON.stringify(events)).not.toContain('ana@')
    expect(await listed()).toMatchObject([{ state: 'ok', evaluated_through: addDays(today, 1), held: null }])
  })

  it('shares one message with others that fire on the same day, and is not sent to a receiver with alerts off', async () => {
    await steady()
    await hook()
    await hook({ alerts: false })
    await create('Low revenue')
    await create('Few payments', { ...belowDaily, metric: 'conversions', threshold: 3 })
    await setRevenue([addDays(today, -1)], 100, 1)
    await evaluate(at(today))
    await drainJobs(app.service, alertJobs)
    expect(texts()).toHaveLength(1)
    expect(texts()[0]).toContain('*Hazel: 2 alerts*')
    expect(await deliveries()).toHaveLength(1)
    expect(await published()).toHaveLength(2)
  })

  it('that is muted is logged and not sent', async () => {
    await steady()
    await hook()
    const { data: rule } = await create()
    const params = { id: rule.id }
    await profile.call(contract.updateAlert, { params, body: { mute_days: 3 } })
    await app.pool.query(`update alert_rules set muted_until = $2 where id = $1`, [
      rule.id,
      at(today, '09:00'),
    ])
    await setRevenue([addDays(today, -1)], 100)
    await evaluate(at(today))
    expect(await log()).toMatchObject([{ kind: 'fired', is_muted: true }])
    expect(await deliveries()).toEqual([])
    expect(await published()).toEqual([])
    const { data } = await profile.call(contract.updateAlert, { params, body: { mute_days: 0 } })
    expect(data).toMatchObject({ muted_until: null, state: 'firing' })
  })

  it('about spend waits until the ad data of the day is there, and all rules together until noon', async () => {
    await steady()
    const campaign = makeEntity('campaign', 'C1')
    const delivered = (day: string) => makeDelivery('campaign', 'C1', day, { spendMinor: 90_000 })
    await saveRecords(app, profile.profileId, [
      campaign,
      delivered(addDays(today, -3)),
      delivered(addDays(today, -2)),
    ])
    await create('Spend', { ...belowDaily, metric: 'spend', direction: 'above', threshold: 100 })
    await create()
    await setRevenue([addDays(today, -1)], 100)
    await evaluate(at(today))
    const heldReason = 'The ad data of social_ads has not arrived yet.'
    expect((await listed()).map((rule) => [rule.name, rule.evaluated_through, rule.held])).toEqual([
      ['Spend', null, heldReason],
      ['Low revenue', null, null],
    ])
    await evaluate(at(today, '12:00'))
    expect((await log()).map(({ name }) => name)).toEqual(['Low revenue'])
    await saveRecords(app, profile.profileId, [delivered(addDays(today, -1))])
    await evaluate(at(today, '13:00'))
    expect((await log()).map(({ name }) => name).sort()).toEqual(['Low revenue', 'Spend'])
  })

  it('about spend waits for a sync that began after the day ended where the ad account is', async () => {
    await app.pool.query(
      `with account as (
         insert into connections (id, profile_id, provider, external_id, display_name, status, scopes, token_version,
           timezone, authorized_at, created_at, updated_at)
         values (gen_random_uuid(), $1, 'social_ads', 'act_1', 'Shop', 'connected', '{}', 1, 'America/Los_Angeles',
           now(), now(), now())
         returning profile_id, id)
       insert into connection_syncs (profile_id, connection_id, state, pages, updated_at)
       select profile_id, id, 'idle', 0, now() from account`,
      [profile.profileId],
    )
    const synced = (began: Date) =>
      app.pool.query('update connection_syncs set complete_until = $2 where profile_id = $1', [
        profile.profileId,
        began,
      ])
    const through = async (now: Date) => {
      await evaluate(now)
      return (await listed())[0]!.evaluated_through
    }
    await create('Spend', { ...belowDaily, metric: 'spend', direction: 'above', threshold: 100 })
    // In Los Angeles the day ends at 07:00 UTC.
    await synced(at(addDays(today, -1), '22:30'))
    expect(await through(at(today, '12:00'))).toBeNull()
    await synced(at(today, '06:59'))
    expect(await through(at(today, '12:30'))).toBeNull()
    await synced(at(today, '07:00'))
    expect(await through(at(today, '13:00'))).toBe(addDays(today, -1))
  })

  it('catches up on closed days that an outage left out, in one message', async () => {
    await steady()
    await hook()
    await create()
    await evaluate(at(addDays(today, -4)))
    await setRevenue([addDays(today, -4)], 100)
    await evaluate(at(today))
    expect((await log()).map(({ kind, day }) => [kind, day])).toEqual([
      ['recovered', addDays(today, -3)],
      ['fired', addDays(today, -4)],
    ])
    await drainJobs(app.service, alertJobs)
    expect(texts()).toHaveLength(1)
  })

  it('about findings fires when the data check opens a problem', async () => {
    await hook()
    await create('Data', { kind: 'finding', check_id: null })
    const set = (status: string, checkedAt: Date) =>
      app.pool.query(
        `insert into doctor_checks (profile_id, check_id, status, affected, value_minor, since, examples, checked_at, opened_at)
         values ($1, 'orphan', $2, 1, null, null, '[]', $3, null)
         on conflict (profile_id, check_id) do update set status = excluded.status, checked_at = excluded.checked_at`,
        [profile.profileId, status, checkedAt],
      )
    await set('problem', at(addDays(today, -1)))
    await evaluate(at(today))
    expect(await listed()).toMatchObject([{ held: 'The data check of the day has not run yet.' }])
    await set('problem', at(today, '07:00'))
    await evaluate(at(today))
    expect(await log()).toMatchObject([{ kind: 'fired', figure: { check_ids: ['orphan'] } }])
    for (const day of [1, 2]) {
      await set('ok', at(addDays(today, day), '07:00'))
      await evaluate(at(addDays(today, day)))
    }
    expect((await log()).map(({ kind }) => kind)).toEqual(['recovered', 'fired'])
    await drainJobs(app.service, alertJobs)
    expect(texts().join()).toMatch(/Data: the data check has <https?:[^|>]+\/data-health\|1 open finding>/)
  })
})

describe('a rule that fires while its data ends', () => {
  it('ends after 14 closed days without evidence, in the log and without a message', async () => {
    await setRevenue(listDays(addDays(today, -120), addDays(today, -2)), 50_000)
    await hook()
    await create()
    await evaluate(at(today))
    await drainJobs(app.service, alertJobs)
    // For a week it is a fall compared with the week before; then there is nothing to compare with.
    for (const later of [7, 14, 19]) await evaluate(at(addDays(today, later)))
    expect(await listed()).toMatchObject([{ state: 'firing', figure: { verdict: 'unknown' } }])
    await evaluate(at(addDays(today, 20)))
    await drainJobs(app.service, alertJobs)
    const day = addDays(today, 19)
    expect(await listed()).toMatchObject([{ state: 'ok', evaluated_through: day }])
    expect(await log()).toMatchObject([
      { kind: 'recovered', day, is_muted: true, figure: { verdict: 'unknown', reason: 'no_more_data' } },
      { kind: 'fired', day: addDays(today, -1), recovered_on: day },
    ])
    expect(texts()).toHaveLength(1)
    expect((await published()).map(({ type }) => type)).toEqual(['alert.fired'])
  })

  it('ends after 14 closed days for which no ad data came', async () => {
    await saveRecords(app, profile.profileId, [
      makeEntity('campaign', 'C1'),
      makeDelivery('campaign', 'C1', addDays(today, -1), { spendMinor: 90_000 }),
    ])
    await create('Spend', { ...belowDaily, metric: 'spend', direction: 'above', threshold: 100 })
    await evaluate(at(today))
    await evaluate(at(addDays(today, 13), '13:00'))
    expect(await listed()).toMatchObject([{ state: 'firing', evaluated_through: addDays(today, -1) }])
    await evaluate(at(addDays(today, 14), '13:00'))
    expect(await listed()).toMatchObject([{ state: 'ok', held: expect.stringContaining('has not arrived') }])
    await evaluate(at(addDays(today, 14), '14:00'))
    expect((await log()).map(({ kind, day, figure }) => [kind, day, figure.reason])).toEqual([
      ['recovered', addDays(today, 13), 'no_more_data'],
      ['fired', addDays(today, -1), null],
    ])
  })
})

describe('a preview', () => {
  it('counts how often the rule would have fired, and has none for findings', async () => {
    app.service.clock.now = () => at(today)
    const last = addDays(today, -1)
    await setRevenue(listDays(addDays(last, -120), last), 50_000)
    for (const back of [50, 49, 30, 3]) await setRevenue([addDays(last, -back)], 100)
    const preview = (condition: contract.AlertCondition) =>
      profile.call(contract.previewAlert, { body: { condition } }).then(({ data }) => data)
    const result = await preview(belowDaily)
    expect(result).toMatchObject({ days: 90, unknown_days: 0, latest: { value: 500, verdict: 'clear' } })
    expect(result!.fired.map(({ day, recovered_on }) => [day, recovered_on])).toEqual([
      [addDays(last, -50), addDays(last, -48)],
      [addDays(last, -30), addDays(last, -29)],
      [addDays(last, -3), addDays(last, -2)],
    ])
    expect(result!.fired[0]!.figure).toMatchObject({ value: 1, conversions: 5 })
    expect(await preview({ ...belowDaily, min_conversions: 6 })).toMatchObject({
      fired: [],
      unknown_days: 90,
    })
    expect(await preview({ kind: 'finding', check_id: null })).toBeNull()
    // It ends on the same day as the job would: not before the hour, and only on days whose ad data is complete.
    app.service.clock.now = () => at(today, '03:59')
    expect((await preview(belowDaily))!.latest.date_to).toBe(addDays(last, -1))
    app.service.clock.now = () => at(today)
    await saveRecords(app, profile.profileId, [
      makeEntity('campaign', 'C1'),
      makeDelivery('campaign', 'C1', addDays(last, -2), { spendMinor: 90_000 }),
    ])
    expect((await preview({ ...belowDaily, metric: 'spend' }))!.latest.date_to).toBe(addDays(last, -2))
    expect((await preview(belowDaily))!.latest.date_to).toBe(last)
  })
})

it('a rule is invisible to another profile, and a rule on another profile’s campaign is refused', async () => {
  const { data: rule } = await create()
  const params = { id: rule.id }
  expect((await other.call(contract.listAlerts, {})).data).toEqual([])
  const body = { enabled: false }
  expect(await refusalOf(other.call(contract.updateAlert, { params, body }))).toMatchObject({ status: 404 })
  expect(await refusalOf(other.call(contract.deleteAlert, { params }))).toMatchObject({ status: 404 })
  await saveRecords(app, other.profileId, [makeEntity('campaign', 'C9')])
  const { rows } = await app.pool.query('select id from ad_entities where profile_id = $1', [other.profileId])
  const foreignCondition = { ...belowDaily, campaign_id: rows[0].id }
  expect(await refusalOf(create('Foreign', foreignCondition))).toMatchObject({ code: 'not_found' })
  expect(await refusalOf(create('Fine', { ...belowDaily, threshold: 0.001 }))).toMatchObject({
    code: 'validation_error',
  })
  expect(
    await refusalOf(create('All', { ...belowDaily, comparison: 'change', threshold: 100 })),
  ).toMatchObject({
    code: 'validation_error',
  })
  await profile.call(contract.deleteAlert, { params })
  expect(await listed()).toEqual([])
})

it('a key without campaigns:read cannot get figures through a rule', async () => {
  const { data: rule } = await create()
  const writer = app.as(await makeKey(app, profile.profileId, ['tracking:write']))
  const body = { name: 'Spend', condition: { ...belowDaily, metric: 'spend' } } as const
  for (const request of [
    () => writer(contract.previewAlert, { body: { condition: body.condition } }),
    () => writer(contract.createAlert, { body }),
    () => writer(contract.updateAlert, { params: { id: rule.id }, body: { mute_days: 0 } }),
  ])
    expect(await refusalOf(request())).toMatchObject({ status: 403, code: 'insufficient_scope' })
})

it('a condition changed after the day’s evaluation applies from the next day', async () => {
  await steady()
  await hook()
  const { data: rule } = await create()
  await setRevenue([addDays(today, -1), today], 10_000)
  await evaluate(at(today))
  app.service.clock.now = () => at(today, '12:00')
  const { data } = await profile.call(contract.updateAlert, {
    params: { id: rule.id },
    body: { condition: { ...belowDaily, threshold: 200 } },
  })
  expect(data).toMatchObject({ state: 'ok', figure: null })
  await evaluate(at(today, '15:00'))
  expect(await listed()).toMatchObject([{ state: 'ok', evaluated_through: addDays(today, -1) }])
  await evaluate(at(addDays(today, 1)))
  expect((await log()).map(({ kind, day }) => [kind, day])).toEqual([
    ['fired', today],
    ['fired', addDays(today, -1)],
  ])
})
