/** Calendars: connecting, creating, sharing and reading them, and the appointments derived from them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { shortIt as it, splitForRun } from '../../../../test/length.ts'
import { makeKey, makeOwnProfile, refusalOf } from '../../../../test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { makeVisitor, walkConsent } from '../../../../test/visitor.ts'
import { jobs } from '../../../app.ts'
import type { SyncRecord } from '../../../connectors/connector.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import type { Pagination } from '../../../platform/contract/page.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { disconnectConnection, getConnection, startSync } from '../connections/contract.ts'
import { findConnection } from '../connections/queries.ts'
import { applyRecords } from '../connections/records.ts'
import {
  calendarProviders,
  createCalendar,
  listCalendarEvents,
  listCalendars,
  shareCalendar,
  startCalendarLink,
} from './contract.ts'

type CalendarProvider = (typeof calendarProviders)[number]
const HOUR = 3_600_000
const DAY = 24 * HOUR

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const act = (provider: CalendarProvider, action: string, args: Record<string, unknown> = {}) =>
  triggerSandbox(app, provider, 'act', { action, args })

type Practice = Awaited<ReturnType<typeof openPractice>>

/** A shop with one calendar account, synced once. */
async function openPractice(provider: CalendarProvider) {
  const shop = await makeShop(app)
  const scopes = ['customers:read', 'events:write', 'connections:read', 'connections:write'] as const
  const call = app.as(await makeKey(app, shop.profileId, scopes))
  const link = (await call(startCalendarLink, { body: { provider } })).data
  await walkConsent(makeVisitor(), link.start_url, 'approve-one')
  const { result } = await shop.poll(link.id)
  await settle(shop)
  return { shop, call, provider, connectionId: (result as { connection_id: string }).connection_id }
}

async function settle({ profileId }: Pick<Shop, 'profileId'>): Promise<void> {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(profileId)
}

async function sync({ shop, call, connectionId }: Practice): Promise<void> {
  await call(startSync, { body: { connection_id: connectionId } })
  await settle(shop)
}

async function pass({ shop }: Practice, ms: number): Promise<void> {
  await moveClock(app, ms / 1000)
  await runSchedule(app.service, jobs, 'appointments.queue_due')
  await settle(shop)
}

let people = 0
const newEmail = () => `guest-${people++}@example.com`
const meet = async ({ call, shop }: Pick<Practice, 'call' | 'shop'>, email: string) => {
  const body = { event_name: 'lead_created', idempotency_key: `lead ${email}`, user_traits: { email } }
  await call(sendEvent, { body })
  await app.service.processor.settled(shop.profileId)
}
const inHours = (hours: number) =>
  new Date(Math.ceil(app.service.clock.now().getTime() / 1000) * 1000 + hours * HOUR)

/** Counted and cancelled outcomes of the appointments that start at a time. */
async function outcomes({ shop }: Practice): Promise<string[]> {
  const { rows } = await app.pool.query<{ outcome: string }>(
    `select outcome_type as outcome from conversions where profile_id = $1 and outcome_type like 'appointment%'
     union all select name from events where profile_id = $1 and name = 'appointment_cancelled' and body->>'retracted' is null
     order by 1`,
    [shop.profileId],
  )
  return rows.map((row) => row.outcome.replace('appointment_', ''))
}

describe('a calendar account', () => {
  it('is connected by a hand-off, and its calendars are listed with their names', async () => {
    const { call, connectionId } = await openPractice('engine_calendar')
    const connection = (await call(getConnection, { params: { id: connectionId } })).data
    expect(connection).toMatchObject({
      channel: 'engine_calendar',
      status: 'connected',
      display_name: 'Front desk',
    })
    const { data } = await call(listCalendars)
    expect(data.map(({ name, is_primary, is_managed }) => [name, is_primary, is_managed])).toEqual([
      ['Front desk', true, false],
      ['Showroom', false, false],
    ])
    expect(data[0]).toMatchObject({ provider: 'engine_calendar', timezone: 'America/New_York' })
    await call(disconnectConnection, { params: { id: connectionId } })
    expect((await call(listCalendars)).data).toEqual([])
  })
})

