/**
 * Imitates Google Calendar: calendars, events with sync tokens, sharing. Parameters, restrictions of `syncToken` and the
 * answer to an expired one (410, `fullSyncRequired`) by https://developers.google.com/workspace/calendar/api/guides/sync
 * and the reference of events.list and acl.insert; scopes by the published client libraries. Read on 2026-11-17.
 */

import { actInCommon } from '../actions.ts'
import { dayNumber, localDay, localMinute } from '../days.ts'
import { engineError, engineSandboxOAuth } from '../engine-oauth.ts'
import { createFaults } from '../faults.ts'
import { type BookedMeeting, decodePoint, encodePoint, MeetingBook, type SyncPoint } from '../meetings.ts'
import { readJson, textArg } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex } from '../seeded-random.ts'
import type { Grant } from '../tokens.ts'

const scopeOf = (name: string) => `https://www.googleapis.com/auth/${name}`
const scopes = ['calendar.readonly', 'calendar.app.created', 'calendar.acls'].map(scopeOf)
const zone = 'America/New_York'
const aclRoles = ['none', 'freeBusyReader', 'reader', 'writer', 'owner']

type Listed = { id: string; summary: string; timeZone: string; accessRole: string; primary?: true }
type PageToken = { offset: number; since: SyncPoint | null }

const googleError = (status: number, reason: string, message: string): SandboxReply =>
  engineError(status, reason, message, { errors: [{ domain: 'global', reason, message }] })

const scopeMissing = () =>
  googleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')

