/** Compares our event with the same event built by the classes of Meta's official client. */
// @ts-expect-error the package publishes no types
import sdk from 'facebook-nodejs-business-sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { sha256Hex } from '../export-results.ts'
import { normaliseEmail, normaliseExternalId, normalisePhone, toServerEvent } from './server-event.ts'

type Chain = { [setter: string]: (value: unknown) => Chain } & { normalize(): Record<string, unknown> }
type Utils = { normalizeAndHash(value: string, field: string): string }
const { ServerEvent, UserData, CustomData, ServerSideUtils } = sdk as unknown as {
  ServerEvent: new () => Chain
  UserData: new () => Chain
  CustomData: new () => Chain
  ServerSideUtils: Utils
}

const conversion = makeConversion({
  source: 'website',
  sourceUrl: 'https://shop.example/thanks',
  limitedDataUse: true,
  orderId: 'o-1',
  clicks: [{ kind: 'fbclid', id: 'IwAR0_Mixed-Case', seenAt: '2026-02-27T08:00:00.123Z' }],
  person: {
    ...noPerson,
    emails: [' Ana.Lee+1@Example.com '],
    phones: ['+49 151 234567'],
    externalIds: ['c-77'],
    address: {
      firstName: ' Ána ',
      lastName: "O'Neil",
      city: 'San José (1)',
      region: 'C.A.',
      postalCode: '94045-1234',
      country: 'US',
    },
    leadId: '123456789012345',
    browserId: 'fb.1.1596403881668.1116446470',
    ip: '203.0.113.9',
    userAgent: 'Mozilla/5.0',
  },
})

test('a server event equals the output of the official classes', () => {
  const userData = new UserData().setEmails!([' Ana.Lee+1@Example.com ']).setPhones!(['+49 151 234567'])
    .setExternalIds!([sha256Hex('c-77')]).setFbc!('fb.1.1772179200123.IwAR0_Mixed-Case').setFbp!(
    'fb.1.1596403881668.1116446470',
  ).setLeadId!('123456789012345').setClientIpAddress!('203.0.113.9').setClientUserAgent!('Mozilla/5.0')
    .setFirstNames!([' Ána ']).setLastNames!(["O'Neil"]).setCities!(['San José (1)']).setStates!(['C.A.'])
    .setZips!(['94045-1234']).setCountries!(['US'])
  const customData = new CustomData().setValue!(42).setCurrency!('USD').setOrderId!('o-1')
    .setCustomProperties!({ event_source: 'crm', lead_event_source: 'Whence' })
  const event = new ServerEvent().setEventName!('Purchase').setEventTime!(1772359200).setEventId!('e1')
    .setActionSource!('website').setEventSourceUrl!('https://shop.example/thanks').setDataProcessingOptions!([
    'LDU',
  ]).setDataProcessingOptionsCountry!(0).setDataProcessingOptionsState!(0).setUserData!(userData)
    .setCustomData!(customData)
  const official = event.normalize()
  const ours = toServerEvent(conversion)
  // The classes drop a 0 in these two fields, which the documentation requires.
  expect(ours).toMatchObject({ data_processing_options_country: 0, data_processing_options_state: 0 })
  expect(ours).toEqual({
    data_processing_options_country: 0,
    data_processing_options_state: 0,
    ...upper(official),
  })
})

/** The classes write the currency in lower case; the API accepts both. */
const upper = (event: Record<string, unknown>) => {
  const custom = event.custom_data as Record<string, unknown>
  return { ...event, custom_data: { ...custom, currency: String(custom.currency).toUpperCase() } }
}

test('hashes equal those of the official classes for arbitrary input', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z0-9]{1,6}(\.[a-z0-9]{1,6})?(\+[a-z0-9]{1,6})?@[a-z]{2,8}\.com$/),
      fc.stringMatching(/^[2-9][0-9]{9,12}$/),
      (email, number) => {
        const typed = ` ${email.toUpperCase()} `
        expect(sha256Hex(normaliseEmail(typed))).toBe(ServerSideUtils.normalizeAndHash(typed, 'em'))
        expect(sha256Hex(normaliseExternalId(typed))).toBe(
          ServerSideUtils.normalizeAndHash(typed, 'external_id'),
        )
        expect(sha256Hex(normalisePhone(`+${number}`))).toBe(
          ServerSideUtils.normalizeAndHash(`+${number}`, 'ph'),
        )
      },
    ),
    { numRuns: 100, seed: 16 },
  )
})
