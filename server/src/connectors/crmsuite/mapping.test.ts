import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { InboundWebhook, ProviderApp } from '../connector.ts'
import {
  Appointment,
  Contact,
  isIncomplete,
  Opportunity,
  toAppointmentRecords,
  toContactRecords,
  toOpportunityRecords,
} from './mapping.ts'
import { suggestOutcome } from './stages.ts'
import { mapWebhook, verifyWebhook } from './webhooks.ts'

describe('suggested outcomes', () => {
  test.each([
    ['New Lead', 'lead_created'],
    ['Inquiry', 'lead_created'],
    ['Nuevos interesados', 'lead_created'],
    ['Appointment Booked', 'appointment_booked'],
    ['Call scheduled', 'appointment_booked'],
    ['Cita agendada', 'appointment_booked'],
    ['Showed', 'appointment_attended'],
    ['Consultation completed', 'appointment_attended'],
    ['Proposal sent', 'quote_presented'],
    ['Presupuesto enviado', 'quote_presented'],
    ['Closed Won', 'closed_won'],
    ['Quote accepted', 'closed_won'],
    ['Venta cerrada', 'closed_won'],
    ['Closed Lost', null],
    ['No-show', null],
    ['Appointment cancelled', null],
    ['Perdido', null],
    ['Nurture', null],
    ['', null],
  ])('%s suggests %s', (name, outcome) => {
    expect(suggestOutcome(name)).toBe(outcome)
  })
})

const contact = (overrides: Record<string, unknown> = {}) =>
  Contact.parse({
    id: 'c-1',
    email: 'ana@example.com',
    phone: '+15550100',
    contactName: 'ana ruiz',
    dateAdded: '2026-01-05T10:00:00.000Z',
    dateUpdated: 1767700000000,
    attributionSource: {
      url: 'https://x.example/?gbraid=b-1&campaign_id=9',
      fbclid: 'f-1',
      adId: 120,
      adGroupId: null,
      msclikid: 'm-1',
    },
    lastAttributionSource: { fbclid: 'later', gclid: 'g-1' },
    ...overrides,
  })

describe('contacts', () => {
  test('a contact is a person and a lead from the time it was added', () => {
    const [person, lead] = toContactRecords(contact())
    expect(person).toMatchObject({
      type: 'contact',
      externalId: 'c-1',
      updatedAt: '2026-01-06T11:46:40.000Z',
    })
    expect(lead).toMatchObject({
      outcomeType: 'lead_created',
      externalId: 'c-1',
      occurredAt: '2026-01-05T10:00:00.000Z',
      person: {
        contactId: 'c-1',
        firstName: 'ana',
        lastName: 'ruiz',
        clickIds: { fbclid: 'f-1', gbraid: 'b-1', gclid: 'g-1', msclkid: 'm-1' },
        ad: { adId: '120', adSetId: null, campaignId: '9' },
      },
    })
  })

  test('field names of live responses are supported in addition to the published schema', () => {
    const [, lead] = toContactRecords(
      contact({
        attributionSource: null,
        lastAttributionSource: null,
        attributions: [
          {
            utmAdId: '77',
            utmCampaignId: 8,
            pageUrl: 'https://x.example/?fbclid=f-2&adset_id=5&utm_source=fb',
          },
        ],
        lastAttribution: { utmAdId: '78', utmMedium: 'email' },
      }),
    )
    expect(lead!.person).toMatchObject({
      clickIds: { fbclid: 'f-2' },
      ad: { adId: '77', adSetId: '5', campaignId: '8' },
      utm: { source: 'fb' },
    })
  })

  test.each([
    ['a name and an origin', {}, false],
    ['no name', { contactName: null }, true],
    ['no origin', { attributionSource: null, lastAttributionSource: null }, true],
  ])('an answer with %s', (_, overrides, thin) => {
    expect(isIncomplete(contact(overrides))).toBe(thin)
  })

  test('fields that the CRM omits are null, not empty', () => {
    const [lead] = toContactRecords(
      Contact.parse({ id: 'c-2', dateAdded: '2026-01-05T10:00:00Z', email: '' }),
    )
    expect(lead!.person).toMatchObject({ email: null, phone: null, firstName: null, clickIds: {} })
  })
})

