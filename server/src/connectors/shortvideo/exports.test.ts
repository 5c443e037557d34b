import { createShortvideoSandbox } from '@whence/sandbox/shortvideo/sandbox.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { ExportConversion } from '../connector.ts'
import { sha256Hex } from '../export-results.ts'
import { exportConversions, previewExport } from './exports.ts'
import { refusalOf, toTrackEvent } from './track-event.ts'

const destination = { id: 'CABC123DEF456', testEventCode: null }

const conversion = (eventId: string, overrides: Partial<ExportConversion> = {}): ExportConversion =>
  makeConversion({
    eventId,
    occurredAt: '2026-03-01T10:00:00.500Z',
    value: { amountMinor: 12995, currency: 'USD' },
    clicks: [
      { kind: 'ttclid', id: 'tt-1', seenAt: '2026-02-27T08:00:00.123Z' },
      { kind: 'gclid', id: 'g-1', seenAt: '2026-02-27T08:00:00.123Z' },
    ],
    orderId: 'A-1',
    ...overrides,
  })

function start() {
  const clock = { now: new Date('2026-03-02T00:00:00Z') }
  const { options } = sandboxOptions(() => clock.now)
  const sandbox = createShortvideoSandbox(options)
  const http = sandboxOutbound(sandbox)
  return {
    clock,
    sandbox,
    http,
    session: { http, app: sandboxApp('shortvideo'), token: { accessToken: 'token-1' } },
  }
}

describe('exports to shortvideo', () => {
  test('a conversion is sent with hashed identity, click id and exact value', async () => {
    const { sandbox, session } = start()
    expect(await exportConversions(session, destination, [conversion('e-1')])).toEqual({
      requestId: expect.any(String),
      providerStatus: 'success',
      retryAfterSeconds: null,
      results: [{ eventId: 'e-1', ok: true, code: null, message: null, retryable: false }],
    })
    expect(sandbox.exports()).toEqual([
      {
        event: 'Purchase',
        event_time: 1772359200,
        event_id: 'e-1',
        user: { email: [sha256Hex('ana@example.com')], ttclid: 'tt-1' },
        properties: { value: 129.95, currency: 'USD', order_id: 'A-1' },
        pixel_code: destination.id,
        received_at: '2026-03-02T00:00:00.000Z',
      },
    ])
  })

  test('the preview equals the sent body and lists refused conversions', async () => {
    const { session } = start()
    const sent: unknown[] = []
    const http: typeof session.http = {
      ...session.http,
      send(request) {
        sent.push(JSON.parse(String(request.body)))
        return session.http.send(request)
      },
    }
    const batch = [conversion('e-1'), conversion('e-2', { person: noPerson, clicks: [] })]
    const { bodies, refused } = previewExport(destination, batch)
    await exportConversions({ ...session, http }, destination, batch)
    expect(sent).toEqual(bodies)
    expect(refused).toMatchObject([{ eventId: 'e-2', code: 'no_match_key' }])
  })

  test('a repeated event is deduplicated within 48 hours, not after', async () => {
    const { clock, sandbox, session } = start()
    await exportConversions(session, destination, [conversion('e-1')])
    clock.now = new Date(clock.now.getTime() + 48 * 3_600_000 - 1)
    await exportConversions(session, destination, [conversion('e-1')])
    expect(sandbox.exports()).toHaveLength(1)
    clock.now = new Date(clock.now.getTime() + 1)
    await exportConversions(session, destination, [conversion('e-1')])
    expect(sandbox.exports()).toHaveLength(2)
  })

  test('a partial success is success: the events are there', async () => {
    const { sandbox, session } = start()
    await sandbox.act('partial_success', {})
    const { results } = await exportConversions(session, destination, [conversion('e-1'), conversion('e-2')])
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect(sandbox.exports()).toHaveLength(2)
  })

  test('page, IP address and user agent of the visit are sent, a test code too', async () => {
    const { sandbox, session } = start()
    const person = { ...noPerson, phones: ['+49 151 234567'], ip: '203.0.113.9', userAgent: 'Mozilla/5.0' }
    const sourceUrl = 'https://shop.example/thanks'
    await exportConversions(session, { ...destination, testEventCode: 'TEST1' }, [
      conversion('e-1', { person, source: 'website', sourceUrl, limitedDataUse: true }),
    ])
    expect(sandbox.exports()).toMatchObject([
      {
        user: { phone: [sha256Hex('+49151234567')], ip: '203.0.113.9', user_agent: 'Mozilla/5.0' },
        page: { url: sourceUrl },
        limited_data_use: true,
        test_event_code: 'TEST1',
      },
    ])
  })

  test('one bad event does not fail the others of its batch', async () => {
    const { sandbox, session } = start()
    const batch = [1, 2, 3, 4, 5].map((number) => conversion(`e-${number}`))
    batch[3] = conversion('e-4', { eventName: '' })
    const { results } = await exportConversions(session, destination, batch)
    expect(results.filter(({ ok }) => !ok)).toMatchObject([
      { eventId: 'e-4', code: '40002', retryable: false },
    ])
    expect(sandbox.exports()).toHaveLength(4)
  })

  test('a conversion without identifiers or with an adjustment is refused before it is sent', async () => {
    const { http, session } = start()
    const unknown = conversion('e-1', { person: noPerson, clicks: [] })
    const { results } = await exportConversions(session, destination, [
      unknown,
      conversion('e-2', { adjustment: 'retract' }),
    ])
    expect(results.map(({ code }) => code)).toEqual(['no_match_key', 'adjustment_not_supported'])
    expect(http.calls).toEqual([])
  })

  test('conversions are sent if and only if they have a key of a person or click', () => {
    const word = fc.constantFrom('', ' ', 'a', '+1', 'x y')
    const texts = fc.array(word, { maxLength: 2 })
    const address = fc.record({ firstName: word, lastName: word, postalCode: word })
    const person = fc.record({
      emails: texts,
      phones: texts,
      externalIds: texts,
      address: fc.option(address),
    })
    const clicks = fc.array(fc.record({ kind: fc.constantFrom('ttclid', 'ttp', 'gclid'), id: word }), {
      maxLength: 2,
    })
    fc.assert(
      fc.property(person, clicks, (identifiers, clicked) => {
        const city = { city: null, region: null, country: null }
        const sample = conversion('e-1', {
          person: {
            ...noPerson,
            ...identifiers,
            address: identifiers.address && { ...identifiers.address, ...city },
          },
          clicks: clicked.map((click) => ({ ...click, seenAt: '2026-02-27T08:00:00.123Z' })),
        })
        const { user } = toTrackEvent(sample) as { user: object }
        expect(refusalOf(sample) === null).toBe(Object.keys(user).length > 0)
      }),
      { numRuns: 300 },
    )
  })

  test('a failing platform is retryable, an invalid token is not', async () => {
    const { sandbox, session } = start()
    sandbox.fault({ kind: 'server_error', match: '/', times: 1 })
    expect(await exportConversions(session, destination, [conversion('e-1')])).toMatchObject({
      results: [{ ok: false, retryable: true }],
    })
    await sandbox.act('revoke', {})
    await expect(exportConversions(session, destination, [conversion('e-2')])).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })
})