describe('a calendar of ours', () => {
  it('is created and shared; every other one is refused', async () => {
    const { call, shop } = await openPractice('engine_calendar')
    const created = (await call(createCalendar, { body: { name: 'Visits', timezone: 'Europe/Madrid' } })).data
    expect(created).toMatchObject({ name: 'Visits', timezone: 'Europe/Madrid', is_managed: true })
    const share = { email: 'colleague@example.com', role: 'reader' as const }
    await call(shareCalendar, { params: { id: created.id }, body: share })
    const written = (await (await fetch(`${app.baseUrl}/sandbox/writes`)).json()) as { data: unknown[] }
    expect(written.data).toContainEqual(
      expect.objectContaining({ calendar_id: created.id, role: 'reader', email: share.email }),
    )
    await settle(shop)
    const [first, primary] = (await call(listCalendars)).data
    expect(first).toMatchObject({ id: created.id, is_managed: true })
    const stranger = await openPractice('engine_calendar')
    for (const [who, id] of [
      [call, 'primary'],
      [call, primary!.id],
      [call, 'unknown@group.calendar.google.com'],
      [stranger.call, created.id],
    ] as const)
      expect(await refusalOf(who(shareCalendar, { params: { id }, body: share }))).toMatchObject({
        status: 422,
        code: 'calendar_unsupported',
      })
  })

  it('requires the permissions that a person may untick', async () => {
    const body = { name: 'Visits', timezone: 'UTC' }
    await act('engine_calendar', 'untick_permission', { scope: 'calendar.app.created' })
    const without = await openPractice('engine_calendar')
    expect(await refusalOf(without.call(createCalendar, { body }))).toMatchObject({
      status: 403,
      code: 'calendar_scope_required',
      reconnect_required: true,
      reconnect_url: expect.stringContaining('/connect/'),
    })
    await act('engine_calendar', 'untick_permission', { scope: 'calendar.acls' })
    const { call } = await openPractice('engine_calendar')
    await act('engine_calendar', 'reset')
    const { id } = (await call(createCalendar, { body })).data
    const share = { email: 'colleague@example.com', role: 'writer' as const }
    expect(await refusalOf(call(shareCalendar, { params: { id }, body: share }))).toMatchObject({
      status: 403,
      code: 'calendar_scope_required',
    })
  })

  it('is not created in a read-only account', async () => {
    const { call, connectionId } = await openPractice('external_calendar')
    const body = { name: 'Visits', timezone: 'UTC', connection_id: connectionId }
    expect(await refusalOf(call(createCalendar, { body }))).toMatchObject({ code: 'calendar_unsupported' })
    const { connection_id: _, ...open } = body
    expect(await refusalOf(call(createCalendar, { body: open }))).toMatchObject({ code: 'not_found' })
  })
})

describe.each(calendarProviders)('events of %s', (provider) => {
  it('are read live for at most 90 days, and each customer shown is logged', async () => {
    const practice = await openPractice(provider)
    const { call, shop } = practice
    const email = newEmail()
    await meet(practice, email)
    const start = inHours(30)
    await act(provider, 'book', {
      email,
      name: 'Ana Guest',
      starts_at: start.toISOString(),
      title: 'Fitting',
    })
    await settle(shop)
    const { id } = (await call(listCalendars)).data.find(({ is_primary }) => is_primary)!
    const day = (ms: number) => new Date(app.service.clock.now().getTime() + ms).toISOString().slice(0, 10)
    const read = (from: string, to: string, filters = {}) =>
      call(listCalendarEvents, { params: { id }, query: { from, to, ...filters } })
    const { data } = await read(day(0), day(3 * DAY), { limit: '200' })
    const event = data.find(({ title }) => title === 'Fitting')!
    expect(event).toMatchObject({ starts_at: start.toISOString(), is_all_day: false, is_recurring: false })
    expect(event.guests).toEqual([
      { email, name: 'Ana Guest', reply: 'accepted', customer_id: expect.any(String) },
    ])
    const { rows } = await app.pool.query(`select customer_ids from pii_access_log where profile_id = $1`, [
      shop.profileId,
    ])
    expect(rows.flatMap((row) => row.customer_ids)).toContain(event.guests[0]!.customer_id)
    const pages = await read(day(-40 * DAY), day(10 * DAY), { limit: '2' })
    expect(pages.data).toHaveLength(2)
    const next = await read(day(-40 * DAY), day(10 * DAY), {
      limit: '2',
      cursor: (pages.pagination as Pagination).cursor!,
    })
    expect(next.data[0]!.id).not.toBe(pages.data[0]!.id)
    expect(await refusalOf(read('2026-01-01', '2026-04-01'))).toMatchObject({
      status: 400,
      code: 'invalid_window',
    })
    expect((await read('2026-01-01', '2026-03-31')).data).toBeDefined()
    expect(await refusalOf(read('2026-02-01', '2026-01-01'))).toMatchObject({ code: 'invalid_parameter' })
    expect(await refusalOf(read(day(0), day(0), { cursor: 'nonsense' }))).toMatchObject({
      code: 'invalid_parameter',
    })
    const other = await makeOwnProfile(app, ['customers:read'])
    const params = { id }
    const query = { from: day(0), to: day(0) }
    expect(await refusalOf(other.call(listCalendarEvents, { params, query }))).toMatchObject({
      status: 422,
      code: 'calendar_unsupported',
    })
    expect(await refusalOf(shop.call(listCalendarEvents, { params, query }))).toMatchObject({ status: 403 })
  })
})

