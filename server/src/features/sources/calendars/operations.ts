/** Calendars of connected accounts: listing them and their events, and creating and sharing calendars. */
import type { z } from 'zod'
import type { LiveEvent, ShareRole } from '../../../connectors/calendars.ts'
import { ProviderError } from '../../../connectors/connector.ts'
import { isHealthcare, type ProfileContext } from '../../../context.ts'
import { isPartner, requireDecider } from '../../../platform/access/decisions.ts'
import { mailOwners } from '../../../platform/access/owner-mail.ts'
import { recordChange, recordInProfile } from '../../../platform/audit/record.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { encodeCursor, type Pagination } from '../../../platform/contract/page.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { meetingBounds } from '../../facts/appointments/rules.ts'
import { saveManagedCalendar } from '../../facts/appointments/save-calendars.ts'
import { toIdentifiers } from '../../facts/identity/identifiers.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import { getConnectionRow, getProviderConnection, live } from '../connections/operations.ts'
import { type ConnectionRow, listConnectionRows } from '../connections/queries.ts'
import { mintHandoff } from '../handoffs/operations.ts'
import { Calendar, type CalendarEvent, calendarProviders } from './contract.ts'
import { type CalendarRow, findCustomers, listCalendarRows } from './queries.ts'
import type { EventWindow } from './rules.ts'

type CalendarProvider = (typeof calendarProviders)[number]

export async function startCalendarLink(
  context: ProfileContext,
  { provider }: { provider: CalendarProvider },
) {
  if (!context.service.providers.has(provider))
    throw new ApiError('provider_not_configured', 'This calendar provider is not configured on the service.')
  return mintHandoff(context, provider, {})
}

async function listAccounts(context: ProfileContext): Promise<ConnectionRow[]> {
  const appId = context.caller.kind === 'key' ? context.caller.appId : null
  const rows = await listConnectionRows(context.db, { profileId: context.profile.id, appId })
  return rows.filter(
    ({ provider, status }) =>
      (calendarProviders as readonly string[]).includes(provider) && status !== 'revoked',
  )
}

const toCalendar = (row: CalendarRow, provider: string) =>
  toReply(Calendar, row, { id: row.external_id, provider: provider as CalendarProvider })

export async function listCalendars(context: ProfileContext): Promise<z.input<typeof Calendar>[]> {
  const accounts = new Map((await listAccounts(context)).map((row) => [row.id, row]))
  const rows = await listCalendarRows(context.db, {
    profileId: context.profile.id,
    connectionIds: [...accounts.keys()],
  })
  return rows.map((row) => toCalendar(row, accounts.get(row.connection_id)!.provider))
}

/** Undefined for an unknown id, an id of another profile, and `primary`, which is an alias and not an id. */
async function findCalendar(
  context: ProfileContext,
  externalId: string,
): Promise<{ calendar: CalendarRow; account: ConnectionRow } | undefined> {
  const accounts = await listAccounts(context)
  const [calendar] = await listCalendarRows(context.db, {
    profileId: context.profile.id,
    connectionIds: accounts.map(({ id }) => id),
    externalId,
  })
  const account = accounts.find(({ id }) => id === calendar?.connection_id)
  return calendar === undefined || account === undefined ? undefined : { calendar, account }
}

const unsupported = (message: string) => new ApiError('calendar_unsupported', message)

/** Reports a permission that the consent does not include, whether our check or the platform detects it. */
async function withScope<T>(scope: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderError) || error.reason !== 'permission_missing') throw error
    throw new ApiError(
      'calendar_scope_required',
      `The account did not grant ${scope}; connect it again and leave the permission ticked.`,
      { cause: error, reconnect_required: true },
    )
  }
}