describe('opportunities', () => {
  const opportunity = (overrides: Record<string, unknown> = {}) =>
    Opportunity.parse({
      id: 'o-1',
      contactId: 'c-1',
      pipelineStageId: 's-2',
      status: 'open',
      monetaryValue: 1200.5,
      createdAt: '2026-01-05T10:00:00.000Z',
      lastStatusChangeAt: '2026-01-05T10:00:00.000Z',
      lastStageChangeAt: '2026-01-07T10:00:00.000Z',
      ...overrides,
    })

  test('the stage is reported with its id as a separate record', () => {
    expect(toOpportunityRecords(opportunity(), 'USD')).toMatchObject([
      {
        externalId: 'o-1:s-2',
        stageId: 's-2',
        occurredAt: '2026-01-07T10:00:00.000Z',
        value: { amountMinor: 120050, currency: 'USD' },
        person: { contactId: 'c-1' },
        retracted: false,
      },
    ])
  })

  test('a won opportunity is a sale, reopening retracts it', () => {
    const at = { lastStatusChangeAt: '2026-01-09T10:00:00.000Z' }
    expect(toOpportunityRecords(opportunity({ status: 'won', ...at }), 'USD')[1]).toMatchObject({
      externalId: 'o-1',
      outcomeType: 'closed_won',
      occurredAt: '2026-01-09T10:00:00.000Z',
      retracted: false,
    })
    expect(toOpportunityRecords(opportunity({ status: 'lost', ...at }), 'USD')[1]).toMatchObject({
      outcomeType: 'closed_won',
      retracted: true,
    })
  })

  test('a value of 0 or without a known currency is null', () => {
    expect(toOpportunityRecords(opportunity(), null)[0]!.value).toBeNull()
    expect(toOpportunityRecords(opportunity({ monetaryValue: 0 }), 'USD')[0]!.value).toBeNull()
  })
})

describe('appointments', () => {
  const at = {
    id: 'a-1',
    contactId: 'c-1',
    dateAdded: '2026-01-05T10:00:00+01:00',
    startTime: '2026-01-08T15:00:00+01:00',
  }
  test('contain their start, so that a calendar does not count them again', () => {
    const [booked] = toAppointmentRecords(Appointment.parse({ ...at, appointmentStatus: 'new' }))
    expect(booked).toMatchObject({ startsAt: '2026-01-08T14:00:00.000Z' })
  })

  const outcomes = (appointmentStatus: string) =>
    toAppointmentRecords(Appointment.parse({ ...at, appointmentStatus })).map(
      ({ outcomeType, retracted }) => `${retracted ? 'not ' : ''}${outcomeType}`,
    )

  test.each([
    ['new', ['appointment_booked']],
    ['confirmed', ['appointment_booked']],
    ['showed', ['appointment_booked', 'appointment_attended']],
    ['noshow', ['appointment_booked', 'not appointment_attended']],
    ['cancelled', ['appointment_booked', 'not appointment_attended']],
    ['invalid', ['not appointment_booked', 'not appointment_attended']],
  ])('%s means %j', (status, expected) => {
    expect(outcomes(status)).toEqual(expected)
  })
})

