/** Privacy of calendars: who may share one, which guests are shown, and what remains after a disconnect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { authorizePartner } from '../../../../test/consent-browser.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeApp, makeKey, makePerson, makeWorkspace, provision, refusalOf } from '../../../../test/make.ts'
import { makeShop, triggerSandbox } from '../../../../test/make-shop.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { jobs } from '../../../app.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { updateComplianceOverview } from '../../account/workspaces/contract.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { disconnectConnection, startSync } from '../connections/contract.ts'
import {
  calendarProviders,
  createCalendar,
  listCalendarEvents,
  listCalendars,
  shareCalendar,
} from './contract.ts'

type CalendarProvider = (typeof calendarProviders)[number]

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function openPractice(provider: CalendarProvider = 'engine_calendar') {
  const shop = await makeShop(app)
  const scopes = ['customers:read', 'events:write', 'connections:read', 'connections:write'] as const
  const call = app.as(await makeKey(app, shop.profileId, scopes))
  const { id: connectionId } = await shop.connected(provider)
  const settle = async () => {
    await drainJobs(app.service, jobs)
    await app.service.processor.settled(shop.profileId)
  }
  await settle()
  const meet = async (email: string) => {
    const body = { event_name: 'lead_created', idempotency_key: `lead ${email}`, user_traits: { email } }
    await call(sendEvent, { body })
    await settle()
  }
  const book = async (email: string, hours: number, title: string) => {
    const starts_at = new Date(app.service.clock.now().getTime() + hours * 3_600_000).toISOString()
    return triggerSandbox(app, provider, 'act', { action: 'book', args: { email, starts_at, title } })
  }
  return { shop, call, connectionId, settle, meet, book }
}

describe('sharing a calendar', () => {
  const share = { email: 'reader@elsewhere.example', role: 'reader' as const }
  const needsOwner = { status: 403, code: 'forbidden', reason: 'owner_decision_required' }
  type Practice = Awaited<ReturnType<typeof openPractice>>
  const make = async (call: TestClient) =>
    (await call(createCalendar, { body: { name: 'Visits', timezone: 'UTC' } })).data.id
  const byOwner = ({ shop }: Practice, id: string) =>
    shop.owner.call(shareCalendar, {
      params: { id },
      body: share,
      query: { profile_id: shop.profileId },
    })
  const changesOf = async ({ shop }: Practice) =>
    (await shop.owner.call(listChanges, { params: { workspaceId: shop.workspaceId } })).data.filter(
      ({ action }) => action === 'calendar.shared',
    )
  const mailsOf = async ({ shop, settle }: Practice) => {
    await settle()
    return (await mailsTo(app, shop.owner.email)).filter(({ subject }) => /calendar/i.test(subject))
  }

  it('requires more than the grant of an authorized app', async () => {
    const practice = await openPractice()
    const { shop, call } = practice
    const stranger = await makeApp(app, await makeWorkspace(await makePerson(app, 'Stranger')))
    const consentRequest = { scope: 'connections', profileId: shop.profileId }
    const partner = app.as((await authorizePartner(app, stranger, shop.owner, consentRequest)).access_token)
    const id = await make(partner)
    expect(await refusalOf(partner(shareCalendar, { params: { id }, body: share }))).toMatchObject(needsOwner)
    expect(await changesOf(practice)).toEqual([])
    // The business shares without a mail to its owners; the log contains the target domain.
    await call(shareCalendar, { params: { id }, body: share })
    expect(await changesOf(practice)).toMatchObject([
      { detail: { role: 'reader', domain: 'elsewhere.example' } },
    ])
    expect(await mailsOf(practice)).toEqual([])
    // The app that provisioned the profile decides, and the owners are mailed.
    const maker = await provision(app, shop.profileId, await makeApp(app, shop.workspaceId), ['connections'])
    const provisioningApp = app.as(maker.apiKey)
    await provisioningApp(shareCalendar, { params: { id: await make(provisioningApp) }, body: share })
    expect(await mailsOf(practice)).toHaveLength(1)
  })

  it.each(['healthcare', 'hipaa'])(
    'of a %s profile needs a decision of an owner or admin, and the owners are mailed',
    async (kind) => {
      const practice = await openPractice()
      const { shop, call } = practice
      const id = await make(call)
      if (kind === 'healthcare')
        await shop.owner.call(updateComplianceOverview, {
          params: { workspaceId: shop.workspaceId },
          body: { healthcare: true },
        })
      else await app.pool.query(`update profiles set privacy_mode = 'hipaa' where id = $1`, [shop.profileId])
      expect(await refusalOf(call(shareCalendar, { params: { id }, body: share }))).toMatchObject(needsOwner)
      await byOwner(practice, id)
      const [mail] = await mailsOf(practice)
      expect(mail?.text).toContain(share.email)
      expect(mail?.text).toContain(`Decided by ${shop.owner.email}`)
      expect(await changesOf(practice)).toMatchObject([{ detail: { domain: 'elsewhere.example' } }])
    },
  )
})

describe.each(calendarProviders)('calendars of %s', (provider) => {
  it('are only those that the account owns, and only guests who are customers are shown', async () => {
    const { call, meet, book } = await openPractice(provider)
    const calendars = (await call(listCalendars)).data
    expect(calendars.length).toBeGreaterThan(0)
    expect(calendars.filter(({ name }) => name.startsWith('Holidays'))).toEqual([])
    const [customerEmail, strangerEmail] = [`known@${provider}.example`, `unknown@${provider}.example`]
    await meet(customerEmail)
    await book(customerEmail, 30, 'Fitting')
    await book(strangerEmail, 31, 'Dentist')
    const day = (days: number) =>
      new Date(app.service.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
    const { data } = await call(listCalendarEvents, {
      params: { id: calendars.find(({ is_primary }) => is_primary)!.id },
      query: { from: day(0), to: day(3), limit: '200' },
    })
    expect(data.find(({ title }) => title === 'Fitting')).toMatchObject({
      guests: [{ email: customerEmail, customer_id: expect.any(String) }],
      other_guests: 0,
    })
    expect(JSON.stringify(data)).not.toMatch(/unknown@|Dentist/)
    expect(data.filter((event) => event.other_guests === 1)).toContainEqual(
      expect.objectContaining({ title: null, guests: [] }),
    )
  })
})

it('a disconnected calendar keeps only counted appointments, and a reconnect reads it from the beginning', async () => {
  const { shop, call, connectionId, settle, meet, book } = await openPractice()
  await call(createCalendar, { body: { name: 'Fittings', timezone: 'UTC' } })
  const customerEmail = 'returning@guests.example'
  await meet(customerEmail)
  await book(customerEmail, 40, 'Fitting')
  await book('never-met@guests.example', 41, 'Dentist')
  await call(startSync, { body: { connection_id: connectionId } })
  await settle()
  const stored = async () => {
    const rows = async (select: string) => (await app.pool.query(select, [shop.profileId])).rows
    return {
      guests: await rows(
        'select external_id, identifier_id, reported, starts_at from appointments where profile_id = $1 order by 1, 2',
      ),
      calendars: await rows(
        'select external_id, name, is_managed, sync_token is not null as has_token from calendars where profile_id = $1 order by 1',
      ),
    }
  }
  const before = await stored()
  const countedGuests = before.guests.filter(({ reported }) => reported.length > 0)
  expect(countedGuests).toHaveLength(1)
  expect(before.guests.length).toBeGreaterThan(1)
  const [managed, ...extraManaged] = before.calendars.filter(({ is_managed }) => is_managed)
  expect([managed.name, extraManaged]).toEqual(['Fittings', []])
  expect(before.calendars.length).toBeGreaterThan(1)
  expect(before.calendars.every(({ has_token }) => has_token)).toBe(true)
  await call(disconnectConnection, { params: { id: connectionId } })
  expect(await stored()).toEqual({ guests: countedGuests, calendars: [{ ...managed, has_token: false }] })
  expect((await shop.connected('engine_calendar')).id).toBe(connectionId)
  await settle()
  const after = await stored()
  expect(after.calendars).toEqual(before.calendars)
  const upcoming = ({ guests }: typeof before) =>
    guests.filter(({ starts_at }) => starts_at > app.service.clock.now())
  expect(upcoming(after)).toEqual(upcoming(before))
  expect(upcoming(after).length).toBeGreaterThan(1)
})

it('an erased guest keeps no appointment, also after the calendar is synced again', async () => {
  const { shop, call, connectionId, settle, meet, book } = await openPractice()
  const email = 'erased@guests.example'
  await meet(email)
  const { event_id } = await book(email, 9, 'Fitting')
  const sync = async () => {
    await call(startSync, { body: { connection_id: connectionId } })
    await settle()
  }
  await sync()
  const rows = async (select: string, ...values: unknown[]) =>
    (await app.pool.query(select, [shop.profileId, ...values])).rows
  const owned = () =>
    rows(`select 1 from appointments where profile_id = $1 and external_id like '%' || $2`, event_id)
  const countedIds = () =>
    rows(`select id from events where profile_id = $1 and name like 'appointment%' and body->>'retracted' is null
      union all select id from conversions where profile_id = $1 order by 1`)
  expect(await owned()).toHaveLength(1)
  await shop.owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId: shop.workspaceId },
    body: { profile_id: shop.profileId, email },
  })
  await settle()
  expect(await owned()).toEqual([])
  const before = await countedIds()
  await triggerSandbox(app, 'engine_calendar', 'act', { action: 'expire_sync_tokens', args: {} })
  await sync()
  expect(await countedIds()).toEqual(before)
})
