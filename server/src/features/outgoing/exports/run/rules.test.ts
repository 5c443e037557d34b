import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../facts/export-queue/rules.ts'
import type { Facts } from './facts.ts'
import { consentOf, mayRetry, nextPollAt, retryAtOf, runStatusOf, type Setting, toExport } from './rules.ts'

const now = new Date('2026-11-16T12:00:00Z')
const row = { conversionId: 'c-1', goalId: 'g-1', adjustment: 'none', eventIdSource: null } as const

const facts = (
  fields: { event?: Partial<Facts['event'] & object>; person?: Partial<Facts['person']> } = {},
): Facts => ({
  conversion: {
    id: 'c-1',
    goalId: 'g-1',
    occurredAt: new Date('2026-11-16T11:00:00Z'),
    revenueType: 'cash',
    valueMinor: 10_000,
    currency: 'EUR',
    isSetAside: false,
  },
  event: {
    occurredAt: new Date('2026-11-16T11:00:00Z'),
    source: 'tracker',
    url: 'https://shop.example/secret/page?q=1',
    orderId: 'o-1',
    consent: null,
    country: 'ES',
    clickIds: null,
    userAgent: 'Firefox',
    ip: '192.0.2.1',
    browserId: 'fb.1.2',
    cookies: {},
    properties: null,
    ...fields.event,
  },
  person: {
    isErased: false,
    emails: ['Ana@Example.com ', 'ana@example.com'],
    phones: ['+34 600 000 001', 'x'],
    address: {
      firstName: 'Ana',
      lastName: null,
      city: 'Vigo',
      region: null,
      postalCode: null,
      country: 'ES',
    },
    externalIds: ['ext'],
    leadId: null,
    clicks: [
      { kind: 'fbclid', id: 'later', seenAt: new Date('2026-11-16T11:30:00Z') },
      { kind: 'fbclid', id: 'AbC', seenAt: new Date('2026-11-01T00:00:00Z') },
    ],
    conversations: [],
    ...fields.person,
  },
  refundedMinor: 2500,
})

const setting = (policy: Partial<Policy> = {}): Setting => ({
  policy: {
    privacyMode: 'standard',
    isHealthcare: false,
    conversions: null,
    healthcareAllowlist: ['paid'],
    hasAgreement: true,
    cleanDatasetId: '9',
    ...policy,
  },
  keys: new Map([['g-1', 'paid']]),
  destination: {
    kind: 'social',
    eventMap: [{ conversion_key: 'paid', event_name: 'Purchase' }],
    isOwnerDecision: false,
    eventIdSource: 'whence',
  },
  maxAgeDays: 7,
  now,
})

const built = (policy: Partial<Policy> = {}, given = facts()) => {
  const prepared = toExport(row, given, setting(policy), undefined)
  if (!prepared.ok) throw new Error(prepared.reason)
  return prepared.conversion
}

