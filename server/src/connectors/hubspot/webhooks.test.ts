/** Which webhooks of HubSpot are accepted, what they name, and what of them is stored. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { shortIt as test } from '../../../test/length.ts'
import { type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { InboundWebhook } from '../connector.ts'
import { hubspot } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === hubspot)!
let at: RunningSandbox
beforeEach(async () => {
  at = await startSandbox(spec)
})
afterEach(() => at.close())

describe('webhooks', () => {
  const signed = (body: string, sentAt: number, address = at.app.extra.webhookUrl): InboundWebhook => ({
    rawBody: new TextEncoder().encode(body),
    headers: {
      'x-hubspot-request-timestamp': String(sentAt),
      'x-hubspot-signature-v3': createHmac('sha256', at.app.clientSecret)
        .update(`POST${address}${body}${sentAt}`)
        .digest('base64'),
    },
    query: {},
  })
  const verify = (webhook: InboundWebhook) => hubspot.webhooks!.verify(at.app, webhook, at.clock.now)

  test('are accepted for five minutes, in either direction', () => {
    const now = at.clock.now.getTime()
    expect([0, -300_000, 300_000].map((off) => verify(signed('[]', now + off)))).toEqual([true, true, true])
    expect([-300_001, 300_001].map((off) => verify(signed('[]', now + off)))).toEqual([false, false])
  })

  test('are signed for our public address and for no other', () => {
    const now = at.clock.now.getTime()
    expect(verify(signed('[]', now, 'http://10.0.0.7:4400/webhooks/in/hubspot'))).toBe(false)
    expect(verify(signed('[]', now, 'https://other.example/webhooks/in/hubspot'))).toBe(false)
  })

  test('with only an older signature or an invalid time are refused', () => {
    const now = at.clock.now.getTime()
    const { rawBody, query, headers } = signed('[]', now)
    const v1 = { 'x-hubspot-signature-version': 'v1', 'x-hubspot-signature': 'aa' }
    expect(verify({ rawBody, query, headers: v1 })).toBe(false)
    for (const time of ['', 'NaN', '-1', '1e12', '9'.repeat(40)])
      expect(verify({ rawBody, query, headers: { ...headers, 'x-hubspot-request-timestamp': time } })).toBe(
        false,
      )
    const noSecret = { ...at.app, clientSecret: '' }
    expect(hubspot.webhooks!.verify(noSecret, signed('[]', now), at.clock.now)).toBe(false)
  })

  test('of one batch name each object once, in the older and the newer form', () => {
    const event = (fields: object) => ({ portalId: 5, occurredAt: 1, eventId: 1, ...fields })
    const body = JSON.stringify([
      event({ subscriptionType: 'contact.creation', objectId: 1 }),
      event({
        subscriptionType: 'object.propertyChange',
        objectTypeId: '0-1',
        objectId: 1,
        propertyValue: 'x',
      }),
      event({ subscriptionType: 'object.creation', objectTypeId: '0-3', objectId: 2 }),
      event({ subscriptionType: 'object.creation', objectTypeId: '0-2', objectId: 3 }),
      event({
        subscriptionType: 'deal.associationChange',
        associationType: 'DEAL_TO_CONTACT',
        fromObjectId: 4,
        toObjectId: 1,
      }),
      event({ subscriptionType: 'contact.merge', primaryObjectId: 6, mergedObjectIds: [7], newObjectId: 8 }),
      { nonsense: true },
    ])
    const meanings = hubspot.webhooks!.map({ rawBody: Buffer.from(body), headers: {}, query: {} })
    expect(
      meanings.map(
        (meaning) => meaning.type === 'read_back' && [meaning.accountId, meaning.resource, meaning.id],
      ),
    ).toEqual([
      ['5', 'contact', '1'],
      ['5', 'deal', '2'],
      ['5', 'deal', '4'],
      ['5', 'contact', '8'],
    ])
  })

  test('are stored without property values; a privacy deletion is stored separately', async () => {
    await at.sandbox.act('change_contact', { properties: { email: 'secret@example.com' } })
    const [changed] = at.webhooks.splice(0)
    expect(Buffer.from(changed!.rawBody).toString()).toContain('secret@example.com')
    const parts = hubspot.webhooks!.split!(changed!.rawBody)
    expect(parts).toHaveLength(1)
    expect(Buffer.concat(parts).toString()).not.toContain('secret')
    const before = hubspot.webhooks!.map(changed!)
    expect(hubspot.webhooks!.map({ ...changed!, rawBody: parts[0]! })).toEqual(before)

    const { contact_id: id } = await at.sandbox.act('privacy_delete', {})
    const [deleted] = at.webhooks
    const requests = hubspot.webhooks!.split!(deleted!.rawBody).map((rawBody) =>
      hubspot.webhooks!.readPrivacyRequest!({ ...deleted!, rawBody }),
    )
    expect(requests).toEqual([
      {
        type: 'customer_redact',
        accountId: '48151623',
        person: { contactId: id, email: null, phone: null },
      },
      null,
    ])
    for (const body of ['', 'nonsense', '{}', 'null', '[1]'])
      expect(hubspot.webhooks!.split!(Buffer.from(body)).map((part) => Buffer.from(part).toString())).toEqual(
        ['[]'],
      )
  })
})