describe('webhooks', () => {
  const now = new Date('2026-01-06T12:00:00Z')
  const ed = generateKeyPairSync('ed25519')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = (key: typeof ed.publicKey) => key.export({ type: 'spki', format: 'pem' }).toString()
  const app = {
    extra: { webhookPublicKey: pem(ed.publicKey), webhookRsaPublicKey: pem(rsa.publicKey) },
  } as unknown as ProviderApp
  const body = (overrides: Record<string, unknown> = {}) =>
    Buffer.from(
      JSON.stringify({
        type: 'ContactCreate',
        locationId: 'l-1',
        id: 'c-1',
        timestamp: now.toISOString(),
        ...overrides,
      }),
    )
  const current = (raw = body(), key = ed.privateKey): InboundWebhook => ({
    rawBody: raw,
    headers: { 'x-ghl-signature': sign(null, raw, key).toString('base64') },
    query: {},
  })
  const older = (raw = body()): InboundWebhook => ({
    rawBody: raw,
    headers: { 'x-wh-signature': sign('sha256', raw, rsa.privateKey).toString('base64') },
    query: {},
  })

  test('the current and the older signature are verified, with the key as PEM or DER', () => {
    expect(verifyWebhook(app, current(), now)).toBe(true)
    expect(verifyWebhook(app, older(), now)).toBe(true)
    const der = ed.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    expect(verifyWebhook({ ...app, extra: { webhookPublicKey: der } }, current(), now)).toBe(true)
  })

  test.each([
    ['another body', { ...current(), rawBody: body({ id: 'c-2' }) }],
    ['another key', current(body(), generateKeyPairSync('ed25519').privateKey)],
    ['no signature', { ...current(), headers: {} }],
    ['an empty signature', { ...current(), headers: { 'x-ghl-signature': '' } }],
    ['a time long past', current(body({ timestamp: '2026-01-06T09:00:00Z' }))],
    [
      'the older header with the current key’s signature',
      { ...current(), headers: { 'x-wh-signature': current().headers['x-ghl-signature']! } },
    ],
  ])('%s is refused', (_name, webhook) => {
    expect(verifyWebhook(app, webhook, now)).toBe(false)
  })

  test('without a configured key every signature is rejected', () => {
    expect(verifyWebhook({ ...app, extra: {} }, current(), now)).toBe(false)
  })

  const meaning = (overrides: Record<string, unknown>) => mapWebhook(current(body(overrides)))

  test('changes are read back, deletions retract, an uninstall is reported', () => {
    expect(meaning({})).toEqual([{ type: 'read_back', accountId: 'l-1', resource: 'contact', id: 'c-1' }])
    expect(meaning({ type: 'OpportunityStageUpdate', id: 'o-1' })).toMatchObject([
      { resource: 'opportunity', id: 'o-1' },
    ])
    expect(meaning({ type: 'AppointmentUpdate', appointment: { id: 'a-1' } })).toMatchObject([
      { resource: 'appointment', id: 'a-1' },
    ])
    expect(meaning({ type: 'ContactDelete', dateAdded: '2026-01-05T10:00:00Z' })).toMatchObject([
      { type: 'records', records: [{ outcomeType: 'lead_created', externalId: 'c-1', retracted: true }] },
    ])
    expect(
      meaning({
        type: 'OpportunityDelete',
        id: 'o-1',
        pipelineStageId: 's-1',
        dateAdded: '2026-01-05T10:00:00Z',
      }),
    ).toMatchObject([
      {
        records: [
          { externalId: 'o-1:s-1', retracted: true },
          { externalId: 'o-1', outcomeType: 'closed_won', retracted: true },
        ],
      },
    ])
    expect(
      meaning({ type: 'AppointmentDelete', appointment: { id: 'a-1', startTime: '2026-01-05T10:00:00Z' } }),
    ).toMatchObject([
      {
        records: [
          { outcomeType: 'appointment_booked', retracted: true },
          { outcomeType: 'appointment_attended', retracted: true },
        ],
      },
    ])
    expect(meaning({ type: 'UNINSTALL' })).toEqual([{ type: 'uninstalled', accountId: 'l-1' }])
    expect(meaning({ type: 'INSTALL' })).toEqual([{ type: 'ignored' }])
    expect(meaning({ type: 'UNINSTALL', locationId: undefined, companyId: 'c-1' })).toEqual([
      { type: 'uninstalled_by_owner', token: { userType: 'Company', companyId: 'c-1' } },
    ])
  })

  test('a deleted appointment retracts its outcomes', () => {
    const appointment = {
      id: 'a-1',
      startTime: '2026-01-05T10:00:00Z',
      appointmentStatus: 'showed',
      deleted: true,
    }
    expect(toAppointmentRecords(Appointment.parse(appointment))).toMatchObject([
      { outcomeType: 'appointment_booked', retracted: true },
      { outcomeType: 'appointment_attended', retracted: true },
    ])
  })
})
