/** Maps contacts, opportunities and appointments of crmsuite (HighLevel's public API) to records. */
import { z } from 'zod'
import { decimalMoney } from '../amounts.ts'
import type { Money, PersonRecord, SyncRecord } from '../connector.ts'
import {
  countryField,
  emptyPerson,
  mergeTracking,
  readTrackingPairs,
  readTrackingUrl,
  readUtm,
  splitName,
  type Tracking,
} from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { flag, maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

type ContactRecord = Extract<SyncRecord, { type: 'contact' }>
type OutcomeRecord = Extract<SyncRecord, { type: 'outcome' }>

/** Times are text with an offset, or milliseconds. */
const time = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => toInstant(value))

/**
 * Field names of the published schema of a contact (`AttributionSource`, GoHighLevel/highlevel-api-docs of
 * 2026-06-19, read 2026-11-16): url, campaign, campaignId, utm*, click ids. `attributions` and
 * `lastAttribution` of live responses have utmAdId, utmCampaignId, pageUrl instead (public code, same
 * day; of the published schemas only that of orders has them). Older responses: adId, adGroupId.
 */
const Attribution = z
  .looseObject({
    url: text,
    pageUrl: text,
    fbclid: text,
    fbc: text,
    fbp: text,
    gclid: text,
    gbraid: text,
    wbraid: text,
    dclid: text,
    /** The provider's misspelling, in addition to the correct name. */
    msclikid: text,
    msclkid: text,
    ttclid: text,
    adId: maybeId,
    utmAdId: maybeId,
    adGroupId: maybeId,
    utmAdGroupId: maybeId,
    campaignId: maybeId,
    utmCampaignId: maybeId,
    campaign: text,
    utmCampaign: text,
    utmSource: text,
    utmMedium: text,
    utmContent: text,
    utmTerm: text,
    utmKeyword: text,
  })
  .nullish()
type Attribution = z.infer<typeof Attribution>

export const Contact = z.looseObject({
  id: z.string().min(1),
  locationId: text,
  email: text,
  phone: text,
  country: text,
  name: text,
  contactName: text,
  firstName: text,
  lastName: text,
  dateAdded: time,
  dateUpdated: time,
  attributionSource: Attribution,
  lastAttributionSource: Attribution,
  lastAttribution: Attribution,
  attributions: z.array(Attribution).nullish(),
})
export type Contact = z.infer<typeof Contact>

export const Opportunity = z.looseObject({
  id: z.string().min(1),
  contactId: text,
  pipelineId: text,
  pipelineStageId: text,
  status: text,
  monetaryValue: z.union([z.number(), z.string()]).nullish(),
  createdAt: time,
  updatedAt: time,
  dateAdded: time,
  lastStageChangeAt: time,
  lastStatusChangeAt: time,
  contact: z.looseObject({ id: text, name: text, email: text, phone: text }).nullish(),
})
export type Opportunity = z.infer<typeof Opportunity>

export const Appointment = z.looseObject({
  id: z.string().min(1),
  contactId: text,
  appointmentStatus: text,
  deleted: flag,
  startTime: time,
  dateAdded: time,
  dateUpdated: time,
})
export type Appointment = z.infer<typeof Appointment>

const omitEmpty = (pairs: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pairs).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

function readAttribution(source: Attribution): Tracking {
  if (source === null || source === undefined) return readTrackingPairs({})
  const { fbclid, fbc, fbp, gclid, gbraid, wbraid, dclid, ttclid } = source
  const page = source.pageUrl ?? source.url
  const tracking = readTrackingPairs(
    omitEmpty({
      ...{ fbclid, fbc, fbp, gclid, gbraid, wbraid, dclid, ttclid },
      msclkid: source.msclkid ?? source.msclikid,
      ad_id: source.utmAdId ?? source.adId,
      adset_id: source.utmAdGroupId ?? source.adGroupId,
      campaign_id: source.utmCampaignId ?? source.campaignId,
    }),
  )
  const utm = {
    ...readUtm(page),
    ...omitEmpty({
      source: source.utmSource,
      medium: source.utmMedium,
      campaign: source.utmCampaign ?? source.campaign,
      content: source.utmContent,
      term: source.utmTerm ?? source.utmKeyword,
    }),
  }
  const withUtm = Object.keys(utm).length === 0 ? tracking : { ...tracking, utm }
  return mergeTracking(withUtm, readTrackingUrl(page))
}

/** Whether a search result lacks the person's data or their attribution. */
export function isIncomplete(contact: Contact): boolean {
  const isNamed = [contact.firstName, contact.lastName, contact.name, contact.contactName].some(
    (name) => name !== null,
  )
  const sources = [contact.attributionSource, contact.lastAttributionSource, contact.lastAttribution]
  const isAttributed =
    sources.some((source) => source !== null && source !== undefined) ||
    (contact.attributions ?? []).length > 0
  return !isNamed || !isAttributed
}

