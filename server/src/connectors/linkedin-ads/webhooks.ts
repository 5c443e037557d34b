/**
 * Notifications of leads. LinkedIn signs `hmacsha256=` and the body with the client secret, and proves every two hours by a
 * challenge that the address is ours (learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation, read
 * 2026-11-17).
 */
import { z } from 'zod'
import type { InboundWebhook, ProviderApp, WebhookMeaning } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { hmacSha256, isSameDigest, readJsonBody } from '../signatures.ts'
import { idIn } from './restli.ts'

const SIGNED_PREFIX = 'hmacsha256='
/** A caller who could have any text signed here could sign a notification, so only a UUID is answered. */
const challengeForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function verifyWebhook(app: ProviderApp, { headers, rawBody }: InboundWebhook): boolean {
  const given = /^(?:hmacsha256=)?([0-9a-f]{64})$/i.exec(headers['x-li-signature'] ?? '')?.[1]
  if (given === undefined || app.clientSecret === '') return false
  return isSameDigest(hmacSha256(app.clientSecret, SIGNED_PREFIX, rawBody), Buffer.from(given, 'hex'))
}

export function answerChallenge(
  app: ProviderApp,
  query: Record<string, string>,
): Record<string, string> | null {
  const challengeCode = query.challengeCode ?? ''
  if (app.clientSecret === '' || !challengeForm.test(challengeCode)) return null
  return { challengeCode, challengeResponse: hmacSha256(app.clientSecret, challengeCode).toString('hex') }
}

const Notification = z.looseObject({
  type: z.literal('LEAD_ACTION'),
  leadAction: z.literal('CREATED'),
  leadGenFormResponse: z.string(),
  owner: z.looseObject({ sponsoredAccount: text }),
})

/** A lead that a member deleted is not read again; what was recorded of it stays. */
export function mapWebhook({ rawBody }: InboundWebhook): WebhookMeaning[] {
  const body = readJsonBody(rawBody)
  const meanings = [body].flat().flatMap((entry): WebhookMeaning[] => {
    const notification = Notification.safeParse(entry).data
    const accountId = idIn(notification?.owner.sponsoredAccount, 'sponsoredAccount')
    const id = idIn(notification?.leadGenFormResponse, 'leadGenFormResponse')
    return accountId === null || id === null ? [] : [{ type: 'read_back', accountId, resource: 'lead', id }]
  })
  return meanings.length === 0 ? [{ type: 'ignored' }] : meanings
}
