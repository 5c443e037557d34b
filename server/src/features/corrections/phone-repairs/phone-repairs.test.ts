/** Phone repairs: customers merged by misread phone numbers are found, split, and merged again by an undo. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makeOwnProfile, type OwnProfile, refusalOf } from '../../../../test/make.ts'
import { dumpTables } from '../../../../test/oracle/tables.ts'
import { jobs } from '../../../app.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { EventInput } from '../../facts/events/contract.ts'
import { writeEvents } from '../../facts/events/queries.ts'
import { toNewEvent } from '../../facts/events/rules.ts'
import type { NewEvent } from '../../facts/events/stored.ts'
import { identifierId } from '../../facts/identity/identifiers.ts'
import { loadIdentityScope } from '../../facts/identity/scope.ts'
import { eraseWorkspaceCustomer } from '../erasures/contract.ts'
import { listPhoneRepairs, previewPhoneRepair, startPhoneRepair, undoPhoneRepair } from './contract.ts'
import { findRepair } from './queries.ts'
import { applyRepair, undoRepair } from './reprocess.ts'
import { earlierReading, withPhone } from './rules.ts'

let app: TestApp
let profile: OwnProfile

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  profile = await makeOwnProfile(app, ['identity:read', 'identity:write', 'customers:read'], {
    timezone: 'America/New_York',
    currency: 'USD',
  })
})

const phoneId = (number: string) =>
  identifierId('phone', number, profile.profileId, app.service.identityPepper)

/** Stores an event as releases up to 0.1 did, which put a `+` in front of every number. */
async function sendAsBefore(key: string, input: Record<string, unknown>): Promise<string> {
  const { db, identityPepper: pepper, clock } = app.service
  const { profileId } = profile
  const scope = await loadIdentityScope(db, app.service, profileId)
  const parsed = EventInput.parse({ idempotency_key: key, event_name: 'visit', ...input })
  const event = toNewEvent(parsed, { ...scope, pepper, currency: 'USD', now: clock.now() }) as NewEvent
  const typed = parsed.user_traits.phone!
  const body = withPhone(event.body, phoneId(earlierReading(typed) ?? typed.replace(/[^+\d]/g, '')))
  await writeEvents(db, { profileId, events: [{ ...event, body }] })
  app.service.processor.wake(profileId)
  await app.service.processor.settled(profileId)
  return event.id
}

/** An American visitor clicks an ad and an Egyptian customer pays; the misread number merges them. */
async function makeMerged() {
  const visitId = await sendAsBefore('visit', {
    anonymous_id: 'browser',
    timestamp: '2026-10-01T10:00:00Z',
    ad: { ad_id: 'A1', campaign_id: 'C1' },
    user_traits: { phone: '(201) 555-0123', first_name: 'Ann' },
  })
  await sendAsBefore('sale', {
    event_name: 'payment_received',
    timestamp: '2026-10-02T10:00:00Z',
    properties: { value: 100, currency: 'USD' },
    user_traits: { phone: '+20 15550123', first_name: 'Amr' },
  })
  return { visitId, merged: phoneId('+2015550123'), american: phoneId('+12015550123') }
}

const dump = () => dumpTables(app.service.db, profile.profileId)
const preview = async (body = {}) => (await profile.call(previewPhoneRepair, { body })).data
const apply = async (body = {}) => {
  const { data } = await profile.call(startPhoneRepair, { body })
  await drainJobs(app.service, jobs)
  return data.id
}
const statusOf = async (id: string) =>
  (await profile.call(listPhoneRepairs, { query: {} })).data.find((repair) => repair.id === id)

it('the preview returns the customers, the misread numbers and the money, and changes nothing', async () => {
  const { visitId, merged, american } = await makeMerged()
  const before = await dump()
  const result = await preview()
  expect(result).toMatchObject({ events: 1, customers: 1, truncated: false })
  const [person] = result.people
  expect(person).toMatchObject({
    customer_id: merged,
    misread: [{ event_id: visitId, typed: '(201) 555-0123', read_as_country: 'EG', country: 'US' }],
  })
  expect(new Map(person!.parts.map((part) => [part.customer_id, part]))).toEqual(
    new Map([
      [
        merged,
        expect.objectContaining({
          contact: expect.objectContaining({ first_name: 'Amr' }),
          touches: 0,
          payments: 1,
          money: [{ currency: 'USD', value: 100 }],
        }),
      ],
      [
        american,
        expect.objectContaining({
          contact: expect.objectContaining({ first_name: 'Ann' }),
          identifier_kinds: ['phone', 'anonymous_id'],
          touches: 1,
          payments: 0,
          money: [],
        }),
      ],
    ]),
  )
  expect(await dump()).toEqual(before)
  expect((await profile.call(listPhoneRepairs, { query: {} })).data).toEqual([])
})

it('the preview accepts an Idempotency-Key header', async () => {
  const { merged } = await makeMerged()
  const headers = { 'idempotency-key': 'preview-1' }
  for (const _ of [1, 2]) {
    const { data } = await profile.call(previewPhoneRepair, { body: {}, headers })
    expect(data.people.map((person) => person.customer_id)).toEqual([merged])
  }
})

