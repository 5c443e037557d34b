/**
 * Imitates the calendars of Microsoft Graph v1.0: consent at the identity platform, `calendarView` and its delta. By
 * api-reference/v1.0/api/event-delta.md, concepts/delta-query-events.md and delta-query-overview.md of
 * microsoftgraph/microsoft-graph-docs-contrib, read on 2026-11-17.
 */

import { actInCommon, redirectOrigins } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { type BookedMeeting, decodePoint, encodePoint, MeetingBook, type SyncPoint } from '../meetings.ts'
import { microsoftToken } from '../microsoft-oauth.ts'
import { bearerOf, routedSandbox } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex, seededUuid } from '../seeded-random.ts'
import { type Grant, TokenServer } from '../tokens.ts'

const graphError = (status: number, code: string, message: string): SandboxReply => ({
  status,
  body: {
    error: { code, message, innerError: { 'request-id': seededUuid(code), date: '2026-03-02T00:00:00' } },
  },
})

const graphTime = (at: Date) => ({ dateTime: at.toISOString().replace('Z', '0000'), timeZone: 'UTC' })
const dayTime = (day: string) => ({ dateTime: `${day}T00:00:00.0000000`, timeZone: 'UTC' })
const responses = { accepted: 'accepted', declined: 'declined', open: 'notResponded' }
const maxPageSize = /odata\.maxpagesize=(\d+)/

const timesOf = (meeting: BookedMeeting) =>
  meeting.days === null
    ? { start: graphTime(meeting.start), end: graphTime(meeting.end) }
    : { start: dayTime(meeting.days.first), end: dayTime(meeting.days.after) }

function eventBody(meeting: BookedMeeting, account: string): Record<string, unknown> {
  const emailAddress = { name: 'Front desk', address: account }
  return {
    '@odata.type': '#microsoft.graph.event',
    '@odata.etag': `W/"${meeting.updatedAt.getTime()}"`,
    id: meeting.id,
    createdDateTime: meeting.createdAt.toISOString(),
    lastModifiedDateTime: meeting.updatedAt.toISOString(),
    type: meeting.seriesId === null ? 'singleInstance' : 'occurrence',
    seriesMasterId: meeting.seriesId,
    subject: meeting.title,
    isAllDay: meeting.days !== null,
    isCancelled: false,
    ...timesOf(meeting),
    organizer: { emailAddress },
    attendees: meeting.guests.map(({ email, name, reply }) => ({
      type: 'required',
      status: { response: responses[reply], time: '0001-01-01T00:00:00Z' },
      emailAddress: { name: name ?? email, address: email },
    })),
  }
}

/** In a delta an occurrence only has its times; everything else is in its series master. */
const occurrenceBody = (meeting: BookedMeeting) => ({
  '@odata.type': '#microsoft.graph.event',
  id: meeting.id,
  type: 'occurrence',
  seriesMasterId: meeting.seriesId,
  ...timesOf(meeting),
})

const masterBody = (meeting: BookedMeeting, account: string) => ({
  ...eventBody(meeting, account),
  id: meeting.seriesId,
  type: 'seriesMaster',
  seriesMasterId: null,
})

type DeltaToken = { from: string; until: string; since: SyncPoint | null; offset: number }

