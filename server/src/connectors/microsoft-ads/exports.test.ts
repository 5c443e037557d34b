/** Conversions to a UET tag against the sandbox, both by Microsoft's page. */

import { makeAccounts } from '@whence/sandbox/microsoft-ads/account.ts'
import { createMicrosoftAdsSandbox } from '@whence/sandbox/microsoft-ads/sandbox.ts'
import { TokenServer } from '@whence/sandbox/tokens.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { ClearedConversion, ExportConversion, Session } from '../connector.ts'
import { sha256Hex } from '../export-results.ts'
import { normaliseEmail, normalisePhone } from './capi-event.ts'
import { exportConversions, previewExport } from './exports.ts'

const now = new Date('2026-03-02T00:00:00Z')
const extra = { developerToken: 'a developer token' }
const msclkid = '5b2e4f0ac9d01a3e2c1b2d4e6f7a8b9c'

const conversion = (eventId: string, overrides: Partial<ExportConversion> = {}): ClearedConversion =>
  makeConversion({
    eventId,
    dedupId: `dedup ${eventId}`,
    occurredAt: '2026-03-01T10:00:00.500Z',
    value: { amountMinor: 12995, currency: 'USD' },
    clicks: [{ kind: 'msclkid', id: msclkid, seenAt: '2026-02-27T08:00:00Z' }],
    orderId: 'A-1',
    ...overrides,
  })

function start() {
  const { options } = sandboxOptions(() => now, extra)
  const sandbox = createMicrosoftAdsSandbox(options)
  const http = sandboxOutbound(sandbox)
  const [account] = makeAccounts(options.seed)
  const tokens = new TokenServer({ ...options, accessTtlSeconds: 3600, rotates: true })
  const code = tokens.issueCode({
    accountIds: [account!.id],
    scopes: [],
    redirectUri: 'https://x.example',
    codeChallenge: null,
    manner: 'good',
  })
  const issued = tokens.redeemCode({ code, redirectUri: 'https://x.example', codeVerifier: null })
  if ('error' in issued) throw new Error(issued.description)
  const session: Session = {
    http,
    app: sandboxApp('microsoft_ads', { ...extra, capiBaseUrl: sandboxApp('microsoft_ads').apiBaseUrl }),
    token: {
      accessToken: issued.accessToken,
      refreshToken: null,
      expiresAt: null,
      scopes: [],
      extra: { customerId: account!.customerId },
    },
    accountId: account!.id,
  }
  return { sandbox, http, session }
}

let at: ReturnType<typeof start>
let target: { id: string; testEventCode: null }
beforeEach(async () => {
  at = start()
  target = { id: String((await at.sandbox.act('uet_tag', {})).id), testEventCode: null }
})
const send = (batch: ClearedConversion[]) => exportConversions(at.session, target, batch, now)
const dataOf = (batch: ClearedConversion[]) => {
  const { bodies, refused } = previewExport(at.session, target, batch, now)
  return { events: (bodies[0]?.data ?? []) as Record<string, never>[], bodies, refused }
}

describe('hashing', () => {
  test('follows the documented steps and matches the examples', () => {
    expect(sha256Hex(normaliseEmail('john@contoso.com'))).toBe(
      'ec81f3ac7b2b19675bab9d54cf416f9f18cff87c97da5cca82c0f0891bc40602',
    )
    expect(sha256Hex(normalisePhone('+14255551234'))).toBe(
      'c59475d96e9f01d7d18d06cfad84dd02333207f02c0c2c5663ef2782cda0390e',
    )
    expect(normaliseEmail('  J.o.hn+news+2@Sub.Contoso.COM ')).toBe('john@sub.contoso.com')
    // Without a local part the hash would be the same for many people.
    expect([
      normaliseEmail('+promo@contoso.com'),
      normaliseEmail('..@contoso.com'),
      normaliseEmail('x'),
    ]).toEqual(['', '', ''])
  })
})

