/** Google's official client and its types against the sandbox, and the connector's requests against both. */
import { type calendar_v3, calendar as calendarClient } from '@googleapis/calendar'
import { createEngineCalendarSandbox } from '@whence/sandbox/engine-calendar/sandbox.ts'
import type { SandboxRequest } from '@whence/sandbox/sandbox.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { publishedTypes } from '../../../test/published-types.ts'
import { sandboxFetch } from '../../../test/sandbox-fetch.ts'
import { recorded, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { Session } from '../connector.ts'
import { engineCalendar } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const window = { sinceDay: '2026-02-01', untilDay: '2026-03-10' }
const app = sandboxApp('engine_calendar')
const { sandbox, requests } = recorded(createEngineCalendarSandbox(sandboxOptions(() => now).options))
const http = sandboxOutbound(sandbox)
const undeclared = publishedTypes('@googleapis/calendar', 'build/v3.d.ts')
const client = calendarClient({ version: 'v3', retry: false, fetchImplementation: sandboxFetch(sandbox) })
let session: Session
beforeAll(async () => {
  const { token } = await connectInSandbox(engineCalendar, http, app, { now })
  const [account] = await engineCalendar.listAccounts(http, app, token)
  session = { http, app, token, accountId: account!.id }
})
beforeEach(() => sandbox.act('reset', {}))

const as = () => ({ headers: { authorization: `Bearer ${session.token.accessToken}` } })

/** A query as the client's types name its values. */
const queryOf = ({ query }: SandboxRequest) =>
  Object.fromEntries(
    [...query].map(([name, value]) => [
      name,
      /^\d+$/.test(value) ? Number(value) : /^(true|false)$/.test(value) ? value === 'true' : value,
    ]),
  )

async function readAll(params: calendar_v3.Params$Resource$Events$List) {
  const items: calendar_v3.Schema$Event[] = []
  let pageToken: string | undefined
  for (;;) {
    const paging = pageToken === undefined ? {} : { pageToken }
    const { data } = await client.events.list({ ...params, ...paging }, as())
    expect(undeclared(data, 'Schema$Events')).toEqual([])
    items.push(...(data.items ?? []))
    if (!data.nextPageToken) return { items, token: data.nextSyncToken }
    pageToken = data.nextPageToken
  }
}

test('the official client lists the calendars that the connector lists', async () => {
  const { data } = await client.calendarList.list({}, as())
  expect(undeclared(data, 'Schema$CalendarList')).toEqual([])
  const { records } = await readEverything(engineCalendar, session, window)
  const list = records.find((record) => record.type === 'calendar_list')
  const ownedIds = data.items!.filter(({ accessRole }) => accessRole === 'owner').map(({ id }) => id)
  expect(list).toMatchObject({ calendars: ownedIds.map((id) => ({ id })) })
})

test('events by page, by sync token and after an expired one; every member is in the types', async () => {
  const calendarId = session.accountId
  await sandbox.act('book', { email: 'ana@example.com', name: 'Ana', day: '2026-03-12' })
  await sandbox.act('book', { email: 'bo@example.com', weeks: 3, reply: 'open' })
  const { items, token } = await readAll({ calendarId, singleEvents: true, maxResults: 20 })
  expect(items.length).toBeGreaterThan(20)
  expect(items.some(({ start }) => start?.date === '2026-03-12')).toBe(true)
  const booked = (await sandbox.act('book', { email: 'cy@example.com' })) as { event_id: string }
  await sandbox.act('change_event', { event_id: booked.event_id, cancelled: true })
  const changed = await readAll({ calendarId, syncToken: token! })
  expect(changed.items).toMatchObject([{ id: booked.event_id, status: 'cancelled' }])
  const both = { calendarId, syncToken: token!, timeMin: now.toISOString() }
  await expect(client.events.list(both, as())).rejects.toMatchObject({ code: 400 })
  await sandbox.act('expire_sync_tokens', {})
  await expect(client.events.list({ calendarId, syncToken: token! }, as())).rejects.toMatchObject({
    code: 410,
    response: { data: { error: { errors: [{ reason: 'fullSyncRequired' }] } } },
  })
})

test('every parameter that the connector sends is one of the client’s', async () => {
  requests.length = 0
  await readEverything(engineCalendar, session, window)
  const range = { from: now, until: new Date('2026-03-20T00:00:00Z'), limit: 10, after: null }
  await engineCalendar.calendars!.listEvents(session, session.accountId, range)
  const sent = requests.map((request) => ({
    type: request.path.endsWith('/events')
      ? 'Params$Resource$Events$List'
      : 'Params$Resource$Calendarlist$List',
    query: queryOf(request),
  }))
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.flatMap(({ type, query }) => undeclared(query, type))).toEqual([])
})

test('a calendar that either creates is shared by either, with the roles of the types', async () => {
  requests.length = 0
  const theirs = await client.calendars.insert({ requestBody: { summary: 'Desk', timeZone: 'UTC' } }, as())
  expect(undeclared(theirs.data, 'Schema$Calendar')).toEqual([])
  const ours = await engineCalendar.calendars!.create!(session, { name: 'Desk 2', timezone: 'UTC' })
  const requestBody = { role: 'reader', scope: { type: 'user', value: 'ana@example.com' } }
  const rule = await client.acl.insert({ calendarId: ours.id, requestBody }, as())
  expect(undeclared(rule.data, 'Schema$AclRule')).toEqual([])
  const share = { email: 'ana@example.com', role: 'reader' as const }
  await engineCalendar.calendars!.share!(session, theirs.data.id!, share)
  const bodies = requests.map(({ path, body }) => ({
    path: path.replace(/[^/]+(?=\/acl)/, '…'),
    body: JSON.parse(Buffer.from(body).toString()) as object,
  }))
  expect(bodies[3]).toEqual(bodies[2])
  expect(Object.keys(bodies[1]!.body)).toEqual(Object.keys(bodies[0]!.body))
  const odd = { ...requestBody, role: 'boss' }
  await expect(client.acl.insert({ calendarId: ours.id, requestBody: odd }, as())).rejects.toMatchObject({
    code: 400,
  })
})
