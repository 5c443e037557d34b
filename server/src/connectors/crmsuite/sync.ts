/** Syncs a location: contacts, then opportunities, then each calendar's appointments. */

import { z } from 'zod'
import { DAY_MS } from '../../platform/contract/dates.ts'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { mapItems, type ParsedItem, parsedOrSetAside, readableItems, toSetAside } from '../set-aside.ts'
import { windowBounds } from '../window.ts'
import { type LocationCall, openLocation, readLocation } from './calls.ts'
import {
  Appointment,
  Contact,
  isIncomplete,
  Opportunity,
  toAppointmentRecords,
  toContactRecords,
  toOpportunityRecords,
} from './mapping.ts'

const pageSize = 100
/** Appointments are booked in advance, so future ones are recent bookings. */
const lookaheadMs = 180 * DAY_MS

const Base = { currency: z.string().nullable(), done: z.number().int() }
const Cursor = z.discriminatedUnion('phase', [
  z.object({
    phase: z.literal('contacts'),
    after: z.array(z.union([z.string(), z.number()])).nullable(),
    ...Base,
  }),
  z.object({
    phase: z.literal('opportunities'),
    after: z.object({ startAfter: z.number(), startAfterId: z.string() }).nullable(),
    ...Base,
  }),
  z.object({ phase: z.literal('appointments'), calendars: z.array(z.string()), ...Base }),
])
type Cursor = z.infer<typeof Cursor>
type Step = Pick<SyncPage, 'records' | 'setAside'> & { count: number; next: Cursor | null }

const ContactPage = z.looseObject({
  contacts: z.array(
    parsedOrSetAside(
      'contact',
      Contact.extend({ searchAfter: z.array(z.union([z.string(), z.number()])).nullish() }),
    ),
  ),
})

/** Sorted by last change and continued from there, so a contact that changes during the sync is read again and none is skipped. */
async function contactStep(
  open: LocationCall,
  session: Session,
  window: SyncWindow,
  cursor: Extract<Cursor, { phase: 'contacts' }>,
): Promise<Step> {
  const { from, until } = windowBounds(window)
  const page = await open('/contacts/search', {
    schema: ContactPage,
    json: {
      locationId: session.accountId,
      pageLimit: pageSize,
      filters: [
        {
          field: 'dateUpdated',
          operator: 'range',
          value: { gte: from.toISOString(), lte: until.toISOString() },
        },
      ],
      sort: [{ field: 'dateUpdated', direction: 'asc' }],
      ...(cursor.after === null ? {} : { searchAfter: cursor.after }),
    },
  })
  const contacts = await completeContacts(open, page.contacts)
  const after = readableItems(page.contacts).at(-1)?.searchAfter ?? null
  const done = cursor.done + page.contacts.length
  const hasMore = page.contacts.length >= pageSize && after !== null
  return {
    ...mapItems('contact', contacts, toContactRecords),
    count: page.contacts.length,
    next: hasMore
      ? { ...cursor, after, done }
      : { phase: 'opportunities', after: null, currency: cursor.currency, done },
  }
}

/** The platform allows 100 requests in ten seconds per location; the search omits most fields of a contact. */
const CONCURRENT_READS = 5

async function completeContacts(
  open: LocationCall,
  listed: ParsedItem<Contact>[],
): Promise<ParsedItem<Contact>[]> {
  const completed: ParsedItem<Contact>[] = []
  for (let at = 0; at < listed.length; at += CONCURRENT_READS)
    completed.push(
      ...(await Promise.all(
        listed.slice(at, at + CONCURRENT_READS).map((item) => completeContact(open, item)),
      )),
    )
  return completed
}

async function completeContact(open: LocationCall, entry: ParsedItem<Contact>): Promise<ParsedItem<Contact>> {
  if (entry.item === null || !isIncomplete(entry.item)) return entry
  const { id, dateUpdated } = entry.item
  try {
    const contact = await readContact(open, id)
    return { item: { ...contact, dateUpdated: contact.dateUpdated ?? dateUpdated }, setAside: null }
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'not_found') return entry
    return { item: null, setAside: toSetAside('contact', entry.item, error) }
  }
}

async function readContact(open: LocationCall, id: string): Promise<Contact> {
  const schema = z.looseObject({ contact: Contact })
  return (await open(`/contacts/${encodeURIComponent(id)}`, { schema })).contact
}

const OpportunityPage = z.looseObject({
  opportunities: z.array(parsedOrSetAside('opportunity', Opportunity)),
  meta: z
    .looseObject({ total: z.number().nullish(), startAfter: z.number().nullish(), startAfterId: text })
    .nullish(),
})