describe('an event', () => {
  test('has hashed identity, the click as a UUID, the exact value and the id shared with its pixel', async () => {
    const person = {
      ...noPerson,
      emails: ['A.na+x@example.com'],
      phones: ['+49 151 234567'],
      externalIds: ['c-7'],
      ip: '203.0.113.7',
    }
    expect(await send([conversion('e-1', { person })])).toEqual({
      requestId: null,
      providerStatus: 'success',
      retryAfterSeconds: null,
      results: [{ eventId: 'e-1', ok: true, code: null, message: null, retryable: false }],
    })
    expect(at.sandbox.exports()).toEqual([
      {
        tagId: target.id,
        dataProvider: 'whence',
        eventType: 'custom',
        eventId: 'dedup e-1',
        eventName: 'Purchase',
        eventTime: 1772359200,
        adStorageConsent: 'G',
        userData: {
          msclkid: '5b2e4f0a-c9d0-1a3e-2c1b-2d4e6f7a8b9c',
          em: sha256Hex('ana@example.com'),
          ph: sha256Hex('+49151234567'),
          externalId: sha256Hex('c-7'),
          clientIpAddress: '203.0.113.7',
        },
        customData: { value: 129.95, currency: 'USD', transactionId: 'A-1' },
      },
    ])
  })

  test('contains the consent; a denial and limited data use are always sent', () => {
    const consentOf = (overrides: Partial<ExportConversion>) =>
      dataOf([conversion('e', overrides)]).events[0]!.adStorageConsent
    const consent = (adUserData: 'granted' | 'denied' | 'unspecified') => ({
      consent: { adUserData, adPersonalization: adUserData },
    })
    expect([
      consentOf(consent('granted')),
      consentOf(consent('denied')),
      consentOf({ ...consent('granted'), limitedDataUse: true }),
      consentOf(consent('unspecified')),
    ]).toEqual(['G', 'D', 'D', undefined])
  })

  test('sent twice is deduplicated', async () => {
    await send([conversion('e-1')])
    await send([conversion('e-1')])
    expect(at.sandbox.exports()).toHaveLength(1)
  })

  test('that is too old, has no identifier or changes another event is not sent', async () => {
    const batch = [
      conversion('old', { occurredAt: '2026-02-22T23:59:59Z' }),
      conversion('unknown person', {
        person: noPerson,
        clicks: [{ kind: 'msclkid', id: 'no uuid', seenAt: '' }],
      }),
      conversion('change', { adjustment: 'restate' }),
    ]
    const { bodies, refused } = dataOf(batch)
    expect([bodies, refused.map(({ code }) => code)]).toEqual([
      [],
      ['too_old', 'no_match_key', 'adjustment_not_supported'],
    ])
    expect((await send(batch)).providerStatus).toBeNull()
    expect(at.http.calls).toEqual([])
  })

  test('the preview equals the sent body', async () => {
    const bodies: unknown[] = []
    const http: Session['http'] = {
      ...at.http,
      send(request) {
        if (request.url.endsWith('/events')) bodies.push(JSON.parse(String(request.body)))
        return at.http.send(request)
      },
    }
    await exportConversions({ ...at.session, http }, target, [conversion('e-1')], now)
    expect(bodies).toEqual(dataOf([conversion('e-1')]).bodies)
    expect(bodies[0]).toMatchObject({ continueOnValidationError: true })
  })
})

describe('a batch', () => {
  const many = (count: number, badAt: (index: number) => boolean) =>
    Array.from({ length: count }, (_, index) =>
      conversion(`e-${index}`, badAt(index) ? { eventName: 'bad' } : {}),
    )

  test('loses only its bad events, even if the platform reports ten of thirty', async () => {
    await at.sandbox.act('refuse_events', { names: ['bad'] })
    const batch = many(100, (index) => index % 3 === 0 && index < 90)
    const { results, providerStatus } = await send(batch)
    expect(providerStatus).toBe('success')
    expect(results.filter(({ ok }) => !ok)).toHaveLength(30)
    expect(results.every(({ ok }, index) => ok === (batch[index]!.eventName !== 'bad'))).toBe(true)
    expect(results[0]).toMatchObject({ code: 'InvalidEnumValue', retryable: false })
    expect(at.sandbox.exports()).toHaveLength(70)
  })

  test('with only bad events is refused and each event has its reason', async () => {
    await at.sandbox.act('refuse_events', { names: ['bad'] })
    const { results, providerStatus } = await send(many(25, () => true))
    expect(providerStatus).toBeNull()
    expect(new Set(results.map(({ code }) => code))).toEqual(new Set(['InvalidEnumValue']))
  })

  test('has at most a thousand events', async () => {
    await expect(send(many(1001, () => false))).rejects.toThrow(RangeError)
  })

  test('that fails temporarily is retried later', async () => {
    at.sandbox.fault({ kind: 'server_error', match: '/v1/', times: 9 })
    const { results } = await send([conversion('e-1')])
    expect(results).toMatchObject([{ ok: false, retryable: true }])
  })
})

describe('the destination', () => {
  test('is refused if the account has no such tag', async () => {
    target = { id: '123', testEventCode: null }
    await expect(send([conversion('e-1')])).rejects.toMatchObject({ reason: 'not_found' })
  })

  test('a rejected key of the tag does not end the person’s consent', async () => {
    const http: Session['http'] = {
      ...at.http,
      send: (request) =>
        at.http.send({
          ...request,
          headers: request.url.endsWith('/events') ? { authorization: 'Bearer x' } : request.headers!,
        }),
    }
    const sending = exportConversions({ ...at.session, http }, target, [conversion('e-1')], now)
    await expect(sending).rejects.toMatchObject({
      reason: 'permission_missing',
      providerCode: 'Unauthorized',
    })
  })
})