it('a repair splits the customers, and its undo restores every derived row', async () => {
  const { merged, american } = await makeMerged()
  const before = await dump()
  const toAnAd = /"ad_id\\":\\"/
  expect(before.credits!.join()).toMatch(toAnAd)
  const id = await apply()
  expect(await statusOf(id)).toMatchObject({ status: 'applied', events: 1 })
  const after = await dump()
  expect(after.credits!.join()).not.toMatch(toAnAd)
  expect(after.touches!.join()).toContain(american)
  expect(after.payments!.join()).toContain(merged)
  expect(await preview()).toMatchObject({ events: 0, people: [] })

  await profile.call(undoPhoneRepair, { params: { id }, body: {} })
  await drainJobs(app.service, jobs)
  expect(await statusOf(id)).toMatchObject({ status: 'undone', events: 1 })
  expect(await dump()).toEqual(before)
  const repeated = await profile.call(undoPhoneRepair, { params: { id }, body: {} })
  expect(repeated.data.status).toBe('undone')

  const { data } = await profile.owner.call(listChanges, {
    params: { workspaceId: profile.workspaceId },
    query: { profile_id: profile.profileId },
  })
  expect(data.filter((change) => change.subject === id).map((change) => change.action)).toEqual([
    'identity.phone_repair_undone',
    'identity.phone_repair_started',
  ])
})

it('a repair and an undo resume after a crash and reach the same result', async () => {
  for (const [index, browser] of ['b1', 'b2', 'b3'].entries())
    await sendAsBefore(browser, {
      anonymous_id: browser,
      timestamp: '2026-10-01T10:00:00Z',
      ad: { ad_id: `A${index}` },
      user_traits: { phone: '(201) 555-0123' },
    })
  await makeMerged()
  const before = await dump()
  const scope = await loadIdentityScope(app.service.db, app.service, profile.profileId)
  const { data } = await profile.call(startPhoneRepair, { body: {} })
  const crashing = () => {
    const crash = new AbortController()
    const now = () => {
      crash.abort(new Error('crash'))
      return app.service.clock.now()
    }
    return { db: app.service.db, now, signal: crash.signal, step: 1 }
  }
  const repair = { id: data.id, include_unresolved: false }
  await expect(applyRepair(crashing(), scope, repair)).rejects.toThrow('crash')
  expect(await statusOf(data.id)).toMatchObject({ status: 'applying', events: 1 })
  await drainJobs(app.service, jobs)
  expect(await statusOf(data.id)).toMatchObject({ status: 'applied', events: 4 })

  await profile.call(undoPhoneRepair, { params: { id: data.id }, body: {} })
  await expect(undoRepair(crashing(), scope, repair)).rejects.toThrow('crash')
  expect(await dump()).not.toEqual(before)
  await drainJobs(app.service, jobs)
  expect(await dump()).toEqual(before)
})

it('a second repair of a profile is refused while one is running', async () => {
  await makeMerged()
  const { data } = await profile.call(startPhoneRepair, { body: {} })
  const running = { status: 409, code: 'invalid_state' }
  expect(await refusalOf(profile.call(startPhoneRepair, { body: {} }))).toMatchObject(running)
  expect(await refusalOf(profile.call(undoPhoneRepair, { params: { id: data.id }, body: {} }))).toMatchObject(
    running,
  )
  await drainJobs(app.service, jobs)
})

it('an invalid number is split off only with include_unresolved', async () => {
  await sendAsBefore('typed', { anonymous_id: 'bruno', user_traits: { phone: '(31) 99688-3193' } })
  await sendAsBefore('dutch', { anonymous_id: 'daan', user_traits: { phone: '+31996883193' } })
  expect(await preview()).toMatchObject({ events: 0, customers: 0 })
  const { people } = await preview({ include_unresolved: true })
  expect(people).toMatchObject([{ misread: [{ read_as_country: 'NL', country: null }], parts: [{}, {}] }])
  const id = await apply({ include_unresolved: true })
  expect(await statusOf(id)).toMatchObject({ include_unresolved: true, events: 1 })
})

it("the number is read in the country of its event, not the profile's", async () => {
  await sendAsBefore('abroad', {
    anonymous_id: 'bia',
    user_traits: { phone: '(31) 99688-3193', country: 'BR' },
  })
  await sendAsBefore('dutch', { anonymous_id: 'daan', user_traits: { phone: '+31996883193' } })
  expect((await preview()).people).toMatchObject([{ misread: [{ country: 'BR' }] }])
})

it('an undo does not restore customers who were erased after the repair', async () => {
  const { visitId, american } = await makeMerged()
  const id = await apply()
  await profile.owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId: profile.workspaceId },
    body: { profile_id: profile.profileId, customer_id: american },
  })
  await drainJobs(app.service, jobs)
  await profile.call(undoPhoneRepair, { params: { id }, body: {} })
  await drainJobs(app.service, jobs)
  const { rows } = await app.pool.query('select body from events where profile_id = $1 and id = $2', [
    profile.profileId,
    visitId,
  ])
  expect(JSON.stringify(rows)).not.toContain(phoneId('+2015550123'))
})

it('a caller who may not read people sees no number and no contact', async () => {
  await makeMerged()
  const call = app.as(await makeKey(app, profile.profileId, ['identity:write']))
  const { data } = await call(previewPhoneRepair, { body: {} })
  expect(data.people[0]).toMatchObject({ misread: [{ typed: null }] })
  expect(data.people[0]!.parts.map((part) => [part.contact, part.contact_withheld])).toEqual([
    [null, true],
    [null, true],
  ])
})

it('another profile can neither see nor undo a repair, and its customers do not change', async () => {
  await makeMerged()
  const id = await apply()
  const other = await makeOwnProfile(app, ['identity:read', 'identity:write'])
  expect((await other.call(listPhoneRepairs, { query: {} })).data).toEqual([])
  expect(await refusalOf(other.call(undoPhoneRepair, { params: { id }, body: {} }))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
  expect(await findRepair(app.service.db, { profileId: other.profileId, id })).toBeUndefined()
})