/** The list can be filtered only by creation, but an old deal may change today: all are read and unchanged ones dropped. */
async function opportunityStep(
  open: LocationCall,
  session: Session,
  window: SyncWindow,
  cursor: Extract<Cursor, { phase: 'opportunities' }>,
): Promise<Step> {
  const { from, until } = windowBounds(window)
  const page = await open('/opportunities/search', {
    schema: OpportunityPage,
    query: { location_id: session.accountId, limit: pageSize, ...(cursor.after ?? {}) },
  })
  const changedInside = (opportunity: Opportunity) => {
    const at = Date.parse(
      opportunity.updatedAt ?? opportunity.lastStageChangeAt ?? opportunity.createdAt ?? '',
    )
    return Number.isNaN(at) || (at >= from.getTime() && at <= until.getTime())
  }
  const done = cursor.done + page.opportunities.length
  const { startAfter, startAfterId } = page.meta ?? {}
  const full = page.opportunities.length >= pageSize
  const hasMore = full && startAfter !== null && startAfter !== undefined && startAfterId
  return {
    ...mapItems('opportunity', page.opportunities, (opportunity) =>
      changedInside(opportunity) ? toOpportunityRecords(opportunity, cursor.currency) : [],
    ),
    count: page.opportunities.length,
    next: hasMore
      ? { ...cursor, after: { startAfter, startAfterId }, done }
      : await appointmentsNext(open, session, cursor.currency, done),
  }
}

async function appointmentsNext(
  open: LocationCall,
  session: Session,
  currency: string | null,
  done: number,
): Promise<Cursor | null> {
  const reply = await open('/calendars/', {
    schema: z.looseObject({
      calendars: z.array(parsedOrSetAside('calendar', z.looseObject({ id: z.string() }))),
    }),
    query: { locationId: session.accountId },
  })
  const calendars = readableItems(reply.calendars).map(({ id }) => id)
  return calendars.length === 0 ? null : { phase: 'appointments', calendars, currency, done }
}

async function appointmentStep(
  open: LocationCall,
  session: Session,
  window: SyncWindow,
  cursor: Extract<Cursor, { phase: 'appointments' }>,
): Promise<Step> {
  const { from, until } = windowBounds(window)
  const [calendarId = '', ...calendars] = cursor.calendars
  const { events } = await open('/calendars/events', {
    schema: z.looseObject({ events: z.array(parsedOrSetAside('appointment', Appointment)) }),
    query: {
      locationId: session.accountId,
      calendarId,
      startTime: from.getTime(),
      endTime: until.getTime() + lookaheadMs,
    },
  })
  const done = cursor.done + events.length
  return {
    ...mapItems('appointment', events, toAppointmentRecords),
    count: events.length,
    next: calendars.length === 0 ? null : { ...cursor, calendars, done },
  }
}

export async function syncPage(
  session: Session,
  window: SyncWindow,
  cursorText: string | null,
): Promise<SyncPage> {
  const open = await openLocation(session)
  const cursor: Cursor =
    cursorText === null
      ? { phase: 'contacts', after: null, currency: await dealCurrency(open, session), done: 0 }
      : Cursor.parse(JSON.parse(cursorText))
  const step =
    cursor.phase === 'contacts'
      ? await contactStep(open, session, window, cursor)
      : cursor.phase === 'opportunities'
        ? await opportunityStep(open, session, window, cursor)
        : await appointmentStep(open, session, window, cursor)
  return {
    records: step.records,
    setAside: step.setAside ?? [],
    cursor: step.next === null ? null : JSON.stringify(step.next),
    progress: { done: cursor.done + step.count, total: null, unit: 'records' },
  }
}

/**
 * Deals have a number without currency, and the published schema of a location has none: the location's currency
 * if it is returned nevertheless, else the configured one, else the profile's reporting currency.
 */
async function dealCurrency(open: LocationCall, session: Session): Promise<string | null> {
  const { currency } = await readLocation(open, session.accountId)
  const set = session.app.extra.defaultCurrency?.toUpperCase()
  return currency ?? set ?? session.currency ?? session.profileCurrency ?? null
}

/** Live responses contain `appointment`; the published schema has `event` (GoHighLevel/highlevel-api-docs). */
const AppointmentReply = z
  .looseObject({ appointment: Appointment.nullish(), event: Appointment.nullish() })
  .refine(({ appointment, event }) => appointment != null || event != null, 'without an appointment')

export async function readBack(session: Session, resource: string, id: string): Promise<SyncRecord[]> {
  const open = await openLocation(session)
  const idPart = encodeURIComponent(id)
  try {
    switch (resource) {
      case 'contact': {
        return toContactRecords(await readContact(open, id))
      }
      case 'opportunity': {
        const schema = z.looseObject({ opportunity: Opportunity })
        const { opportunity } = await open(`/opportunities/${idPart}`, { schema })
        return toOpportunityRecords(opportunity, await dealCurrency(open, session))
      }
      case 'appointment': {
        const { appointment, event } = await open(`/calendars/events/appointments/${idPart}`, {
          schema: AppointmentReply,
        })
        return toAppointmentRecords((appointment ?? event)!)
      }
      default:
        throw new ProviderError('rejected', `No ${resource} can be read back`)
    }
  } catch (error) {
    // Deleted since the webhook; the deletion has a separate webhook.
    if (error instanceof ProviderError && error.reason === 'not_found') return []
    throw error
  }
}
