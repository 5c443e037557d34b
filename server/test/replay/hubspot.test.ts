/** Responses and webhooks in HubSpot's published format and from recordings, with our values (README.md). */
import { expect, test } from 'vitest'
import { Contact, Deal, toContactRecords, toDealRecords } from '../../src/connectors/hubspot/mapping.ts'
import { mapWebhook } from '../../src/connectors/hubspot/webhooks.ts'
import { withoutAside } from './published.ts'

const contact = {
  id: '713400000001',
  properties: {
    company: 'Harbor & Pine',
    createdate: '2026-02-20T08:15:30.250Z',
    email: 'ana@harborandpine.example',
    firstname: 'Ana',
    hs_object_id: '713400000001',
    jobtitle: null,
    lastmodifieddate: '2026-03-01T09:00:05.125Z',
    lastname: 'Reyes',
    phone: '+1-201-555-0123',
  },
  createdAt: '2026-02-20T08:15:30.250Z',
  updatedAt: '2026-03-01T09:00:05.125Z',
  archived: false,
  url: 'https://app-eu1.hubspot.com/contacts/1/record/0-1/713400000001',
}

test('a contact of the list, with properties that are null and an address next to them', () => {
  expect(toContactRecords(Contact.parse(contact)).map(withoutAside)).toMatchObject([
    {
      type: 'contact',
      externalId: '713400000001',
      updatedAt: '2026-03-01T09:00:05.125Z',
      person: { email: 'ana@harborandpine.example', phone: '+1-201-555-0123', firstName: 'Ana' },
    },
    { type: 'outcome', outcomeType: 'lead_created', occurredAt: '2026-02-20T08:15:30.250Z' },
  ])
})

test('times with microseconds and an offset are the same instants', () => {
  const properties = { createdate: '2021-03-04T20:08:49.123000+00:00' }
  const [, lead] = toContactRecords(Contact.parse({ ...contact, properties }))
  expect(lead).toMatchObject({ occurredAt: '2021-03-04T20:08:49.123Z' })
})

test('a deal created by an integration has no stage; its amount is in the account’s currency', () => {
  const deal = {
    id: '493500000001',
    properties: {
      amount: '10000',
      amount_in_home_currency: '10000',
      closedate: null,
      createdate: '2026-03-02T07:30:00.500Z',
      days_to_close: '0',
      dealname: 'Fit-out',
      hs_is_closed_lost: 'false',
      hs_lastmodifieddate: '2026-03-02T07:30:02.000Z',
      hs_object_source_label: 'INTEGRATION',
    },
    createdAt: '2026-03-02T07:30:00.500Z',
    updatedAt: '2026-03-02T07:30:02.000Z',
    archived: false,
  }
  expect(toDealRecords(Deal.parse(deal), null, 'USD').map(withoutAside)).toMatchObject([
    {
      outcomeType: 'closed_won',
      retracted: true,
      stageId: null,
      value: { amountMinor: 1_000_000, currency: 'USD' },
    },
  ])
})

test('a webhook batch contains the id of the contact to read', () => {
  const event = {
    eventId: 501,
    subscriptionId: 77,
    portalId: 48_151_623,
    appId: 31,
    occurredAt: 1_770_000_000_000,
    subscriptionType: 'contact.creation',
    attemptNumber: 0,
    objectId: 65_000_000_032,
    changeFlag: 'CREATED',
    changeSource: 'CRM_UI',
    sourceId: 'userId:9',
  }
  const rawBody = Buffer.from(JSON.stringify([event]))
  expect(mapWebhook({ rawBody, headers: {}, query: {} })).toEqual([
    { type: 'read_back', accountId: '48151623', resource: 'contact', id: '65000000032' },
  ])
})