/** Local time with the zone's offset, in the platform's format. */
function withOffset(at: Date): string {
  const minutes = dayNumber(localDay(at, zone)) * 1440 + localMinute(at, zone)
  const offset = minutes - Math.floor(at.getTime() / 60_000)
  const sign = offset < 0 ? '-' : '+'
  const two = (value: number) => String(value).padStart(2, '0')
  const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, 19)
  return `${local}${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
}

function eventTime(meeting: BookedMeeting, side: 'start' | 'end') {
  if (meeting.days !== null) return { date: side === 'start' ? meeting.days.first : meeting.days.after }
  return { dateTime: withOffset(meeting[side]), timeZone: zone }
}

const responses = { accepted: 'accepted', declined: 'declined', open: 'needsAction' }

function eventBody(meeting: BookedMeeting, account: string): Record<string, unknown> {
  const base = { kind: 'calendar#event', etag: `"${meeting.updatedAt.getTime()}"`, id: meeting.id }
  const instance =
    meeting.seriesId === null
      ? {}
      : { recurringEventId: meeting.seriesId, originalStartTime: eventTime(meeting, 'start') }
  // Only the id of a cancelled event is guaranteed.
  if (meeting.isCancelled) return { ...base, status: 'cancelled', ...instance }
  const self = { email: account, organizer: true, self: true, responseStatus: 'accepted' }
  const guests = meeting.guests.map(({ email, name, reply }) => ({
    email,
    ...(name === null ? {} : { displayName: name }),
    responseStatus: responses[reply],
  }))
  return {
    ...base,
    status: 'confirmed',
    created: meeting.createdAt.toISOString(),
    updated: meeting.updatedAt.toISOString(),
    summary: meeting.title,
    creator: { email: account, self: true },
    organizer: { email: account, self: true },
    start: eventTime(meeting, 'start'),
    end: eventTime(meeting, 'end'),
    ...instance,
    iCalUID: `${meeting.seriesId ?? meeting.id}@google.com`,
    sequence: 0,
    ...(guests.length === 0 ? {} : { attendees: [self, ...guests] }),
    eventType: 'default',
  }
}

const restricted = ['iCalUID', 'orderBy', 'privateExtendedProperty', 'q', 'sharedExtendedProperty']
const bounds = ['timeMin', 'timeMax', 'updatedMin']

function problemWith(query: URLSearchParams): SandboxReply | null {
  const most = Number(query.get('maxResults') ?? 250)
  if (!(most >= 1 && most <= 2500))
    return googleError(400, 'invalidParameter', 'Invalid value for maxResults')
  const isSingle = query.get('singleEvents') === 'true'
  if (query.get('orderBy') === 'startTime' && !isSingle)
    return googleError(400, 'badRequest', 'The requested ordering is not available for the particular query.')
  const [from, until] = ['timeMin', 'timeMax'].map((name) => query.get(name))
  for (const time of [from, until])
    if (time != null && !/^\d{4}-\d\d-\d\dT[\d:.]{5,20}(Z|[+-]\d\d:\d\d)$/.test(time))
      return googleError(400, 'badRequest', 'Bad Request')
  if (from && until && Date.parse(from) >= Date.parse(until))
    return googleError(400, 'timeRangeEmpty', 'The specified time range is empty.')
  const isRestricted = [...restricted, ...bounds].some((name) => query.has(name))
  if (query.has('syncToken') && (isRestricted || query.get('showDeleted') === 'false'))
    return googleError(
      400,
      'syncTokenWithRequestRestrictions',
      'Sync token cannot be used with other request restrictions.',
    )
  return null
}

export function createEngineCalendarSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const tail = seededHex(6, options.seed, 'calendar')
  const account = `frontdesk@harborandpine-${tail}.example`
  const book = new MeetingBook({ seed: options.seed, now: options.now, calendarId: account })
  const calendars: Listed[] = [
    { id: account, summary: 'Front desk', timeZone: zone, accessRole: 'owner', primary: true },
    {
      id: `showroom-${tail}@group.calendar.google.com`,
      summary: 'Showroom',
      timeZone: zone,
      accessRole: 'owner',
    },
    {
      id: 'en.usa#holiday@group.v.calendar.google.com',
      summary: 'Holidays in United States',
      timeZone: zone,
      accessRole: 'reader',
    },
  ]
  const shares: Record<string, unknown>[] = []
  const oauth = engineSandboxOAuth(options, {
    providerName: 'Google Calendar',
    accounts: [{ id: account, name: account }],
    scopes,
  })

  function list(grant: Grant): SandboxReply {
    const visibleCalendars = grant.accountIds.length === 0 ? [] : calendars
    const items = visibleCalendars.map((calendar) => ({
      kind: 'calendar#calendarListEntry',
      etag: '"1"',
      colorId: '1',
      ...calendar,
    }))
    return { status: 200, body: { kind: 'calendar#calendarList', etag: '"list"', items } }
  }

  function events(request: SandboxRequest, calendarId: string): SandboxReply {
    const { query } = request
    const problem = problemWith(query)
    if (problem !== null) return problem
    const isGiven = query.has('pageToken')
    const page = isGiven ? decodePoint<PageToken>(query.get('pageToken')!) : { offset: 0, since: null }
    const token = query.get('syncToken')
    const since = token === null ? null : decodePoint<SyncPoint>(token)
    if (page === null) return googleError(400, 'invalid', 'Invalid page token value.')
    if (token !== null && (since === null || book.isExpired(since)))
      return googleError(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.')
    const inside = ({ start, end }: BookedMeeting) =>
      end.getTime() > Date.parse(query.get('timeMin') ?? '1970-01-01T00:00:00Z') &&
      start.getTime() < Date.parse(query.get('timeMax') ?? '2100-01-01T00:00:00Z')
    const matchingEvents = (since === null ? book.all().filter(inside) : book.changedSince(since)).filter(
      (meeting) =>
        meeting.calendarId === calendarId &&
        (since !== null || query.get('showDeleted') === 'true' || !meeting.isCancelled),
    )
    const most = Number(query.get('maxResults') ?? 250)
    const pageEvents = matchingEvents.slice(page.offset, page.offset + most)
    const isLast = page.offset + most >= matchingEvents.length
    const end = isLast
      ? // An ordered list cannot start a sync.
        query.has('orderBy')
        ? {}
        : { nextSyncToken: encodePoint(book.point()) }
      : { nextPageToken: encodePoint({ offset: page.offset + most, since }) }
    return {
      status: 200,
      body: {
        kind: 'calendar#events',
        etag: '"events"',
        timeZone: zone,
        items: pageEvents.map((meeting) => eventBody(meeting, account)),
        ...end,
      },
    }
  }

  function create(request: SandboxRequest, grant: Grant): SandboxReply {
    if (!grant.scopes.includes(scopeOf('calendar.app.created'))) return scopeMissing()
    const { summary, timeZone } = readJson(request)
    if (typeof summary !== 'string' || summary === '') return googleError(400, 'required', 'Missing title.')
    const created: Listed = {
      id: `${seededHex(26, options.seed, 'created', calendars.length)}@group.calendar.google.com`,
      summary,
      timeZone: typeof timeZone === 'string' ? timeZone : 'UTC',
      accessRole: 'owner',
    }
    calendars.push(created)
    const { accessRole: _role, ...body } = created
    return { status: 200, body: { kind: 'calendar#calendar', etag: '"1"', ...body } }
  }

  function share(request: SandboxRequest, grant: Grant, calendarId: string): SandboxReply {
    if (!grant.scopes.includes(scopeOf('calendar.acls'))) return scopeMissing()
    const { role, scope } = readJson(request) as { role?: string; scope?: { type?: string; value?: string } }
    if (!aclRoles.includes(role ?? '') || scope?.type !== 'user' || !scope.value?.includes('@'))
      return googleError(400, 'invalid', 'Invalid scope value.')
    const rule = { kind: 'calendar#aclRule', id: `user:${scope.value}`, role, scope }
    shares.push({ calendar_id: calendarId, role, email: scope.value })
    return { status: 200, body: { etag: '"1"', ...rule } }
  }

  function api(request: SandboxRequest, grant: Grant): SandboxReply {
    const [, service, version, collection, id, part] = request.path.split('/')
    const missing = googleError(404, 'notFound', 'Not Found')
    if (`${service}/${version}` !== 'calendar/v3') return missing
    if (request.path === '/calendar/v3/users/me/calendarList') return list(grant)
    if (collection !== 'calendars') return missing
    if (id === undefined) return request.method === 'POST' ? create(request, grant) : missing
    const calendarId = decodeURIComponent(id)
    if (!calendars.some((calendar) => calendar.id === calendarId)) return missing
    if (part === 'events' && request.method === 'GET') return events(request, calendarId)
    return part === 'acl' && request.method === 'POST' ? share(request, grant, calendarId) : missing
  }

  return {
    name: 'engine_calendar',
    handle: (request) => faults.apply(request, () => oauth.answer(request, api)),
    fault: faults.add,
    exports: () => [],
    writes: () => shares,
    async act(action, args) {
      const { tokens } = oauth
      const done =
        actInCommon({ tokens, faults, reset: () => oauth.tickPermission() }, action, args) ??
        book.act(action, args)
      if (done !== null) return done
      switch (action) {
        case 'untick_permission': {
          const name = textArg(args, 'scope')
          oauth.untickPermission(name === null ? null : scopeOf(name))
          return {}
        }
        case 'drop_calendar': {
          const at = calendars.findIndex(({ id }) => id === textArg(args, 'calendar'))
          if (at > 0) calendars.splice(at, 1)
          return {}
        }
        default:
          throw new Error(`The engine_calendar sandbox has no action ${action}`)
      }
    },
  }
}
