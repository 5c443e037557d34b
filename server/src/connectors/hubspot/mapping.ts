/** Maps HubSpot's contacts, deals and form submissions to records. */
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
  type Tracking,
} from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { flag, id, maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

type ContactRecord = Extract<SyncRecord, { type: 'contact' }>
type OutcomeRecord = Extract<SyncRecord, { type: 'outcome' }>

export const contactProperties = [
  'email',
  'phone',
  'mobilephone',
  'firstname',
  'lastname',
  'city',
  'state',
  'zip',
  'country',
  'hs_country_region_code',
  'createdate',
  'lastmodifieddate',
  'hs_merged_object_ids',
  'hs_analytics_source',
  'hs_analytics_source_data_1',
  'hs_analytics_first_timestamp',
  'hs_analytics_first_url',
  'hs_google_click_id',
  'hs_facebook_click_id',
] as const

export const dealProperties = [
  'amount',
  'deal_currency_code',
  'dealstage',
  'pipeline',
  'closedate',
  'createdate',
  'hs_lastmodifieddate',
  'hs_is_closed_won',
  'hs_v2_date_entered_current_stage',
] as const

/** Every property is a string or null, regardless of its type in HubSpot. */
const CrmObject = z.looseObject({
  id,
  properties: z.record(z.string(), z.string().nullable()),
  archived: flag,
  archivedAt: text,
  createdAt: text,
  updatedAt: text,
})

export const Contact = CrmObject
export type Contact = z.infer<typeof Contact>
export const Deal = CrmObject
export type Deal = z.infer<typeof Deal>

export const Submission = z.looseObject({
  conversionId: id,
  submittedAt: z.number(),
  pageUrl: text,
  values: z
    .array(z.looseObject({ name: z.string(), value: maybeId }))
    .nullish()
    .transform((list) => list ?? []),
})
export type Submission = z.infer<typeof Submission>

type Properties = Record<string, string | null>
const property = (properties: Properties, name: string): string | null => properties[name]?.trim() || null

/** Times are ISO 8601, or milliseconds as a string. */
function timeOf(properties: Properties, name: string): string | null {
  const value = property(properties, name)
  return toInstant(value !== null && /^\d{11,14}$/.test(value) ? Number(value) : value)
}

/** Fields and properties that the mapping does not use. */
function asideOf(
  schema: { shape: Record<string, unknown> },
  item: Contact,
  mappedProperties: readonly string[],
): Record<string, unknown> {
  const properties = Object.fromEntries(
    Object.entries(item.properties).filter(([name]) => !mappedProperties.includes(name)),
  )
  return {
    ...fieldsAside(schema, item),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  }
}

const withUtm = (tracking: Tracking, url: string | null): Tracking => {
  const utm = readUtm(url)
  return Object.keys(utm).length === 0 ? tracking : { ...tracking, utm }
}

/** Click ids of HubSpot's ads tool are in separate properties, others only in the URL of the first page. */
function trackingOf(properties: Properties): Tracking {
  const url = property(properties, 'hs_analytics_first_url')
  const gclid = property(properties, 'hs_google_click_id')
  const fbclid = property(properties, 'hs_facebook_click_id')
  const fromProperties = readTrackingPairs({
    ...(gclid === null ? {} : { gclid }),
    ...(fbclid === null ? {} : { fbclid }),
  })
  return withUtm(mergeTracking(fromProperties, readTrackingUrl(url)), url)
}

function toPerson({ id: contactId, properties }: Contact): PersonRecord {
  const value = (name: string) => property(properties, name)
  return {
    ...emptyPerson(),
    ...trackingOf(properties),
    contactId,
    email: value('email'),
    phone: value('phone') ?? value('mobilephone'),
    ...countryField(value('hs_country_region_code') ?? value('country')),
    firstName: value('firstname'),
    lastName: value('lastname'),
    address: { city: value('city'), region: value('state'), postalCode: value('zip') },
    visitedAt: timeOf(properties, 'hs_analytics_first_timestamp'),
  }
}

function outcome(
  fields: Pick<OutcomeRecord, 'externalId' | 'outcomeType' | 'occurredAt' | 'person'> &
    Partial<OutcomeRecord>,
): OutcomeRecord {
  return { type: 'outcome', value: null, stageId: null, retracted: false, ...fields }
}

/** Previous ids of the contacts that were merged into this one. */
export const mergedIds = ({ id: contactId, properties }: Contact): string[] =>
  (property(properties, 'hs_merged_object_ids') ?? '')
    .split(';')
    .filter((mergedId) => mergedId !== '' && mergedId !== contactId)

/** Contacts of an uploaded list are no leads of that day. */
const isImported = (properties: Properties) =>
  property(properties, 'hs_analytics_source') === 'OFFLINE' &&
  property(properties, 'hs_analytics_source_data_1') === 'IMPORT'

/**
 * A contact is a lead at the time it was added. Records under the ids of merged contacts become this
 * contact's, and their leads are retracted, because they were the same person.
 */
export function toContactRecords(contact: Contact): (ContactRecord | OutcomeRecord)[] {
  const { properties } = contact
  const person = toPerson(contact)
  const addedAt = timeOf(properties, 'createdate') ?? toInstant(contact.createdAt)
  const seenAt = timeOf(properties, 'lastmodifieddate') ?? toInstant(contact.updatedAt) ?? addedAt
  if (addedAt === null || seenAt === null) return []
  const records: (ContactRecord | OutcomeRecord)[] = [
    {
      type: 'contact',
      externalId: contact.id,
      updatedAt: seenAt,
      person,
      aside: asideOf(Contact, contact, contactProperties),
    },
  ]
  const lead = (externalId: string, retracted: boolean) =>
    outcome({ externalId, outcomeType: 'lead_created', occurredAt: addedAt, person, retracted })
  if (!isImported(properties)) records.push(lead(contact.id, false))
  for (const externalId of mergedIds(contact))
    records.push({ type: 'contact', externalId, updatedAt: seenAt, person }, lead(externalId, true))
  return records
}

/** Null if the amount is 0 or the currency is unknown. */
function dealValue(properties: Properties, currency: string | null): Money | null {
  const amount = property(properties, 'amount')
  const code = property(properties, 'deal_currency_code')?.toUpperCase() ?? currency
  if (amount === null || Number(amount) === 0 || code === null) return null
  return decimalMoney(amount, code)
}

/**
 * The stage of a deal, which the profile's mapping turns into an outcome, and the sale once it is won. A deal that is not won
 * retracts a sale that an earlier read may have recorded. `closedate` of an open deal is an estimate that people set freely:
 * a date after the last change is not the time of the sale.
 */
export function toDealRecords(
  deal: Deal,
  contact: Contact | null,
  accountCurrency: string | null,
): OutcomeRecord[] {
  const { properties } = deal
  const createdAt = timeOf(properties, 'createdate') ?? toInstant(deal.createdAt)
  if (createdAt === null) return []
  const person = contact === null ? emptyPerson() : toPerson(contact)
  const value = dealValue(properties, accountCurrency)
  const changedAt = timeOf(properties, 'hs_lastmodifieddate') ?? toInstant(deal.updatedAt) ?? createdAt
  const stageAt = timeOf(properties, 'hs_v2_date_entered_current_stage') ?? createdAt
  const closedAt = timeOf(properties, 'closedate')
  const isWon = property(properties, 'hs_is_closed_won') === 'true'
  const stageId = property(properties, 'dealstage')
  const aside = asideOf(Deal, deal, dealProperties)
  return [
    ...(stageId === null
      ? []
      : [
          outcome({
            externalId: `${deal.id}:${stageId}`,
            outcomeType: 'opportunity_stage',
            occurredAt: stageAt,
            value,
            person,
            stageId,
            aside,
          }),
        ]),
    outcome({
      externalId: deal.id,
      outcomeType: 'closed_won',
      occurredAt: isWon && closedAt !== null && closedAt <= changedAt ? closedAt : stageAt,
      value,
      person,
      retracted: !isWon,
      aside,
    }),
  ]
}

/** Only fields of HubSpot's contact properties are used, no other questions of a form. */
export function toSubmissionRecords(submission: Submission): OutcomeRecord[] {
  const occurredAt = toInstant(submission.submittedAt)
  if (occurredAt === null) return []
  const answers = Object.fromEntries(submission.values.map(({ name, value }) => [name, value]))
  const person: PersonRecord = {
    ...emptyPerson(),
    ...withUtm(readTrackingUrl(submission.pageUrl), submission.pageUrl),
    email: property(answers, 'email'),
    phone: property(answers, 'phone') ?? property(answers, 'mobilephone'),
    ...countryField(property(answers, 'country')),
    firstName: property(answers, 'firstname'),
    lastName: property(answers, 'lastname'),
  }
  if (person.email === null && person.phone === null) return []
  return [outcome({ externalId: submission.conversionId, outcomeType: 'form_submitted', occurredAt, person })]
}

export const retract = (records: readonly SyncRecord[]): SyncRecord[] =>
  records.flatMap((record) => (record.type === 'outcome' ? [{ ...record, retracted: true }] : []))