export async function createCalendar(
  context: ProfileContext,
  body: { name: string; timezone: string; connection_id?: string | undefined },
): Promise<z.input<typeof Calendar>> {
  const { profile } = context
  const row =
    body.connection_id === undefined
      ? await getProviderConnection(context, 'engine_calendar')
      : await getConnectionRow(context, body.connection_id)
  const calendar = await live(context, row, async (session, { connector }) => {
    const create = connector.calendars?.create
    if (create == null) throw unsupported('The calendars of this connection are read-only.')
    return withScope('calendar.app.created', () => create(session, body))
  })
  await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    await saveManagedCalendar(tx, { profileId: profile.id, connectionId: row.id, calendar, now })
    const change = { action: 'calendar.created', subject: row.id, detail: { name: calendar.name } }
    await recordInProfile(tx, context, change)
  })
  const created = {
    connection_id: row.id,
    external_id: calendar.id,
    name: calendar.name,
    timezone: calendar.timezone,
    is_primary: false,
    is_managed: true,
  }
  return toCalendar(created, row.provider)
}

export async function shareCalendar(
  context: ProfileContext,
  id: string,
  share: { email: string; role: ShareRole },
): Promise<void> {
  const { profile, service } = context
  const isDecision = isPartner(context) || isHealthcare(profile)
  if (isDecision) await requireDecider(context, 'Sharing a calendar')
  const match = await findCalendar(context, id)
  if (match === undefined || !match.calendar.is_managed)
    throw unsupported('Only calendars that were created with POST /calendars can be shared.')
  await live(context, match.account, async (session, { connector }) =>
    withScope('calendar.acls', () => connector.calendars!.share!(session, id, share)),
  )
  await inTransaction(context.db, async (tx) => {
    const detail = { role: share.role, domain: share.email.split('@').at(-1) }
    const change = { action: 'calendar.shared', subject: match.account.id, detail }
    const { workspaceId } = profile
    await recordChange(tx, context, { ...change, workspaceId, profileId: profile.id })
    if (!isDecision) return
    await mailOwners(tx, {
      workspaceId,
      actor: context.caller,
      subject: `A calendar of ${profile.name} was shared`,
      lines: [
        `The calendar ${match.calendar.name} was shared with ${share.email}, as ${share.role}.`,
        `See the connection: ${service.config.BASE_URL}/p/${profile.id}/connections`,
      ],
    })
  })
}

export async function listCalendarEvents(
  context: ProfileContext,
  id: string,
  { from, to, after }: EventWindow,
  limit: number,
): Promise<{ data: z.input<typeof CalendarEvent>[]; pagination: Pagination }> {
  const match = await findCalendar(context, id)
  if (match === undefined) throw unsupported('No connected account has a calendar with this id.')
  const zones = [match.calendar.timezone, context.profile.timezone]
  const { starts, ends } = meetingBounds({ startDay: from, endDay: addDays(to, 1) }, zones)
  const page = await live(context, match.account, async (session, { connector }) =>
    connector.calendars!.listEvents(session, id, { from: starts, until: ends, limit, after }),
  )
  return {
    data: await describe(context, page.events, zones),
    pagination: {
      has_next: page.after !== null,
      cursor: page.after === null ? null : encodeCursor([page.after]),
    },
  }
}

/** Guests who are not customers are only counted. Each customer among the guests is recorded in the access log. */
async function describe(
  context: ProfileContext,
  events: readonly LiveEvent[],
  zones: readonly (string | null)[],
): Promise<z.input<typeof CalendarEvent>[]> {
  const { db, profile, service } = context
  const scope = identityScope(service, profile)
  const idOf = (email: string) => toIdentifiers({ email }, scope)[0]?.id ?? ''
  const ids = events.flatMap(({ attendees }) => attendees.map(({ email }) => idOf(email)))
  const customers = await findCustomers(db, {
    profileId: profile.id,
    identifierIds: [...new Set(ids)].filter((identifierId) => identifierId !== ''),
  })
  for (const customerId of customers.values()) context.shown.add(customerId)
  return events.flatMap((event) => {
    if (event.time === null || event.isCancelled) return []
    const { starts, ends } = meetingBounds(event.time, zones)
    const guests = event.attendees.flatMap((guest) => {
      const customerId = customers.get(idOf(guest.email))
      return customerId === undefined ? [] : [{ ...guest, customer_id: customerId }]
    })
    return [
      {
        id: event.externalId,
        title: guests.length === 0 ? null : event.title,
        starts_at: starts,
        ends_at: ends,
        is_all_day: 'startDay' in event.time,
        is_recurring: event.isRecurring,
        booked_at: event.bookedAt,
        guests,
        other_guests: event.attendees.length - guests.length,
      },
    ]
  })
}
