import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { ClearedConversion, CustomerListBatch, ExportTarget, Session } from '../connector.ts'
import { sha256Hex } from '../export-results.ts'
import { graphRefusal } from './calls.ts'
import { socialAds } from './connector.ts'
import { toServerEvent } from './server-event.ts'

const spec = connectorCases.find(({ connector }) => connector === socialAds)!

describe('a server event', () => {
  test('from a website contains its page, its browser and the click in the format of the platform’s script', () => {
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
          ...noPerson,
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

  test('of a conversation uses another name for a lead, because the platform rejects Lead there', () => {
    const messaging = { channel: 'pagechat', accountId: '1', personId: '2', datasetId: '3' } as const
    const nameFor = (eventName: string) => toServerEvent(makeConversion({ eventName, messaging })).event_name
    expect(['Lead', 'Purchase'].map(nameFor)).toEqual(['LeadSubmitted', 'Purchase'])
    expect(toServerEvent(makeConversion({ eventName: 'Lead' })).event_name).toBe('Lead')
  })

  test('from a website without a user agent is reported as system-generated', () => {
    const event = toServerEvent(makeConversion({ source: 'website', sourceUrl: 'https://shop.example' }))
    expect(event).toMatchObject({ action_source: 'system_generated' })
    expect(event).not.toHaveProperty('event_source_url')
  })

  test('of a lead contains its lead id, and limited data use is flagged', () => {
    const lead = makeConversion({ source: 'crm', person: { ...noPerson, leadId: '123456789012345' } })
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
  // Tests count the platform's events, so each has its own sandbox.
  beforeEach(async () => {
    running = await startSandbox(spec)
    session = await openSession(spec, running)
    const [pixel] = await socialAds.datasets!.listPixels(session)
    target = { id: pixel!.id, testEventCode: null }
  })
  afterEach(() => running.close())

  const send = (conversions: ClearedConversion[]) =>
    socialAds.exports!.send(session, target, conversions, running.clock.now)

  test('one bad event does not fail the others of its batch', async () => {
    const { results, providerStatus } = await send([
      makeConversion({ eventId: 'good-1' }),
      makeConversion({ eventId: 'bad', eventName: '' }),
      makeConversion({ eventId: 'good-2' }),
      makeConversion({ eventId: 'back', adjustment: 'retract' }),
      makeConversion({ eventId: 'old', occurredAt: '2026-02-23T15:00:00Z' }),
      makeConversion({ eventId: 'unknown', person: { ...noPerson, ip: '203.0.113.9' } }),
    ])
    expect(results.map(({ eventId, code }) => [eventId, code])).toEqual([
      ['good-1', null],
      ['bad', '100/2804019'],
      ['good-2', null],
      ['back', 'adjustment_not_supported'],
      ['old', 'too_old'],
      ['unknown', 'no_match_key'],
    ])
    expect(providerStatus).toBe('success')
    expect(running.sandbox.exports().map(({ event_id: id }) => id)).toEqual(['good-1', 'good-2'])
  })

  test('an event sent twice is received once', async () => {
    for (let round = 0; round < 2; round++) await send([makeConversion()])
    expect(running.sandbox.exports()).toHaveLength(1)
  })

  test('an old event is never sent, because the platform discards the whole request', async () => {
    const old = makeConversion({ eventId: 'old', occurredAt: '2026-02-23T15:00:00Z' })
    const raw = await fetch(`${running.app.apiBaseUrl}/v26.0/${target.id}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: [makeConversion(), old].map(toServerEvent) }),
    })
    expect(await raw.json()).toMatchObject({ error: { code: 100, error_subcode: 2804003 } })
    expect(running.sandbox.exports()).toEqual([])
    expect(await send([makeConversion(), old])).toMatchObject({
      results: [{ ok: true }, { code: 'too_old' }],
    })
  })

  test('a repeated event is deduplicated within 48 hours, not after', async () => {
    const event = makeConversion({ occurredAt: '2026-03-02T15:00:00Z' })
    await send([event])
    running.clock.now = new Date(running.clock.now.getTime() + 48 * 3_600_000 - 1)
    await send([event])
    expect(running.sandbox.exports()).toHaveLength(1)
    running.clock.now = new Date(running.clock.now.getTime() + 1)
    await send([event])
    expect(running.sandbox.exports()).toHaveLength(2)
  })

  test('the preview equals the sent body', async () => {
    const conversions = [makeConversion(), makeConversion({ eventId: 'e2', adjustment: 'restate' })]
    const sent: unknown[] = []
    const http: Session['http'] = {
      ...session.http,
      send(request) {
        sent.push(JSON.parse(String(request.body)))
        return session.http.send(request)
      },
    }
    const tested = { ...target, testEventCode: 'TEST1' }
    await socialAds.exports!.send({ ...session, http }, tested, conversions, running.clock.now)
    const { bodies, refused } = socialAds.exports!.preview(session, tested, conversions, running.clock.now)
    expect(sent).toEqual(bodies)
    expect(bodies).toMatchObject([{ test_event_code: 'TEST1', data: [{ event_id: 'e1' }] }])
    expect(refused).toMatchObject([{ eventId: 'e2', code: 'adjustment_not_supported' }])
  })

  test.each([
    [190, 'invalid_grant'],
    [200, 'permission_missing'],
    [4, 'rate_limited'],
    [17, 'rate_limited'],
    [80003, 'rate_limited'],
    [1, 'unavailable'],
    [2, 'unavailable'],
    [341, 'unavailable'],
    [368, 'unavailable'],
    [5000, 'unavailable'],
    [2655, 'terms_not_accepted'],
    [100, 'rejected'],
  ])('the platform’s error %i is mapped to %s', (code, reason) => {
    const reply = { status: 400, body: { error: { code, message: 'No' } }, headers: {} }
    expect(graphRefusal(reply)?.reason).toBe(reason)
  })

  test('customer lists are created, filled and emptied after the terms are accepted', async () => {
    const list = { name: 'Buyers', description: null }
    await running.sandbox.act('refuse_terms', {})
    const creation = socialAds.audiences!.create(session, list)
    await expect(creation).rejects.toMatchObject({ reason: 'terms_not_accepted', providerCode: '2655' })
    await running.sandbox.act('refuse_terms', { on: false })
    const { id } = await socialAds.audiences!.create(session, list)
    const batch: CustomerListBatch = {
      members: [
        { emails: ['Ana@example.com'], phones: ['+49151234567'], externalIds: ['c-1'] },
        { emails: [], phones: [], externalIds: [] },
      ],
      consent: { adUserData: 'granted', adPersonalization: 'granted' },
      termsAccepted: true,
      sessionId: 7,
      sequence: 1,
      isLast: true,
    }
    const members = async () =>
      ((await running.sandbox.act('customer_lists', {})).lists as { members: unknown[] }[])[0]!.members
    const uploaded = await socialAds.audiences!.upload(session, id, batch)
    expect(uploaded).toMatchObject({ received: 1, invalid: 1 })
    expect(await members()).toEqual([
      { EXTERN_ID: 'c-1', EMAIL: sha256Hex('ana@example.com'), PHONE: sha256Hex('49151234567') },
    ])
    await socialAds.audiences!.remove(session, id, batch)
    expect(await members()).toEqual([])
  })

  test('live ad sets are copied to a clean dataset and the originals are paused', async () => {
    const clean = await socialAds.datasets!.create(session, 'Dataset 1')
    expect((await socialAds.datasets!.list(session)).map(({ id }) => id)).toContain(clean.id)
    const [first] = await socialAds.datasets!.listLiveAdSets(session, target.id)
    const [swapped] = await socialAds.datasets!.swapAdSets(session, [first!.id], clean.id)
    expect(swapped).toMatchObject({ id: first!.id })
    const idsOf = async (dataset: string) =>
      (await socialAds.datasets!.listLiveAdSets(session, dataset)).map(({ id }) => id)
    expect(await idsOf(clean.id)).toEqual([swapped!.replacedBy])
    expect(await idsOf(target.id)).not.toContain(first!.id)
    await running.sandbox.act('decline_permission', { permission: 'ads_management' })
    const denied = socialAds.datasets!.create(session, 'Other')
    await expect(denied).rejects.toMatchObject({ reason: 'permission_missing' })
    await running.sandbox.act('hide_ad_sets', {})
    const hidden = socialAds.datasets!.listLiveAdSets(session, clean.id)
    await expect(hidden).rejects.toMatchObject({ reason: 'permission_missing' })
  })

  test('results of a failing platform are retryable', async () => {
    running.sandbox.fault({ kind: 'server_error', match: `/v26.0/${target.id}`, times: 4 })
    expect(await send([makeConversion()])).toMatchObject({
      providerStatus: null,
      results: [{ ok: false, retryable: true }],
    })
  })
})
