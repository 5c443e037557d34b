/** Microsoft's official client and its types against the sandbox, and the connector's results against the client's. */
import { PageIterator } from '@microsoft/microsoft-graph-client'
import type { Calendar, Event } from '@microsoft/microsoft-graph-types'
import { createExternalCalendarSandbox } from '@whence/sandbox/external-calendar/sandbox.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { graphClient } from '../../../test/graph-client.ts'
import { publishedTypes } from '../../../test/published-types.ts'
import { sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { Session } from '../connector.ts'
import { externalCalendar } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const window = { sinceDay: '2026-02-01', untilDay: '2026-03-10' }
const bounds = { startDateTime: '2026-02-01T00:00:00Z', endDateTime: '2026-06-01T00:00:00Z' }
const app = sandboxApp('external_calendar')
const sandbox = createExternalCalendarSandbox(sandboxOptions(() => now).options)
const http = sandboxOutbound(sandbox)
const undeclared = publishedTypes('@microsoft/microsoft-graph-types', 'microsoft-graph.d.ts')
const client = graphClient(sandbox, () => session.token.accessToken)
let session: Session
let calendars: Calendar[]
beforeAll(async () => {
  const { token } = await connectInSandbox(externalCalendar, http, app, { now })
  const [account] = await externalCalendar.listAccounts(http, app, token)
  session = { http, app, token, accountId: account!.id }
  calendars = ((await client.api('/me/calendars').get()) as { value: Calendar[] }).value
})
beforeEach(() => sandbox.act('reset', {}))

const viewOf = (path = '') => `/me/calendars/${calendars[0]!.id}/calendarView${path}`

async function readPages(path: string): Promise<Event[]> {
  const events: Event[] = []
  const first = await client.api(path).query(bounds).header('prefer', 'odata.maxpagesize=7').get()
  await new PageIterator(client, first, (event: Event) => events.push(event) > 0).iterate()
  return events
}

test('user and calendars are of the published types, and the connector lists those that can be edited', async () => {
  expect(undeclared(await client.api('/me').get(), 'User')).toEqual([])
  expect(calendars.flatMap((calendar) => undeclared(calendar, 'Calendar'))).toEqual([])
  const { records } = await readEverything(externalCalendar, session, window)
  const editable = calendars.filter(({ canEdit }) => canEdit).map(({ id }) => ({ id }))
  expect(records.find(({ type }) => type === 'calendar_list')).toMatchObject({ calendars: editable })
})

test('the client pages through the view and its delta; both hold events of the published type', async () => {
  await sandbox.act('book', { email: 'ana@example.com', day: '2026-03-12' })
  await sandbox.act('book', { email: 'bo@example.com', weeks: 3, reply: 'open' })
  const view = await readPages(viewOf())
  expect(view.length).toBeGreaterThan(10)
  expect(view.flatMap((event) => undeclared(event, 'Event'))).toEqual([])
  const changed = await readPages(viewOf('/delta'))
  expect(changed.flatMap((event) => undeclared(event, 'Event'))).toEqual([])
  const inDelta = new Set(changed.map(({ id }) => id))
  expect(view.filter(({ id }) => !inDelta.has(id))).toEqual([])
})

test('the client receives the platform’s errors', async () => {
  await expect(client.api(viewOf()).get()).rejects.toMatchObject({ statusCode: 400 })
  await expect(client.api(viewOf('/delta')).query(bounds).select('subject').get()).rejects.toMatchObject({
    code: 'ErrorInvalidUrlQuery',
  })
  await expect(client.api('/me/events/unknown').get()).rejects.toMatchObject({
    statusCode: 404,
    code: 'ErrorItemNotFound',
  })
  const first = await client
    .api(viewOf('/delta'))
    .query(bounds)
    .header('prefer', 'odata.maxpagesize=500')
    .get()
  await sandbox.act('expire_sync_tokens', {})
  await expect(client.api(first['@odata.deltaLink']).get()).rejects.toMatchObject({
    statusCode: 410,
    code: 'SyncStateNotFound',
  })
})
