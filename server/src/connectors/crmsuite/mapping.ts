/** Crmsuite contacts, opportunities and appointments (HighLevel's public API) to plain records. */
import { z } from 'zod'
import { decimalToMinor } from '../amounts.ts'
import type { Money, PersonRecord, SyncRecord } from '../connector.ts'
import { emptyPerson, mergeTracking, readTrackingPairs, readTrackingUrl, splitName } from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

type ContactRecord = Extract<SyncRecord, { type: 'contact' }>
type OutcomeRecord = Extract<SyncRecord, { type: 'outcome' }>

/** Times come as text with an offset, or as milliseconds. */
const time = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => toInstant(value))

const Attribution = z
  .looseObject({
    url: text,
    fbclid: text,
    fbc: text,
    fbp: text,
    gclid: text,
    gbraid: text,
    wbraid: text,
    dclid: text,
    /** The provider's own spelling. */
    msclikid: text,
    ttclid: text,
    adId: maybeId,
    adGroupId: maybeId,
    campaignId: maybeId,
  })
  .nullish()

export const Contact = z.looseObject({
  id: z.string().min(1),
  locationId: text,
  email: text,
  phone: text,
  name: text,
  contactName: text,
  firstName: text,
  lastName: text,
  dateAdded: time,
  dateUpdated: time,
  attributionSource: Attribution,
  lastAttributionSource: Attribution,
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
  startTime: time,
  dateAdded: time,
  dateUpdated: time,
})
export type Appointment = z.infer<typeof Appointment>

function readAttribution(source: z.infer<typeof Attribution>) {
  const { url, msclikid, adId, adGroupId, campaignId, ...ids } = source ?? {}
  const pairs: Record<string, string> = {}
  const known = { ...ids, msclkid: msclikid, ad_id: adId, adset_id: adGroupId, campaign_id: campaignId }
  for (const [name, value] of Object.entries(known)) if (typeof value === 'string') pairs[name] = value
  return mergeTracking(readTrackingPairs(pairs), readTrackingUrl(url ?? null))
}

/** First touch before last: the CRM's own record of what brought the person. */
function toPerson(contact: Contact): PersonRecord {
  const sources = [contact.attributionSource, ...(contact.attributions ?? []), contact.lastAttributionSource]
  const tracking = sources.map(readAttribution).reduce(mergeTracking)
  const whole = splitName(contact.name ?? contact.contactName)
  return {
    ...emptyPerson(),
    ...tracking,
    contactId: contact.id,
    email: contact.email,
    phone: contact.phone,
    firstName: contact.firstName ?? whole.firstName,
    lastName: contact.lastName ?? whole.lastName,
  }
}

function outcome(
  fields: Pick<OutcomeRecord, 'externalId' | 'outcomeType' | 'occurredAt' | 'person'> &
    Partial<OutcomeRecord>,
): OutcomeRecord {
  return { type: 'outcome', value: null, stageId: null, retracted: false, ...fields }
}

/** A contact is a lead from the moment it was added; without that moment there is only the person. */
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

/** The provider gives a bare number; a deal worth nothing yet is worth null, and so is one in no known currency. */
function dealValue(opportunity: Opportunity, currency: string | null): Money | null {
  const amount = opportunity.monetaryValue
  if (amount === null || amount === undefined || Number(amount) === 0 || currency === null) return null
  return { amountMinor: decimalToMinor(amount, currency), currency }
}

/**
 * The stage an opportunity stands in, for the profile's own mapping to name, and the sale once it is
 * won. A status that changed away from won takes the sale back.
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

/** A cancelled appointment was booked all the same; one marked invalid never was. */
export function toAppointmentRecords(appointment: Appointment): OutcomeRecord[] {
  const person = { ...emptyPerson(), contactId: appointment.contactId }
  const status = appointment.appointmentStatus ?? 'new'
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