describe.each(splitForRun(calendarProviders, 1))('appointments of %s', (provider) => {
  test('of a guest who is a customer are booked, attended once they are over, or cancelled', async () => {
    const practice = await openPractice(provider)
    const [came, cancelled, declined, silent, unknown] = Array.from({ length: 5 }, newEmail) as [
      string,
      string,
      string,
      string,
      string,
    ]
    for (const email of [came, cancelled, declined, silent]) await meet(practice, email)
    const book = async (email: string, hours: number, reply = 'accepted') =>
      (await act(provider, 'book', { email, reply, starts_at: inHours(hours).toISOString() })).event_id
    await book(came, 2)
    const cancelledId = await book(cancelled, 3)
    await book(declined, 4, 'declined')
    await book(silent, 5, 'open')
    await book(unknown, 6)
    await sync(practice)
    expect(await outcomes(practice)).toEqual(['booked', 'booked', 'booked', 'booked', 'cancelled'])
    await act(provider, 'change_event', { event_id: cancelledId, cancelled: true })
    await sync(practice)
    expect(await outcomes(practice)).toEqual([
      'booked',
      'booked',
      'booked',
      'booked',
      'cancelled',
      'cancelled',
    ])
    await pass(practice, 8 * HOUR)
    expect(await outcomes(practice)).not.toContain('attended')
    await sync(practice)
    expect((await outcomes(practice)).filter((outcome) => outcome === 'attended')).toHaveLength(1)
    await meet(practice, unknown)
    await settle(practice.shop)
    await pass(practice, 7 * HOUR)
    expect((await outcomes(practice)).filter((outcome) => outcome === 'attended')).toHaveLength(2)
  })

  test('that are moved, lose their guest or are restored are counted in their current state', async () => {
    const practice = await openPractice(provider)
    const email = newEmail()
    await meet(practice, email)
    const { event_id } = await act(provider, 'book', { email, starts_at: inHours(2).toISOString() })
    await sync(practice)
    await pass(practice, 4 * HOUR)
    await sync(practice)
    expect(await outcomes(practice)).toEqual(['attended', 'booked'])
    const far = inHours(300 * 24)
    await act(provider, 'change_event', { event_id, starts_at: far.toISOString() })
    await sync(practice)
    expect(await outcomes(practice)).toEqual(['booked'])
    const { rows } = await app.pool.query('select starts_at, state from appointments where profile_id = $1', [
      practice.shop.profileId,
    ])
    expect(rows.filter((row) => row.starts_at.getTime() === far.getTime())).toEqual([
      { starts_at: far, state: 'accepted' },
    ])
    await act(provider, 'change_event', { event_id, starts_at: inHours(30).toISOString(), uninvite: true })
    await sync(practice)
    expect(await outcomes(practice)).toEqual(['booked', 'cancelled'])
  })

  test('that were deleted while the sync token had expired are detected by a full sync', async () => {
    const practice = await openPractice(provider)
    const [keptEmail, lostEmail] = [newEmail(), newEmail()]
    for (const email of [keptEmail, lostEmail]) await meet(practice, email)
    const at = (hours: number) => inHours(hours).toISOString()
    await act(provider, 'book', { email: keptEmail, starts_at: at(40) })
    const { event_id } = await act(provider, 'book', { email: lostEmail, starts_at: at(41) })
    await sync(practice)
    await act(provider, 'expire_sync_tokens')
    await act(provider, 'change_event', { event_id, cancelled: true })
    await sync(practice)
    expect(await outcomes(practice)).toEqual(['booked', 'booked', 'cancelled'])
    const { call, connectionId } = practice
    expect((await call(getConnection, { params: { id: connectionId } })).data.sync.last_error).toBeNull()
    const { rows } = await app.pool.query(
      'select count(*)::int as tokens from calendars where profile_id = $1 and sync_token is not null',
      [practice.shop.profileId],
    )
    expect(rows[0].tokens).toBeGreaterThan(0)
  })

  test('that recur count each time, and all-day ones use the calendar’s time zone', async () => {
    const practice = await openPractice(provider)
    const [weekly, allDay] = [newEmail(), newEmail()]
    for (const email of [weekly, allDay]) await meet(practice, email)
    await act(provider, 'book', { email: weekly, starts_at: inHours(50).toISOString(), weeks: 3 })
    const day = inHours(72).toISOString().slice(0, 10)
    await act(provider, 'book', { email: allDay, day })
    await sync(practice)
    expect(await outcomes(practice)).toEqual(['booked', 'booked', 'booked', 'booked'])
    const { rows } = await app.pool.query<{ starts_at: Date; ends_at: Date }>(
      `select starts_at, ends_at from appointments where profile_id = $1
       and ends_at - starts_at > interval '20 hours'`,
      [practice.shop.profileId],
    )
    const zone = provider === 'engine_calendar' ? 'America/New_York' : 'Europe/Madrid'
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    expect(rows.map((row) => clock.format(row.starts_at))).toEqual([`${day} 00:00`])
  })
})

