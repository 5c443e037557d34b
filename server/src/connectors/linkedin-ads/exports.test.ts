/** Conversions to LinkedIn's conversion rules. */
import { beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { openSession, type RunningSandbox, sandboxNow, startSandbox } from '../../../test/sandbox-server.ts'
import type { ClearedConversion, ExportConversion, Session } from '../connector.ts'
import { sha256Hex } from '../export-results.ts'
import { linkedinAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector.provider === 'linkedin_ads')!
const rule = { id: '104012', testEventCode: null }

const conversion = (eventId: string, overrides: Partial<ExportConversion> = {}): ClearedConversion =>
  makeConversion({
    eventId,
    dedupId: `dedup-${eventId}`,
    occurredAt: '2026-03-01T10:00:00.500Z',
    value: { amountMinor: 12_995, currency: 'USD' },
    clicks: [
      { kind: 'li_fat_id', id: 'df5gf5-gh6t7-ph4j7h-fgf6n1', seenAt: '2026-02-27T08:00:00.123Z' },
      { kind: 'gclid', id: 'g-1', seenAt: '2026-02-27T08:00:00.123Z' },
    ],
    person: { ...noPerson, emails: [' Ana@Example.com'], phones: ['+15551234567'] },
    ...overrides,
  }) as ClearedConversion

let at: RunningSandbox
let session: Session
beforeEach(async () => {
  at = await startSandbox(spec)
  session = await openSession(spec, at)
  return () => at.close()
})

const send = (...conversions: ClearedConversion[]) =>
  linkedinAds.exports!.send(session, rule, conversions, sandboxNow)

test('a conversion is sent with hashed email, click id, time in milliseconds and the amount as text', async () => {
  expect(await send(conversion('e-1'))).toMatchObject({
    providerStatus: 'success',
    results: [{ eventId: 'e-1', ok: true }],
  })
  expect(at.sandbox.exports()).toEqual([
    {
      conversion: 'urn:lla:llaPartnerConversion:104012',
      conversionHappenedAt: 1_772_359_200_500,
      conversionValue: { currencyCode: 'USD', amount: '129.95' },
      user: {
        userIds: [
          { idType: 'SHA256_EMAIL', idValue: sha256Hex('ana@example.com') },
          { idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: 'df5gf5-gh6t7-ph4j7h-fgf6n1' },
        ],
      },
      eventId: 'dedup-e-1',
      received_at: sandboxNow.toISOString(),
    },
  ])
})

test('the preview equals the sent body and lists refused conversions', () => {
  const accepted = conversion('e-1', { value: null })
  const preview = linkedinAds.exports!.preview(
    session,
    rule,
    [
      accepted,
      conversion('e-2', { person: noPerson, clicks: [] }),
      conversion('e-3', { occurredAt: '2025-12-01T15:29:59Z' }),
      conversion('e-4', { adjustment: 'retract' }),
      conversion('e-5', { limitedDataUse: true }),
    ],
    sandboxNow,
  )
  expect(preview.bodies).toEqual([{ elements: [expect.objectContaining({ eventId: 'dedup-e-1' })] }])
  expect(JSON.stringify(preview.bodies)).not.toContain('conversionValue')
  expect(preview.refused.map(({ eventId, code }) => [eventId, code])).toEqual([
    ['e-2', 'no_match_key'],
    ['e-3', 'too_old'],
    ['e-4', 'adjustment_not_supported'],
    ['e-5', 'limited_data_use'],
  ])
})

test('a conversion with limited data use is not sent', async () => {
  const { results } = await send(conversion('e-1'), conversion('e-2', { limitedDataUse: true }))
  expect(results.map(({ ok, code }) => [ok, code])).toEqual([
    [true, null],
    [false, 'limited_data_use'],
  ])
  expect(at.sandbox.exports().map(({ eventId }) => eventId)).toEqual(['dedup-e-1'])
})

test('a repeated event is deduplicated, and a refused event does not affect others', async () => {
  const future = conversion('e-2', { occurredAt: '2026-04-01T00:00:00Z' })
  const { results } = await send(conversion('e-1'), future, conversion('e-3'))
  expect(results.map(({ eventId, ok, retryable }) => [eventId, ok, retryable])).toEqual([
    ['e-1', true, false],
    ['e-2', false, false],
    ['e-3', true, false],
  ])
  await send(conversion('e-1'))
  expect(at.sandbox.exports().map(({ eventId }) => eventId)).toEqual(['dedup-e-1', 'dedup-e-3'])
})

test('a missing rule fails the destination, a limit is retryable', async () => {
  await at.sandbox.act('delete_conversion', { id: rule.id })
  await expect(send(conversion('e-1'))).rejects.toMatchObject({ reason: 'not_found' })
  await at.sandbox.act('reach_limit', {})
  expect(await send(conversion('e-1'))).toMatchObject({
    providerStatus: null,
    retryAfterSeconds: 3600,
    results: [{ ok: false, retryable: true }],
  })
})
