/** Maps objects in the format of HubSpot's API reference (read 2026-11-17) and of recorded responses. */
import { expect, test } from 'vitest'
import type { SyncRecord } from '../connector.ts'
import { Contact, Deal, Submission, toContactRecords, toDealRecords, toSubmissionRecords } from './mapping.ts'

const contact = (properties: Record<string, string | null>, id = '512') =>
  Contact.parse({
    id,
    properties: {
      createdate: '2026-02-01T10:00:00.000Z',
      lastmodifieddate: '2026-02-03T10:00:00.000Z',
      hs_object_id: id,
      ...properties,
    },
    createdAt: '2026-02-01T10:00:00.000Z',
    updatedAt: '2026-02-03T10:00:00.000Z',
    archived: false,
    url: 'https://app.hubspot.com/contacts/1/record/0-1/512',
  })
const deal = (properties: Record<string, string | null>) =>
  Deal.parse({
    id: '99',
    properties: {
      createdate: '2026-02-01T10:00:00.000Z',
      hs_lastmodifieddate: '2026-02-10T10:00:00.000Z',
      dealstage: 'closedwon',
      hs_is_closed_won: 'true',
      hs_v2_date_entered_current_stage: '2026-02-09T10:00:00.000Z',
      closedate: '2026-02-09T09:00:00.000Z',
      amount: '1500.50',
      deal_currency_code: 'EUR',
      ...properties,
    },
    createdAt: '2026-02-01T10:00:00.000Z',
    updatedAt: '2026-02-10T10:00:00.000Z',
    archived: false,
  })
const outcomeOf = (records: readonly SyncRecord[], type: string) =>
  records.find((record) => record.type === 'outcome' && record.outcomeType === type) as Extract<
    SyncRecord,
    { type: 'outcome' }
  >

test('a contact is a person and a lead, with click ids from properties and from the first page', () => {
  const records = toContactRecords(
    contact({
      email: 'ana@example.com',
      phone: '(201) 555-0123',
      country: 'United States',
      hs_country_region_code: 'US',
      firstname: 'Ana',
      hs_google_click_id: 'g-1',
      hs_facebook_click_id: 'f-1',
      hs_analytics_first_timestamp: '1769767200000',
      hs_analytics_first_url:
        'https://shop.example/?utm_source=google&utm_medium=cpc&msclkid=m-1&gclid=older&ad_id=7',
      favourite_colour: 'blue',
    }),
  )
  expect(records.map((record) => record.type)).toEqual(['contact', 'outcome'])
  expect(records[0]!.aside).toEqual({
    url: 'https://app.hubspot.com/contacts/1/record/0-1/512',
    properties: { hs_object_id: '512', favourite_colour: 'blue' },
  })
  expect(records[1]).toMatchObject({
    externalId: '512',
    outcomeType: 'lead_created',
    occurredAt: '2026-02-01T10:00:00.000Z',
    person: {
      contactId: '512',
      email: 'ana@example.com',
      phone: '(201) 555-0123',
      country: 'US',
      clickIds: { gclid: 'g-1', fbclid: 'f-1', msclkid: 'm-1' },
      ad: { adId: '7' },
      utm: { source: 'google', medium: 'cpc' },
      visitedAt: '2026-01-30T10:00:00.000Z',
    },
  })
})

test('an imported contact is a person and no lead', () => {
  const imported = { hs_analytics_source: 'OFFLINE', hs_analytics_source_data_1: 'IMPORT' }
  expect(toContactRecords(contact(imported)).map((record) => record.type)).toEqual(['contact'])
  const called = { hs_analytics_source: 'OFFLINE', hs_analytics_source_data_1: 'CRM_UI' }
  expect(toContactRecords(contact(called))).toHaveLength(2)
})

test('records under the ids of merged contacts become the contact’s, their leads are retracted', () => {
  const records = toContactRecords(contact({ email: 'ana@example.com', hs_merged_object_ids: '7;512;8' }))
  expect(
    records.map((record) => [
      record.externalId,
      record.type === 'outcome' ? (record.retracted ? 'taken back' : 'lead') : 'contact',
      record.person.contactId,
    ]),
  ).toEqual([
    ['512', 'contact', '512'],
    ['512', 'lead', '512'],
    ['7', 'contact', '512'],
    ['7', 'taken back', '512'],
    ['8', 'contact', '512'],
    ['8', 'taken back', '512'],
  ])
})

test('a won deal is a sale on its close date, in its own currency, and a stage', () => {
  const records = toDealRecords(deal({}), contact({ email: 'ana@example.com' }), 'USD')
  expect(outcomeOf(records, 'closed_won')).toMatchObject({
    externalId: '99',
    occurredAt: '2026-02-09T09:00:00.000Z',
    value: { amountMinor: 150_050, currency: 'EUR' },
    person: { contactId: '512', email: 'ana@example.com' },
    retracted: false,
  })
  expect(outcomeOf(records, 'opportunity_stage')).toMatchObject({
    externalId: '99:closedwon',
    stageId: 'closedwon',
    occurredAt: '2026-02-09T10:00:00.000Z',
  })
})

test('a planned close date is not the time of the sale', () => {
  const planned = deal({ closedate: '2026-12-31T00:00:00.000Z' })
  expect(outcomeOf(toDealRecords(planned, null, 'USD'), 'closed_won').occurredAt).toBe(
    '2026-02-09T10:00:00.000Z',
  )
  const open = deal({ hs_is_closed_won: 'false', dealstage: 'contractsent' })
  expect(outcomeOf(toDealRecords(open, null, 'USD'), 'closed_won').retracted).toBe(true)
})

test.each([
  [{ deal_currency_code: null }, 'USD', { amountMinor: 150_050, currency: 'USD' }],
  [{ deal_currency_code: 'jpy', amount: '1500' }, 'USD', { amountMinor: 1500, currency: 'JPY' }],
  [{ deal_currency_code: null }, null, null],
  [{ amount: '333.33333' }, null, { amountMinor: 33333, currency: 'EUR', reported: '333.33333' }],
  [{ amount: null }, 'USD', null],
  [{ amount: '0' }, 'USD', null],
])('the worth of a deal with %j in an account of %s', (properties, currency, value) => {
  expect(outcomeOf(toDealRecords(deal(properties), null, currency), 'closed_won').value).toEqual(value)
})

const malformed: Record<string, string>[] = [{ amount: 'a lot' }, { deal_currency_code: 'XXZ' }]
test.each(malformed)('a deal with %j is malformed, not guessed', (properties) => {
  expect(() => toDealRecords(deal(properties), null, 'USD')).toThrow()
})

test('a submission is an outcome of the person who answered, with the click of its page', () => {
  const submission = {
    conversionId: '1dd1ea8f-1e85-4b17-9d8a-5a8b4f2d5a11',
    submittedAt: 1_770_000_000_000,
    pageUrl: 'https://shop.example/contact?fbclid=f-2&utm_source=meta',
    values: [
      { name: 'email', value: 'ana@example.com', objectTypeId: '0-1' },
      { name: 'firstname', value: 'Ana' },
      { name: 'budget', value: '5000' },
    ],
  }
  expect(toSubmissionRecords(Submission.parse(submission))).toMatchObject([
    {
      externalId: submission.conversionId,
      outcomeType: 'form_submitted',
      occurredAt: '2026-02-02T02:40:00.000Z',
      person: {
        email: 'ana@example.com',
        firstName: 'Ana',
        clickIds: { fbclid: 'f-2' },
        utm: { source: 'meta' },
      },
    },
  ])
  expect(toSubmissionRecords(Submission.parse({ ...submission, values: [] }))).toEqual([])
})