describe('what leaves of a conversion', () => {
  it('is normalised, net of refunds, with the clicks that came before it', () => {
    expect(built()).toMatchObject({
      eventId: 'c-1',
      eventName: 'Purchase',
      value: { amountMinor: 7500, currency: 'EUR' },
      source: 'website',
      sourceUrl: 'https://shop.example/secret/page',
      clicks: [{ kind: 'fbclid', id: 'AbC', seenAt: '2026-11-01T00:00:00.000Z' }],
      person: {
        emails: ['ana@example.com'],
        phones: ['+34600000001'],
        externalIds: ['ext'],
        ip: '192.0.2.1',
      },
      consent: { adUserData: 'unspecified', adPersonalization: 'unspecified' },
      limitedDataUse: false,
    })
  })

  it('loses its path in platform_safe, and more in hipaa', () => {
    expect(built()).toMatchObject({ orderId: 'o-1' })
    expect(built({ privacyMode: 'platform_safe' })).toMatchObject({ sourceUrl: 'https://shop.example/' })
    expect(built({ privacyMode: 'hipaa' })).toMatchObject({
      sourceUrl: 'https://shop.example/',
      limitedDataUse: true,
      orderId: null,
      person: {
        address: null,
        ip: null,
        userAgent: null,
        browserId: null,
        externalIds: [],
        emails: ['ana@example.com'],
      },
    })
  })

  it('names the conversation that an ad began, unless the person came to the website since or the mode forbids it', () => {
    const conversation = {
      channel: 'chatapp' as const,
      accountId: 'waba',
      personId: '34600000001',
      datasetId: 'd-1',
      startedAt: new Date('2026-11-02T00:00:00Z'),
    }
    const given = (person: Partial<Facts['person']> = {}, url: string | null = null) =>
      facts({ person: { conversations: [conversation], ...person }, event: { url } })
    const messaging = { channel: 'chatapp', accountId: 'waba', personId: null, datasetId: 'd-1' }
    expect(built({}, given()).messaging).toEqual(messaging)
    expect(built({}, given({}, 'https://shop.example/paid')).messaging).toBeUndefined()
    expect(built({ privacyMode: 'hipaa' }, given()).messaging).toBeUndefined()
    expect(built({ privacyMode: 'platform_safe' }, given()).messaging).toBeUndefined()
    const visit = { kind: 'fbclid', id: 'later', seenAt: new Date('2026-11-10T00:00:00Z') }
    expect(built({}, given({ clicks: [visit] })).messaging).toBeUndefined()
    const afterwards = { ...conversation, startedAt: new Date('2026-11-16T11:30:00Z') }
    expect(built({}, given({ conversations: [afterwards] })).messaging).toBeUndefined()
  })

  it('is nothing where no one may or can be reported it', () => {
    const reason = (given: Facts, policy: Partial<Policy> = {}) => {
      const prepared = toExport(row, given, setting(policy), undefined)
      return prepared.ok ? null : prepared.reason
    }
    expect(reason(facts({ event: { consent: { ad_user_data: 'denied' } } }))).toBe('consent_denied')
    expect(reason(facts({ person: { isErased: true } }))).toBe('person_erased')
    const noPerson = { emails: [], phones: ['12'], externalIds: [], clicks: [] }
    expect(reason(facts({ person: noPerson, event: { browserId: null } }))).toBe('no_match_keys')
    const old = facts()
    old.conversion!.occurredAt = new Date('2026-11-09T12:00:00Z')
    expect(reason(old)).toBe('too_old')
    expect(reason({ ...facts(), conversion: null })).toBe('conversion_gone')
    const sent = { payloadHash: null, eventName: 'Purchase', currency: 'EUR', eventIdSource: null }
    const gone = toExport(
      { ...row, adjustment: 'retract' },
      { ...facts(), conversion: null },
      setting(),
      sent,
    )
    expect(gone).toMatchObject({ ok: true, conversion: { value: { amountMinor: 0, currency: 'EUR' } } })
    expect(toExport({ ...row, adjustment: 'restate' }, facts(), setting(), undefined)).toEqual({
      ok: false,
      reason: 'original_not_sent',
    })
  })
})

