import { expect, it } from 'vitest'
import { signWebhook, toSigningKey } from '../../server/src/platform/outbound/standard-webhooks.ts'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const secret = `whsec_${btoa('a secret of thirty-two bytes here')}`
const other = `whsec_${btoa('another one of thirty-two bytes..')}`
const now = new Date('2026-11-17T10:00:00Z')
const body = JSON.stringify({ id: 'e1', type: 'conversion.credited', data: { value: 12.5, note: 'ñ' } })
const signed = (secrets: readonly string[], at = now) => ({
  ...signWebhook(secrets.map(toSigningKey), { id: 'e1', sentAt: at, body }),
})

it('returns a signed event, from text or bytes and from both kinds of headers', async () => {
  const headers = signed([secret])
  expect(await verifyWebhook(body, headers, secret, { now })).toMatchObject({ type: 'conversion.credited' })
  const bytes = new TextEncoder().encode(body)
  expect(await verifyWebhook(bytes, new Headers(headers), [other, secret], { now })).toEqual(JSON.parse(body))
  // During a rotation, both secrets sign.
  await verifyWebhook(body, signed([other, secret]), secret, { now })
})

it.each([
  ['a body with one more byte', `${body} `, signed([secret]), now],
  ['a signature of another secret', body, signed([other]), now],
  ['another id', body, { ...signed([secret]), 'webhook-id': 'e2' }, now],
  ['a request that is six minutes old', body, signed([secret]), new Date(now.getTime() + 360_000)],
  ['a request from the future', body, signed([secret]), new Date(now.getTime() - 360_000)],
  ['no signature', body, { ...signed([secret]), 'webhook-signature': '' }, now],
  ['an unknown version', body, { ...signed([secret]), 'webhook-signature': 'v2,AAAA' }, now],
])('rejects %s', async (_, text, headers, at) => {
  await expect(verifyWebhook(text, headers, secret, { now: at })).rejects.toBeInstanceOf(
    WebhookVerificationError,
  )
})
