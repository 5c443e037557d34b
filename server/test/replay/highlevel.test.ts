/** Examples of HighLevel's published schemas and of its webhooks through the mapping of crmsuite. */
import { expect, test } from 'vitest'
import * as mapping from '../../src/connectors/crmsuite/mapping.ts'
import { mapWebhook } from '../../src/connectors/crmsuite/webhooks.ts'
import { published, withoutAside } from './published.ts'

type Example = Record<string, unknown>
const examples = published<{
  contact: { contact: Example }
  opportunities: { opportunities: Example[] }
  events: { events: Example[] }
  webhooks: Record<string, Example[]>
}>('highlevel/examples.json')

test('a contact is a person and a lead, with the click of its attribution', () => {
  const records = mapping.toContactRecords(mapping.Contact.parse(examples.contact.contact)).map(withoutAside)
  expect(records[0]).toMatchObject({
    type: 'contact',
    externalId: 'seD4PfOuKoVMLkEZqohJ',
    updatedAt: '2021-07-02T05:18:26.704Z',
    person: { email: 'rubika@deos.com', phone: '+18832327657', country: 'US' },
  })
  expect(records[0]!.type === 'contact' && records[0]!.person.clickIds.gclid).toMatch(/^CjOKCQjwnNyUBh/)
})

test('an opportunity is an outcome of its stage, in the currency of the account', () => {
  const [example] = examples.opportunities.opportunities
  const records = mapping.toOpportunityRecords(mapping.Opportunity.parse(example), 'USD').map(withoutAside)
  expect(records).toMatchObject([
    {
      outcomeType: 'opportunity_stage',
      occurredAt: '2021-08-03T04:55:17.355Z',
      stageId: 'e93ba61a-53b3-45e7-985a-c7732dbcdb69',
      value: { amountMinor: 50_000, currency: 'USD' },
      person: { contactId: 'zT46WSCPbudrq4zhWMk6', email: 'john@deo.com' },
    },
  ])
})

test('an event of a calendar is an appointment of its contact, its time with an offset', () => {
  // The example lacks the id that every real response has.
  const [example] = examples.events.events
  const records = mapping.toAppointmentRecords(mapping.Appointment.parse({ ...example, id: 'event-1' }))
  expect(records.map(withoutAside)).toMatchObject([
    {
      externalId: 'event-1',
      outcomeType: 'appointment_booked',
      startsAt: '2023-09-25T10:30:00.000Z',
      person: { contactId: '9NkT25Vor1v4aQatFsv2' },
    },
  ])
})

test('every published webhook is mapped according to its name', () => {
  const meaningOf = (body: Example) => {
    const [meaning] = mapWebhook({ rawBody: Buffer.from(JSON.stringify(body)), headers: {}, query: {} })
    return meaning!.type === 'read_back' ? `read ${meaning!.resource}` : meaning!.type
  }
  const meanings = Object.entries(examples.webhooks).map(([name, bodies]) => [name, bodies.map(meaningOf)])
  expect(Object.fromEntries(meanings)).toEqual({
    ContactCreate: ['read contact'],
    ContactUpdate: ['read contact'],
    ContactDelete: ['records'],
    OpportunityCreate: ['read opportunity'],
    OpportunityStatusUpdate: ['read opportunity'],
    OpportunityStageUpdate: ['read opportunity'],
    OpportunityMonetaryValueUpdate: ['read opportunity'],
    OpportunityDelete: ['records'],
    AppointmentCreate: ['read appointment'],
    AppointmentUpdate: ['read appointment'],
    // The page's example has the type AppointmentCreate.
    AppointmentDelete: ['read appointment'],
    AppInstall: ['ignored', 'ignored', 'ignored'],
    AppUninstall: ['uninstalled', 'uninstalled_by_owner'],
  })
})