describe('the id that the platform counts by', () => {
  const idOf = (
    source: string,
    event: Partial<Facts['event'] & object> = {},
    policy: Partial<Policy> = {},
    sent?: string | null,
    queuedAs: string | null = null,
  ) => {
    const usual = setting(policy)
    const prepared = toExport(
      { ...row, eventIdSource: queuedAs, adjustment: sent === undefined ? 'none' : 'restate' },
      facts({ event }),
      { ...usual, destination: { ...usual.destination, eventIdSource: source } },
      sent === undefined
        ? undefined
        : { payloadHash: null, eventName: 'Purchase', currency: 'EUR', eventIdSource: sent },
    )
    if (!prepared.ok) throw new Error(prepared.reason)
    expect(prepared.conversion.eventId).toBe('c-1')
    return `${prepared.conversion.dedupId} ${prepared.eventIdSource}`
  }
  const properties = { event_id: ' pixel-9 ', total: 12, mail: 'ana@example.com', list: ['a'] }

  it('is the value that the destination names, and ours where there is none', () => {
    expect(idOf('whence')).toBe('c-1 whence')
    expect(idOf('order_id')).toBe('o-1 order_id')
    expect(idOf('order_id', { orderId: null })).toBe('c-1 whence')
    expect(idOf('properties.event_id', { properties })).toBe('pixel-9 properties.event_id')
    expect(idOf('properties.total', { properties })).toBe('12 properties.total')
    for (const name of ['mail', 'list', 'other'])
      expect(idOf(`properties.${name}`, { properties })).toBe('c-1 whence')
    expect(idOf('order_id', { orderId: '600 000 001' })).toBe('c-1 whence')
    expect(idOf('order_id', { orderId: 'x'.repeat(101) })).toBe('c-1 whence')
  })

  it('is ours where the privacy mode keeps the value back', () => {
    expect(idOf('order_id', {}, { privacyMode: 'hipaa' })).toBe('c-1 whence')
    expect(idOf('properties.event_id', { properties }, { privacyMode: 'platform_safe' })).toBe('c-1 whence')
  })

  it('stays what the platform has received or may have received, whatever is chosen since', () => {
    expect(idOf('order_id', {}, {}, 'whence')).toBe('c-1 whence')
    expect(idOf('whence', {}, {}, 'order_id')).toBe('o-1 order_id')
    expect(idOf('order_id', {}, {}, null)).toBe('c-1 whence')
    expect(idOf('order_id', {}, {}, undefined, 'whence')).toBe('c-1 whence')
  })
})

it('cookies of the platforms’ scripts go as clicks, and not in hipaa', () => {
  const given = facts({ event: { cookies: { fbc: 'fb.1.1772179200123.AbC', ttp: '2F7h37YkS1j57AYS' } } })
  expect(built({}, given).clicks.map(({ kind }) => kind)).toEqual(['fbc', 'ttp', 'fbclid'])
  expect(built({ privacyMode: 'hipaa' }, given).clicks.map(({ kind }) => kind)).toEqual(['fbclid'])
})

it('consent is what the event says, else what the catalogue does', () => {
  expect(consentOf({ ad_user_data: true, ad_personalization: 'denied' }, 'unspecified')).toEqual({
    adUserData: 'granted',
    adPersonalization: 'denied',
  })
  expect(consentOf('nonsense', 'denied')).toEqual({ adUserData: 'denied', adPersonalization: 'denied' })
})

it('an unknown outcome is repeated while the platform recognises it', () => {
  const tried = (hours: number) => ({ firstTriedAt: new Date(now.getTime() - hours * 3_600_000) })
  expect(mayRetry({ firstTriedAt: null }, 48, now)).toBe(true)
  expect(mayRetry(tried(47), 48, now)).toBe(true)
  expect(mayRetry(tried(48), 48, now)).toBe(false)
  expect(mayRetry(tried(10_000), null, now)).toBe(true)
})

it('a failing platform is left alone for longer each time, or as long as it asks', () => {
  const wait = (retries: number, asked: number | null = null) =>
    (retryAtOf(retries, asked, now).getTime() - now.getTime()) / 1000
  expect([wait(0), wait(1), wait(20), wait(0, 600)]).toEqual([30, 60, 3600, 600])
  expect(nextPollAt(0, 30, now)!.getTime() - now.getTime()).toBe(30 * 60_000)
  expect(nextPollAt(10, 30, now)).toBeNull()
})

it('a run is as what it sent', () => {
  expect(runStatusOf({ sent: 1, failed: 1 }, null)).toBe('sent')
  expect(runStatusOf({ sent: 0, failed: 1 }, null)).toBe('failed')
  expect(runStatusOf({ sent: 0, failed: 0 }, null)).toBe('skipped')
  expect(runStatusOf({ sent: 3, failed: 0 }, 'authorization_lost')).toBe('failed')
})
