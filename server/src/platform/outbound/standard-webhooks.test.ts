import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { mintWebhookSecret, signWebhook, toSigningKey } from './standard-webhooks.ts'

const verifiers = [
  ['standardwebhooks', (secret: string) => new StandardWebhook(secret)],
  ['svix', (secret: string) => new SvixWebhook(secret)],
] as const

describe.each(verifiers)('a webhook, to the verifier of %s,', (_, verifier) => {
  const [first, second, stranger] = [mintWebhookSecret(), mintWebhookSecret(), mintWebhookSecret()]
  const body = JSON.stringify({ type: 'outcome.recorded', data: { name: 'Зоя €' } })
  const message = () => ({ id: 'msg_1', sentAt: new Date(), body })

  it('verifies with its secret', () => {
    expect(() => verifier(first).verify(body, signWebhook([toSigningKey(first)], message()))).not.toThrow()
  })

  it('is the same whether its body is text or bytes', () => {
    const sentAt = new Date()
    const asBytes = signWebhook([toSigningKey(first)], { id: 'msg_1', sentAt, body: Buffer.from(body) })
    expect(asBytes).toEqual(signWebhook([toSigningKey(first)], { id: 'msg_1', sentAt, body }))
  })

  it('verifies with either secret while two are valid, and with no other', () => {
    const headers = signWebhook([first, second].map(toSigningKey), message())
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    for (const secret of [first, second]) expect(() => verifier(secret).verify(body, headers)).not.toThrow()
    expect(() => verifier(stranger).verify(body, headers)).toThrow()
  })

  it('is rejected with another body, id or time', () => {
    const headers = signWebhook([toSigningKey(first)], message())
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(() => verifier(first).verify(`${body} `, headers)).toThrow()
    expect(() => verifier(first).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow()
    expect(() => verifier(first).verify(body, { ...headers, 'webhook-timestamp': later })).toThrow()
  })
})

it('a webhook secret is whsec_ followed by 32 bytes in base64', () => {
  expect(mintWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(mintWebhookSecret()).not.toBe(mintWebhookSecret())
})
