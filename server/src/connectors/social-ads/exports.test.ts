import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { makeConversion, nobody } from '../../../test/export-conversions.ts'
import { openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { ExportConversion, ExportTarget, Session } from '../connector.ts'
import { sha256Hex } from '../export-results.ts'
import { socialAds } from './connector.ts'
import { toServerEvent } from './server-event.ts'

const spec = connectorCases.find(({ connector }) => connector === socialAds)!

describe('a server event', () => {
  test('from a website carries its page, its browser and the click as the platform’s script would write it', () => {
    const event = toServerEvent(
      makeConversion({
        occurredAt: '2026-03-01T10:00:00.900Z',
        value: { amountMinor: 1005, currency: 'USD' },
        source: 'website',
        sourceUrl: 'https://shop.example/thanks',
        clicks: [
          { kind: 'fbclid', id: 'Older', seenAt: '2026-02-01T00:00:00.000Z' },
          { kind: 'fbclid', id: 'IwAR1_Case', seenAt: '2026-02-27T08:00:00.123Z' },
        ],
        person: {
          ...nobody,
          emails: [' Ana.Lee+shop@Example.com'],
          phones: ['+49 0151 234567'],
          browserId: 'fb.1.2.3',
          ip: '203.0.113.9',
          userAgent: 'Mozilla/5.0',
        },
        orderId: 'o1',
      }),
    )
    expect(event).toEqual({
      event_name: 'Purchase',
      event_time: 1772359200,
      event_id: 'e1',
      action_source: 'website',
      event_source_url: 'https://shop.example/thanks',
      user_data: {
        em: [sha256Hex('ana.lee+shop@example.com')],
        ph: [sha256Hex('490151234567')],
        fbc: 'fb.1.1772179200123.IwAR1_Case',
        fbp: 'fb.1.2.3',
        client_ip_address: '203.0.113.9',
        client_user_agent: 'Mozilla/5.0',
      },
      custom_data: { value: 10.05, currency: 'USD', order_id: 'o1' },
    })
  })

  test('of a website that hides its browser is told as our system’s', () => {
    const event = toServerEvent(makeConversion({ source: 'website', sourceUrl: 'https://shop.example' }))
    expect(event).toMatchObject({ action_source: 'system_generated' })
    expect(event).not.toHaveProperty('event_source_url')
  })

  test('of a lead names its form, and of a person with limited use says so', () => {
    const lead = makeConversion({ source: 'crm', person: { ...nobody, leadId: '123456789012345' } })
    expect(toServerEvent({ ...lead, limitedDataUse: true })).toMatchObject({
      action_source: 'system_generated',
      data_processing_options: ['LDU'],
      data_processing_options_country: 0,
      data_processing_options_state: 0,
      user_data: { lead_id: '123456789012345' },
      custom_data: { event_source: 'crm', lead_event_source: 'Whence' },
    })
    const other = { ...lead, person: { ...lead.person, leadId: 'crm-77', emails: ['a@b.example'] } }
    expect(toServerEvent(other)).toMatchObject({ user_data: { em: [sha256Hex('a@b.example')] } })
    expect(JSON.stringify(toServerEvent(other))).not.toContain('crm-77')
  })
})

describe('sending', () => {
  let running: RunningSandbox
  let session: Session
  let target: ExportTarget
  beforeEach(async () => {
    running = await startSandbox(spec)
    session = await openSession(spec, running)
    const [pixel] = await socialAds.listPixels!(session)
    target = { id: pixel!.id, testEventCode: null }
  })
  afterEach(() => running.close())

  const send = (conversions: ExportConversion[]) =>
    socialAds.exportConversions!(session, target, conversions, running.clock.now)

  test('one bad event does not take the good ones with it', async () => {
    const { results, providerStatus } = await send([
      makeConversion({ eventId: 'good-1' }),
      makeConversion({ eventId: 'bad', eventName: '' }),
      makeConversion({ eventId: 'good-2' }),
      makeConversion({ eventId: 'back', adjustment: 'retract' }),
      makeConversion({ eventId: 'old', occurredAt: '2026-02-23T15:00:00Z' }),
      makeConversion({ eventId: 'nobody', person: { ...nobody, ip: '203.0.113.9' } }),
    ])
    expect(results.map(({ eventId, code }) => [eventId, code])).toEqual([
      ['good-1', null],
      ['bad', '100/2804019'],
      ['good-2', null],
      ['back', 'adjustment_not_supported'],
      ['old', 'too_old'],
      ['nobody', 'no_match_key'],
    ])
    expect(providerStatus).toBe('success')
    expect(running.sandbox.exports().map(({ event_id: id }) => id)).toEqual(['good-1', 'good-2'])
  })

  test('an event sent twice is received once', async () => {
    for (let round = 0; round < 2; round++) await send([makeConversion()])
    expect(running.sandbox.exports()).toHaveLength(1)
  })

  test('a failing platform makes the results retryable', async () => {
    running.sandbox.fault({ kind: 'server_error', match: `/v26.0/${target.id}`, times: 4 })
    expect(await send([makeConversion()])).toMatchObject({
      providerStatus: null,
      results: [{ ok: false, retryable: true }],
    })
  })
})
