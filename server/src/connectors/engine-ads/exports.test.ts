import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import { connect, openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { ClearedConversion, CustomerListBatch, Session } from '../connector.ts'
import { sha256Hex } from '../export-results.ts'
import { engineAds } from './connector.ts'
import { dataManagerScope } from './data-manager.ts'
import { toUserIdentifiers } from './user-identifiers.ts'

const spec = connectorCases.find(({ connector }) => connector === engineAds)!
const target = { id: '777', testEventCode: null }
const clicks = [{ kind: 'gclid', id: 'Cj0KCQ1', seenAt: '2026-02-27T08:00:00.123Z' }]
let running: RunningSandbox
let session: Session
beforeAll(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterAll(() => running.close())
const began = () => running.clock.now
let startedAt: Date
beforeEach(() => {
  startedAt = began()
})
afterEach(async () => {
  running.clock.now = startedAt
  await running.sandbox.act('reset', {})
})

const send = (conversions: ClearedConversion[], from = session) =>
  engineAds.exports!.send(from, target, conversions, running.clock.now)
const heldAs = (transactionId: string) =>
  running.sandbox.exports().filter((event) => event.transactionId === transactionId)
const later = (minutes: number) => {
  running.clock.now = new Date(running.clock.now.getTime() + minutes * 60_000)
}

describe('conversions', () => {
  test('are sent with hashes by the platform’s rules, one click id and consent', async () => {
    const { results, providerStatus, requestId } = await send([
      makeConversion({
        eventId: 'whole',
        source: 'website',
        clicks: [...clicks, { kind: 'gbraid', id: 'gb', seenAt: '2026-02-28T08:00:00.123Z' }],
        person: { ...noPerson, emails: ['A.Na+shop @Gmail.com'], phones: ['+49 151 234567'] },
        consent: { adUserData: 'granted', adPersonalization: 'unspecified' },
      }),
    ])
    expect(results).toEqual([{ eventId: 'whole', ok: true, code: null, message: null, retryable: false }])
    expect(providerStatus).toBe('processing')
    expect(requestId).toMatch(/^t-/)
    expect(heldAs('whole')).toMatchObject([
      {
        conversion_action: '777',
        conversionValue: 42,
        currency: 'USD',
        event: {
          eventTimestamp: '2026-03-01T10:00:00.000Z',
          eventSource: 'WEB',
          adIdentifiers: { gclid: 'Cj0KCQ1' },
          userData: {
            userIdentifiers: [
              { emailAddress: sha256Hex('ana@gmail.com') },
              { phoneNumber: sha256Hex('+49151234567') },
            ],
          },
          consent: { adUserData: 'CONSENT_GRANTED' },
        },
      },
    ])
  })

  test('contain their source: website, conversation, or neither', async () => {
    const messaging = { channel: 'chatapp', accountId: 'waba', personId: null, datasetId: 'd' } as const
    await send([
      makeConversion({ eventId: 'web', source: 'website' }),
      makeConversion({ eventId: 'message', source: 'crm', messaging }),
      makeConversion({ eventId: 'other', source: 'crm' }),
    ])
    const sources = ['web', 'message', 'other'].map(
      (id) => (heldAs(id)[0]!.event as { eventSource: string }).eventSource,
    )
    expect(sources).toEqual(['WEB', 'MESSAGE', 'OTHER'])
  })

  test('that the platform rejects are dropped and the others arrive in order', async () => {
    const { results } = await send([
      makeConversion({ eventId: 'good-1' }),
      makeConversion({ eventId: 'future', occurredAt: '2026-04-01T00:00:00Z' }),
      makeConversion({ eventId: 'unknown', person: noPerson }),
      makeConversion({ eventId: 'money', value: { amountMinor: 1, currency: 'usd' } }),
      makeConversion({ eventId: 'good-2' }),
    ])
    expect(results.map(({ eventId, code, retryable }) => [eventId, code, retryable])).toEqual([
      ['good-1', null, false],
      ['future', 'EVENT_TIME_INVALID', false],
      ['unknown', 'no_match_key', false],
      ['money', 'INVALID_CURRENCY_CODE', false],
      ['good-2', null, false],
    ])
    expect([heldAs('good-1'), heldAs('good-2'), heldAs('future')].map((events) => events.length)).toEqual([
      1, 1, 0,
    ])
  })

  test('sent again restate, a full refund to 0', async () => {
    await send([makeConversion({ eventId: 'sale' })])
    await send([
      makeConversion({
        eventId: 'sale',
        adjustment: 'restate',
        value: { amountMinor: 1050, currency: 'USD' },
      }),
    ])
    expect(heldAs('sale')).toMatchObject([{ conversionValue: 10.5, times: 2 }])
    await send([makeConversion({ eventId: 'sale', adjustment: 'retract', value: null })])
    expect(heldAs('sale')).toMatchObject([{ conversionValue: 0, currency: 'USD', times: 3 }])
  })

  test('are reported in counts half an hour later', async () => {
    await running.sandbox.act('fail_processing', {
      reason: 'PROCESSING_ERROR_REASON_INVALID_GCLID',
      count: 2,
    })
    const { requestId } = await send(['a', 'b', 'c'].map((eventId) => makeConversion({ eventId })))
    const status = () => engineAds.exports!.readStatus!(session, target, requestId!)
    later(29)
    expect(await status()).toEqual({ status: 'processing', counts: [] })
    later(1)
    expect(await status()).toEqual({
      status: 'partial_success',
      counts: [{ reason: 'invalid_gclid', count: 2 }],
    })
    await expect(engineAds.exports!.readStatus!(session, target, 'other')).rejects.toMatchObject({
      reason: 'rejected',
      providerCode: 'INVALID_REQUEST_ID',
    })
  })

  test('of people in the EEA are counted only with both consents', async () => {
    const token = await connect(spec, running, 'approve-several')
    const accounts = await engineAds.listAccounts(running.http, running.app, token)
    const berlin = accounts.find(({ timezone }) => timezone === 'Europe/Berlin')!
    const from = { ...session, token, accountId: berlin.id }
    const { requestId } = await send(
      [
        makeConversion({ eventId: 'eea-both' }),
        makeConversion({
          eventId: 'eea-one',
          consent: { adUserData: 'granted', adPersonalization: 'unspecified' },
        }),
        makeConversion({ eventId: 'eea-limited', limitedDataUse: true }),
      ],
      from,
    )
    later(30)
    expect(await engineAds.exports!.readStatus!(from, target, requestId!)).toEqual({
      status: 'partial_success',
      counts: [{ reason: 'no_consent', count: 2 }],
    })
  })

  test('with a test code are only validated', async () => {
    const test = { ...target, testEventCode: 'TEST1' }
    const reply = await engineAds.exports!.send(session, test, [makeConversion({ eventId: 'try' })], began())
    expect(reply).toMatchObject({ providerStatus: 'success', results: [{ ok: true }] })
    expect(heldAs('try')).toEqual([])
  })

  test('whose response is lost may be sent again', async () => {
    running.sandbox.fault({ kind: 'lost_reply', match: '/v1/events:ingest', times: 4 })
    const lost = await send([makeConversion({ eventId: 'lost' })])
    expect(lost).toMatchObject({ providerStatus: null, results: [{ ok: false, retryable: true }] })
    expect((await send([makeConversion({ eventId: 'lost' })])).results).toMatchObject([{ ok: true }])
    expect(heldAs('lost')).toMatchObject([{ conversionValue: 42 }])
  })

  test('for a target that does not exist fail the destination, not the conversion', async () => {
    const sending = engineAds.exports!.send(
      session,
      { ...target, id: 'purchase' },
      [makeConversion()],
      began(),
    )
    await expect(sending).rejects.toMatchObject({
      reason: 'not_found',
      providerCode: 'INVALID_CONVERSION_ACTION_ID',
    })
  })
})

describe('a connection without the Data Manager permission', () => {
  test('requires reconnecting, whether we or the platform detect it', async () => {
    const token = { ...session.token, scopes: ['https://www.googleapis.com/auth/adwords'] }
    await expect(send([makeConversion()], { ...session, token })).rejects.toMatchObject({
      reason: 'permission_missing',
      providerCode: 'scope_missing',
      message: expect.stringContaining('reconnect'),
    })
    await running.sandbox.act('untick_permission', { scope: dataManagerScope })
    const unticked = await connect(spec, running)
    expect(unticked.scopes).toEqual(['https://www.googleapis.com/auth/adwords'])
    const pretending = { ...session, token: { ...unticked, scopes: [dataManagerScope] } }
    await expect(send([makeConversion()], pretending)).rejects.toMatchObject({
      reason: 'permission_missing',
      providerCode: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    })
  })
})

describe('customer lists', () => {
  const batch = (changes: Partial<CustomerListBatch> = {}): CustomerListBatch => ({
    members: [
      { emails: ['ana@example.com'], phones: ['+49151234567'], externalIds: [] },
      { emails: [], phones: [], externalIds: ['only-ours'] },
    ],
    consent: { adUserData: 'granted', adPersonalization: 'granted' },
    termsAccepted: false,
    sessionId: 1,
    sequence: 1,
    isLast: true,
    ...changes,
  })
  const lists = async () =>
    (await running.sandbox.act('customer_lists', {})).lists as { id: string; members: unknown[] }[]
  const membersOf = async (id: string) => (await lists()).find((list) => list.id === id)!.members

  test('are created, filled and emptied', async () => {
    const { id } = await engineAds.audiences!.create(session, { name: 'Buyers', description: null })
    expect(await engineAds.audiences!.upload(session, id, batch())).toMatchObject({
      providerStatus: 'processing',
      received: 1,
      invalid: 1,
    })
    expect(await membersOf(id)).toHaveLength(1)
    await engineAds.audiences!.remove(session, id, batch())
    expect(await membersOf(id)).toEqual([])
  })

  test('of an account that has not accepted the terms are refused until it accepts them', async () => {
    const { id } = await engineAds.audiences!.create(session, { name: 'Terms', description: 'x' })
    await running.sandbox.act('refuse_terms', {})
    await expect(engineAds.audiences!.upload(session, id, batch())).rejects.toMatchObject({
      reason: 'terms_not_accepted',
      providerCode: 'TERMS_AND_CONDITIONS_NOT_SIGNED',
    })
    await engineAds.audiences!.upload(session, id, batch({ termsAccepted: true }))
    expect(await membersOf(id)).toHaveLength(1)
  })
})

test('an address that is empty before the @ without its plus part is not sent', () => {
  expect(toUserIdentifiers({ emails: ['+promo@gmail.com', '..@googlemail.com'], phones: [] })).toEqual([])
})
