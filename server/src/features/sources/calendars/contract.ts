import { z } from 'zod'
import { shareRoles } from '../../../connectors/calendars.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ConnectionId, CustomerId, Instant, Name, TimeZone } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'
import { providerErrors } from '../connections/provider-errors.ts'
import { Handoff } from '../handoffs/contract.ts'

const tag = 'calendars'
const reads = { kind: 'profile', scopes: ['customers:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

export const calendarProviders = ['engine_calendar', 'external_calendar'] as const
const Provider = z.enum(calendarProviders)
const byId = z.object({ id: z.string().min(1).max(500).describe('Id of the calendar at the provider') })

export const Calendar = z.object({
  id: z.string().describe('The platform’s id'),
  connection_id: ConnectionId,
  provider: Provider.describe('Provider of the account, for example social_ads'),
  name: z.string().describe('Name of the calendar'),
  timezone: z.string().nullable().describe('IANA time zone; null if the provider does not report it'),
  is_primary: z.boolean().describe('Whether it is the main calendar of the account'),
  is_managed: z.boolean().describe('Created by `POST /calendars`'),
})

export const startCalendarLink = endpoint({
  name: 'startCalendarLink',
  method: 'POST',
  path: '/integrations/calendar/link/start',
  summary: 'Create a link that a person follows to connect a calendar account',
  description:
    '`engine_calendar` is read, and calendars can be created in it; `external_calendar` is read-only. Poll the hand-off as for any connection.',
  tag,
  access: writes,
  body: z.strictObject({ provider: Provider.describe('Provider of the account, for example social_ads') }),
  reply: Handoff,
  errors: ['provider_not_configured', 'not_found'],
  example: { body: { provider: 'engine_calendar' } },
})

export const listCalendars = endpoint({
  name: 'listCalendars',
  method: 'GET',
  path: '/calendars',
  summary: 'List the calendars of connected accounts',
  description:
    'Calendars that the accounts own, as of the last sync. Calendars that are only visible to an account are omitted.',
  tag,
  personLevel: 'refused',
  access: reads,
  reply: z.array(Calendar),
})

export const createCalendar = endpoint({
  name: 'createCalendar',
  method: 'POST',
  path: '/calendars',
  summary: 'Create a calendar in the connected account',
  description: 'Without `connection_id`, uses the newest usable engine_calendar connection.',
  tag,
  access: writes,
  body: z.strictObject({
    name: Name.describe('Name of the calendar'),
    timezone: TimeZone,
    connection_id: ConnectionId.optional(),
  }),
  reply: Calendar,
  statuses: [201],
  errors: [...providerErrors, 'calendar_scope_required', 'calendar_unsupported'],
  example: { body: { name: 'Showroom visits', timezone: 'Europe/Madrid' } },
})

export const shareCalendar = endpoint({
  name: 'shareCalendar',
  method: 'POST',
  path: '/calendars/{id}/share',
  summary: 'Share a calendar that was created through the API',
  description:
    'The platform sends the invitation. Sharing again changes the role. For partner apps and on healthcare profiles, this needs a decision of an owner or admin.',
  tag,
  access: writes,
  refusesApps: true,
  params: byId,
  body: z.strictObject({
    email: z.email().max(320).describe('Email address of the person who gets access'),
    role: z.enum(shareRoles).describe('Role in the workspace'),
  }),
  reply: z.null(),
  statuses: [204],
  errors: [...providerErrors, 'forbidden', 'calendar_scope_required', 'calendar_unsupported'],
  example: {
    params: { id: 'visits@group.calendar.google.com' },
    body: { email: 'colleague@example.com', role: 'reader' },
  },
})

export const CalendarEvent = z.object({
  id: z.string().describe('Id of the appointment at the provider'),
  title: z.string().nullable().describe('Null if no guest is a customer'),
  starts_at: Instant.describe('When the appointment starts'),
  ends_at: Instant.describe('When the appointment ends'),
  is_all_day: z.boolean().describe('Whether it is an all-day event'),
  is_recurring: z.boolean().describe('Whether it repeats'),
  booked_at: Instant.nullable().describe(
    'When the appointment was booked; null if the calendar does not report it',
  ),
  guests: z
    .array(
      z.object({
        email: z.string().describe('Email address of the guest'),
        name: z.string().nullable().describe('Name of the guest; null if the calendar does not report it'),
        reply: z.enum(['accepted', 'declined', 'open']).describe('Response of the guest'),
        customer_id: CustomerId,
      }),
    )
    .describe('The guests who are invited'),
  other_guests: z.int().describe('Number of guests who are not customers'),
})

export const listCalendarEvents = endpoint({
  name: 'listCalendarEvents',
  method: 'GET',
  path: '/calendars/{id}/events',
  summary: 'Read the events of a calendar, live',
  description:
    'Events that overlap the days `from` to `to` in the calendar’s time zone, at most 90 days. Nothing is stored.',
  tag,
  personLevel: 'refused',
  access: reads,
  params: byId,
  query: z.object({
    from: z.iso.date().describe('Start of the range'),
    to: z.iso.date().describe('End of the range'),
    ...pageQuery,
  }),
  reply: z.array(CalendarEvent),
  extra: { pagination: Pagination },
  errors: [...providerErrors, 'forbidden', 'calendar_unsupported', 'invalid_window', 'invalid_parameter'],
  example: { params: { id: 'frontdesk@example.com' }, query: { from: '2026-05-01', to: '2026-05-31' } },
})