export function createExternalCalendarSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const tail = seededHex(6, options.seed, 'external-calendar')
  const account = `bookings@harborandpine-${tail}.example`
  const userId = seededUuid(options.seed, 'graph-user')
  const idOf = (name: string) => `AAMk${seededHex(40, options.seed, name)}=`
  const defaultId = idOf('default')
  const book = new MeetingBook({ seed: options.seed, now: options.now, calendarId: defaultId })
  const calendars = [
    { id: defaultId, name: 'Calendar', isDefaultCalendar: true, canEdit: true, canShare: true },
    { id: idOf('holidays'), name: 'Holidays', isDefaultCalendar: false, canEdit: false, canShare: false },
  ]
  // The platform issues a new refresh token each time and keeps the old one valid; a single token is close enough.
  const tokens = new TokenServer({ ...options, accessTtlSeconds: 3600, rotates: false })
  const consent: ConsentScreen = {
    providerName: 'Microsoft 365',
    accounts: [{ id: userId, name: account }],
    scopes: ['User.Read', 'Calendars.Read'],
    refusal: {
      decline: { error: 'access_denied', error_description: 'AADSTS65004: User declined to consent.' },
      'deny-app': {
        error: 'unauthorized_client',
        error_description: 'AADSTS700016: not found in the directory.',
      },
      'provider-error': { error: 'server_error', error_description: 'AADSTS90033: transient error.' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  const authorised =
    (answer: (request: SandboxRequest, params: Record<string, string>, grant: Grant) => SandboxReply) =>
    (request: SandboxRequest, params: Record<string, string>): SandboxReply => {
      const grant = tokens.authenticate(bearerOf(request))
      if (grant === null)
        return graphError(
          401,
          'InvalidAuthenticationToken',
          'Lifetime validation failed, the token is expired.',
        )
      if (!grant.scopes.includes('Calendars.Read'))
        return graphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
      return answer(request, params, grant)
    }

  const ofCalendar = (answer: (request: SandboxRequest, calendarId: string) => SandboxReply) =>
    authorised((request, { id }) =>
      calendars.some((calendar) => calendar.id === id)
        ? answer(request, id!)
        : graphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.'),
    )

  const boundsOf = (query: URLSearchParams) => {
    const read = (name: string) =>
      [...query].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? ''
    const [from, until] = [read('startDateTime'), read('endDateTime')]
    return Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(until)) ? null : { from, until }
  }
  const noBounds = () =>
    graphError(
      400,
      'ErrorInvalidParameter',
      'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.',
    )

  const inside = ({ start, end }: BookedMeeting, { from, until }: { from: string; until: string }) =>
    end.getTime() > Date.parse(from) && start.getTime() < Date.parse(until)

  /** Events that left the window, or changed outside of it, are reported as removed. */
  function changes(state: DeltaToken, calendarId: string): Record<string, unknown>[] {
    const list = state.since === null ? book.all() : book.changedSince(state.since)
    const masters = new Set<string>()
    return list
      .filter((meeting) => meeting.calendarId === calendarId)
      .flatMap((meeting) => {
        if (meeting.isCancelled || !inside(meeting, state))
          return state.since === null ? [] : [{ '@removed': { reason: 'deleted' }, id: meeting.id }]
        if (meeting.seriesId === null) return [eventBody(meeting, account)]
        const isNew = !masters.has(meeting.seriesId)
        masters.add(meeting.seriesId)
        return [...(isNew ? [masterBody(meeting, account)] : []), occurrenceBody(meeting)]
      })
  }

  function delta(request: SandboxRequest, calendarId: string): SandboxReply {
    const { query, headers } = request
    const unsupported = ['$select', '$filter', '$expand', '$orderby', '$search'].find((name) =>
      query.has(name),
    )
    if (unsupported !== undefined)
      return graphError(
        400,
        'ErrorInvalidUrlQuery',
        `The following parameters are not supported with change tracking over the 'CalendarView' resource: '${unsupported}'.`,
      )
    const token = query.get('$skiptoken') ?? query.get('$deltatoken')
    const bounds = token === null ? boundsOf(query) : null
    const state =
      token !== null ? decodePoint<DeltaToken>(token) : bounds && { ...bounds, since: null, offset: 0 }
    if (state === null)
      return token === null
        ? noBounds()
        : graphError(410, 'SyncStateNotFound', 'The sync state generation is not found.')
    if (state.since !== null && book.isExpired(state.since))
      return graphError(
        410,
        'SyncStateNotFound',
        'The sync state generation is not found; a full resync is needed.',
      )
    const changedEvents = changes(state, calendarId)
    const most = Number(maxPageSize.exec(headers.prefer ?? '')?.[1] ?? 10)
    const isLast = state.offset + most >= changedEvents.length
    const base = `${request.baseUrl}${request.path}`
    const link = isLast
      ? {
          '@odata.deltaLink': `${base}?$deltatoken=${encodePoint({ ...state, since: book.point(), offset: 0 })}`,
        }
      : { '@odata.nextLink': `${base}?$skiptoken=${encodePoint({ ...state, offset: state.offset + most })}` }
    return {
      status: 200,
      body: {
        '@odata.context': `${request.baseUrl}/v1.0/$metadata#Collection(event)`,
        value: changedEvents.slice(state.offset, state.offset + most),
        ...link,
      },
    }
  }

  function view(request: SandboxRequest, calendarId: string): SandboxReply {
    const { query } = request
    const bounds = boundsOf(query)
    if (bounds === null) return noBounds()
    const events = book
      .all()
      .filter(
        (meeting) => meeting.calendarId === calendarId && !meeting.isCancelled && inside(meeting, bounds),
      )
    const skip = Number(query.get('$skip') ?? 0)
    const top = Number(query.get('$top') ?? 10)
    const nextQuery = new URLSearchParams(query)
    nextQuery.set('$skip', String(skip + top))
    return {
      status: 200,
      body: {
        value: events.slice(skip, skip + top).map((meeting) => eventBody(meeting, account)),
        ...(skip + top < events.length
          ? { '@odata.nextLink': `${request.baseUrl}${request.path}?${nextQuery}` }
          : {}),
      },
    }
  }

  function getEvent(id: string): SandboxReply {
    const meeting = book.all().find((candidate) => candidate.id === id || candidate.seriesId === id)
    if (meeting === undefined || meeting.isCancelled)
      return graphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')
    return {
      status: 200,
      body: meeting.id === id ? eventBody(meeting, account) : masterBody(meeting, account),
    }
  }

  return routedSandbox({
    name: 'external_calendar',
    faults,
    otherwise: graphError(404, 'UnknownError', 'Not found.'),
    routes: [
      {
        on: 'GET /common/oauth2/v2.0/authorize',
        answer: (request) => consentPage(consent, request, options.clientId),
      },
      {
        on: 'GET /consent/{choice}',
        answer: (request, { choice }) => consentAnswer(consent, request, options.clientId, choice!),
      },
      { on: 'POST /common/oauth2/v2.0/token', answer: (request) => microsoftToken(tokens, request) },
      {
        on: 'GET /v1.0/me',
        answer: authorised(() => ({
          status: 200,
          body: { id: userId, displayName: 'Bookings', mail: account, userPrincipalName: account },
        })),
      },
      {
        on: 'GET /v1.0/me/calendars',
        answer: authorised((_request, _params, grant) =>
          grant.accountIds.length === 0
            ? graphError(
                404,
                'MailboxNotEnabledForRESTAPI',
                'The mailbox is either inactive, soft-deleted, or is hosted on-premise.',
              )
            : {
                status: 200,
                body: {
                  value: calendars.map((each) => ({
                    ...each,
                    owner: { name: 'Bookings', address: account },
                  })),
                },
              },
        ),
      },
      { on: 'GET /v1.0/me/calendars/{id}/calendarView/delta', answer: ofCalendar(delta) },
      { on: 'GET /v1.0/me/calendars/{id}/calendarView', answer: ofCalendar(view) },
      { on: 'GET /v1.0/me/events/{id}', answer: authorised((_request, { id }) => getEvent(id!)) },
    ],
    async act(action, args) {
      const done = actInCommon({ tokens, faults }, action, args) ?? book.act(action, args)
      if (done === null) throw new Error(`The external_calendar sandbox has no action ${action}`)
      return done
    },
  })
}