describe('an appointment that several sources report', () => {
  it('counts from the CRM if both have it, and from the calendar again when the CRM’s is deleted', async () => {
    const practice = await openPractice('engine_calendar')
    const { shop } = practice
    const email = newEmail()
    await meet(practice, email)
    const startsAt = inHours(20).toISOString()
    await act('engine_calendar', 'book', { email, starts_at: startsAt })
    await sync(practice)
    const countedSources = async () =>
      (
        await app.pool.query<{ provider: string }>(
          `select e.provider from conversions c join events e on e.profile_id = c.profile_id and e.id = c.event_id
           where c.profile_id = $1 and c.outcome_type = 'appointment_booked'`,
          [shop.profileId],
        )
      ).rows.map(({ provider }) => provider)
    expect(await countedSources()).toEqual(['engine_calendar'])
    const { id } = await shop.connected('crmsuite')
    // The account's default events are not needed here.
    await app.service.db.deleteFrom('jobs').where('name', '=', 'connections.sync').execute()
    const person = { ...emptyPerson(), contactId: `contact of ${email}`, email }
    const at = new Date(app.service.clock.now()).toISOString()
    const contact = { type: 'contact' as const, externalId: person.contactId, updatedAt: at, person }
    const booked = {
      type: 'outcome' as const,
      externalId: `appointment of ${email}`,
      outcomeType: 'appointment_booked',
      occurredAt: at,
      value: null,
      stageId: null,
      person: { ...person, email: null },
      startsAt,
    }
    const applySynced = async (records: SyncRecord[]) => {
      await inTransaction(app.service.db, async (tx) => {
        const { profileId } = shop
        const profile = (await findProfileRef(tx, { profileId }))!
        const connection = (await findConnection(tx, { profileId, id }))!
        await applyRecords(
          tx,
          { service: app.service, profile, connection, now: app.service.clock.now() },
          records,
        )
      })
      await app.service.processor.settled(shop.profileId)
    }
    await applySynced([contact])
    await applySynced([{ ...booked, retracted: false }])
    await settle(shop)
    expect(await countedSources()).toEqual(['crmsuite'])
    await applySynced([{ ...booked, retracted: true }])
    await settle(shop)
    expect(await countedSources()).toEqual(['engine_calendar'])
  })

  it('counts once if two calendars have it', async () => {
    const practice = await openPractice('engine_calendar')
    const { shop } = practice
    const email = newEmail()
    await meet(practice, email)
    const starts_at = inHours(20).toISOString()
    await act('engine_calendar', 'book', { email, starts_at })
    await act('external_calendar', 'book', { email, starts_at })
    await sync(practice)
    await shop.connected('external_calendar')
    await settle(shop)
    expect(await outcomes(practice)).toEqual(['booked'])
  })
})
