import { describe, expect, it } from 'vitest'
import { noConsent, readConsent, toApplied } from '../../../facts/consents/rules.ts'
import type { Policy } from '../../../facts/export-queue/rules.ts'
import type { Facts } from './facts.ts'
import { type ExportSettings, mayRetry, nextPollAt, retryAtOf, runStatusOf, toExport } from './rules.ts'

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
    isNotCounted: false,
  },
  event: {
    occurredAt: new Date('2026-11-16T11:00:00Z'),
    source: 'tracker',
    url: 'https://shop.example/secret/page?q=1',
    orderId: 'o-1',
    consent: null,
    signals: null,
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
    consent: noConsent,
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

const settings = (policy: Partial<Policy> = {}): ExportSettings => ({
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

const exported = (policy: Partial<Policy> = {}, input = facts()) => {
  const prepared = toExport(row, input, settings(policy), undefined)
  if (!prepared.ok) throw new Error(prepared.reason)
  return prepared.conversion
}

describe('a conversion that is sent', () => {
  it('is normalised, net of refunds, with the clicks before it', () => {
    expect(exported()).toMatchObject({
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

  it('has no URL path in platform_safe, and fewer fields in hipaa', () => {
    expect(exported()).toMatchObject({ orderId: 'o-1' })
    expect(exported({ privacyMode: 'platform_safe' })).toMatchObject({ sourceUrl: 'https://shop.example/' })
    expect(exported({ privacyMode: 'hipaa' })).toMatchObject({
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

  it('contains the conversation that started from an ad, unless a website visit followed or the mode forbids it', () => {
    const conversation = {
      channel: 'chatapp' as const,
      accountId: 'waba',
      personId: '34600000001',
      datasetId: 'd-1',
      startedAt: new Date('2026-11-02T00:00:00Z'),
    }
    const withConversation = (person: Partial<Facts['person']> = {}, url: string | null = null) =>
      facts({ person: { conversations: [conversation], ...person }, event: { url } })
    const messaging = { channel: 'chatapp', accountId: 'waba', personId: null, datasetId: 'd-1' }
    expect(exported({}, withConversation()).messaging).toEqual(messaging)
    expect(exported({}, withConversation({}, 'https://shop.example/paid')).messaging).toBeUndefined()
    expect(exported({ privacyMode: 'hipaa' }, withConversation()).messaging).toBeUndefined()
    expect(exported({ privacyMode: 'platform_safe' }, withConversation()).messaging).toBeUndefined()
    const visit = { kind: 'fbclid', id: 'later', seenAt: new Date('2026-11-10T00:00:00Z') }
    expect(exported({}, withConversation({ clicks: [visit] })).messaging).toBeUndefined()
    const afterwards = { ...conversation, startedAt: new Date('2026-11-16T11:30:00Z') }
    expect(exported({}, withConversation({ conversations: [afterwards] })).messaging).toBeUndefined()
  })

  it('is skipped if it may not or cannot be sent', () => {
    const reason = (input: Facts, policy: Partial<Policy> = {}) => {
      const prepared = toExport(row, input, settings(policy), undefined)
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
    const retraction = toExport(
      { ...row, adjustment: 'retract' },
      { ...facts(), conversion: null },
      settings(),
      sent,
    )
    expect(retraction).toMatchObject({ ok: true, conversion: { value: { amountMinor: 0, currency: 'EUR' } } })
    expect(toExport({ ...row, adjustment: 'restate' }, facts(), settings(), undefined)).toEqual({
      ok: false,
      reason: 'original_not_sent',
    })
  })
})

describe('the id by which the platform deduplicates', () => {
  const idOf = (
    source: string,
    event: Partial<Facts['event'] & object> = {},
    policy: Partial<Policy> = {},
    sent?: string | null,
    queuedAs: string | null = null,
  ) => {
    const defaults = settings(policy)
    const prepared = toExport(
      { ...row, eventIdSource: queuedAs, adjustment: sent === undefined ? 'none' : 'restate' },
      facts({ event }),
      { ...defaults, destination: { ...defaults.destination, eventIdSource: source } },
      sent === undefined
        ? undefined
        : { payloadHash: null, eventName: 'Purchase', currency: 'EUR', eventIdSource: sent },
    )
    if (!prepared.ok) throw new Error(prepared.reason)
    expect(prepared.conversion.eventId).toBe('c-1')
    return `${prepared.conversion.dedupId} ${prepared.eventIdSource}`
  }
  const properties = { event_id: ' pixel-9 ', total: 12, mail: 'ana@example.com', list: ['a'] }

  it('is the value from event_id_source, or our id if there is none', () => {
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

  it('is our id if the privacy mode withholds the value', () => {
    expect(idOf('order_id', {}, { privacyMode: 'hipaa' })).toBe('c-1 whence')
    expect(idOf('properties.event_id', { properties }, { privacyMode: 'platform_safe' })).toBe('c-1 whence')
  })

  it('remains what the platform may have received, regardless of later settings', () => {
    expect(idOf('order_id', {}, {}, 'whence')).toBe('c-1 whence')
    expect(idOf('whence', {}, {}, 'order_id')).toBe('o-1 order_id')
    expect(idOf('order_id', {}, {}, null)).toBe('c-1 whence')
    expect(idOf('order_id', {}, {}, undefined, 'whence')).toBe('c-1 whence')
  })
})

it('cookies of the platforms’ scripts are sent as clicks, except in hipaa', () => {
  const input = facts({ event: { cookies: { fbc: 'fb.1.1772179200123.AbC', ttp: '2F7h37YkS1j57AYS' } } })
  expect(exported({}, input).clicks.map(({ kind }) => kind)).toEqual(['fbc', 'ttp', 'fbclid'])
  expect(exported({ privacyMode: 'hipaa' }, input).clicks.map(({ kind }) => kind)).toEqual(['fbclid'])
})

it('consent comes from the event, else from the catalogue', () => {
  const read = (consent: unknown, fallback: 'denied' | 'unspecified') =>
    toApplied(readConsent({ consent, signals: null, source: 'api', occurredAt: now }), fallback)
  expect(read({ ad_user_data: true, ad_personalization: 'denied' }, 'unspecified')).toMatchObject({
    ad_user_data: 'granted',
    ad_personalization: 'denied',
  })
  expect(read('nonsense', 'denied')).toMatchObject({ ad_user_data: 'denied', ad_personalization: 'denied' })
})

it('a request with an unknown outcome is retried while the platform deduplicates', () => {
  const tried = (hours: number) => ({ firstTriedAt: new Date(now.getTime() - hours * 3_600_000) })
  expect(mayRetry({ firstTriedAt: null }, 48, now)).toBe(true)
  expect(mayRetry(tried(47), 48, now)).toBe(true)
  expect(mayRetry(tried(48), 48, now)).toBe(false)
  expect(mayRetry(tried(10_000), null, now)).toBe(true)
})

it('a failing platform is retried with backoff, or after the time that it requests', () => {
  const wait = (retries: number, retryAfter: number | null = null) =>
    (retryAtOf(retries, retryAfter, now).getTime() - now.getTime()) / 1000
  expect([wait(0), wait(1), wait(20), wait(0, 600)]).toEqual([30, 60, 3600, 600])
  expect(nextPollAt(0, 30, now)!.getTime() - now.getTime()).toBe(30 * 60_000)
  expect(nextPollAt(10, 30, now)).toBeNull()
})

it('the status of a run follows from its counts', () => {
  expect(runStatusOf({ sent: 1, failed: 1 }, null)).toBe('sent')
  expect(runStatusOf({ sent: 0, failed: 1 }, null)).toBe('failed')
  expect(runStatusOf({ sent: 0, failed: 0 }, null)).toBe('skipped')
  expect(runStatusOf({ sent: 3, failed: 0 }, 'authorization_lost')).toBe('failed')
})