/** Tracking data of the first attribution takes precedence over the last. */
function toPerson(contact: Contact): PersonRecord {
  const last = contact.lastAttributionSource ?? contact.lastAttribution
  const sources = [contact.attributionSource, ...(contact.attributions ?? []), last]
  const tracking = sources.map(readAttribution).reduce(mergeTracking)
  const nameParts = splitName(contact.name ?? contact.contactName)
  return {
    ...emptyPerson(),
    ...tracking,
    contactId: contact.id,
    email: contact.email,
    phone: contact.phone,
    ...countryField(contact.country),
    firstName: contact.firstName ?? nameParts.firstName,
    lastName: contact.lastName ?? nameParts.lastName,
  }
}

function outcome(
  fields: Pick<OutcomeRecord, 'externalId' | 'outcomeType' | 'occurredAt' | 'person'> &
    Partial<OutcomeRecord>,
): OutcomeRecord {
  return { type: 'outcome', value: null, stageId: null, retracted: false, ...fields }
}

/** A contact is a lead at the time it was added; without that time there is only the person. */
export function toContactRecords(contact: Contact): (ContactRecord | OutcomeRecord)[] {
  const person = toPerson(contact)
  const addedAt = contact.dateAdded
  const seenAt = contact.dateUpdated ?? addedAt
  const records: (ContactRecord | OutcomeRecord)[] = []
  if (seenAt !== null)
    records.push({
      type: 'contact',
      externalId: contact.id,
      updatedAt: seenAt,
      person,
      aside: fieldsAside(Contact, contact),
    })
  if (addedAt !== null) {
    records.push(
      outcome({ externalId: contact.id, outcomeType: 'lead_created', occurredAt: addedAt, person }),
    )
  }
  return records
}

function opportunityPerson(opportunity: Opportunity): PersonRecord {
  return {
    ...emptyPerson(),
    contactId: opportunity.contactId ?? opportunity.contact?.id ?? null,
    email: opportunity.contact?.email ?? null,
    phone: opportunity.contact?.phone ?? null,
    ...splitName(opportunity.contact?.name),
  }
}

/** The provider reports a number without currency. Null if it is 0 or the currency is unknown. */
function dealValue(opportunity: Opportunity, currency: string | null): Money | null {
  const amount = opportunity.monetaryValue
  if (amount === null || amount === undefined || Number(amount) === 0 || currency === null) return null
  return decimalMoney(amount, currency)
}

/**
 * The stage of an opportunity, which the profile's mapping turns into an outcome, and the sale once it is
 * won. If the status is no longer won, the sale is retracted.
 */
export function toOpportunityRecords(opportunity: Opportunity, currency: string | null): OutcomeRecord[] {
  const person = opportunityPerson(opportunity)
  const value = dealValue(opportunity, currency)
  const createdAt = opportunity.createdAt ?? opportunity.dateAdded
  const records: OutcomeRecord[] = []
  const stageAt = opportunity.lastStageChangeAt ?? createdAt
  if (opportunity.pipelineStageId !== null && stageAt !== null) {
    records.push(
      outcome({
        externalId: `${opportunity.id}:${opportunity.pipelineStageId}`,
        outcomeType: 'opportunity_stage',
        occurredAt: stageAt,
        value,
        person,
        stageId: opportunity.pipelineStageId,
        aside: fieldsAside(Opportunity, opportunity),
      }),
    )
  }
  const statusAt = opportunity.lastStatusChangeAt ?? stageAt
  const won = opportunity.status === 'won'
  const changed = opportunity.lastStatusChangeAt !== null && opportunity.lastStatusChangeAt !== createdAt
  if (statusAt !== null && (won || changed)) {
    records.push(
      outcome({
        externalId: opportunity.id,
        outcomeType: 'closed_won',
        occurredAt: statusAt,
        value,
        person,
        retracted: !won,
      }),
    )
  }
  return records
}

const attendedStatuses = new Set(['showed', 'completed'])
const notAttendedStatuses = new Set(['noshow', 'cancelled', 'invalid'])

/** A cancelled appointment still counts as booked; a deleted or invalid one does not. */
export function toAppointmentRecords(appointment: Appointment): OutcomeRecord[] {
  const person = { ...emptyPerson(), contactId: appointment.contactId }
  const status = appointment.deleted === true ? 'invalid' : (appointment.appointmentStatus ?? 'new')
  const bookedAt = appointment.dateAdded ?? appointment.startTime
  const records: OutcomeRecord[] = []
  if (bookedAt !== null) {
    records.push(
      outcome({
        externalId: appointment.id,
        outcomeType: 'appointment_booked',
        occurredAt: bookedAt,
        person,
        retracted: status === 'invalid',
        ...(appointment.startTime === null ? {} : { startsAt: appointment.startTime }),
        aside: fieldsAside(Appointment, appointment),
      }),
    )
  }
  const settled = attendedStatuses.has(status) || notAttendedStatuses.has(status)
  if (appointment.startTime !== null && settled) {
    records.push(
      outcome({
        externalId: appointment.id,
        outcomeType: 'appointment_attended',
        occurredAt: appointment.startTime,
        person,
        retracted: notAttendedStatuses.has(status),
      }),
    )
  }
  return records
}

export const retract = (records: OutcomeRecord[]): OutcomeRecord[] =>
  records.map((record) => ({ ...record, retracted: true }))
