/**
 * Notifications of leads. LinkedIn signs `hmacsha256=` and the body with the client secret, and proves every two hours by a
 * challenge that the address is ours (learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation, read
 * 2026-11-17).
 */
import { z } from 'zod'
import type { InboundWebhook, PrivacyRequest, ProviderApp, WebhookAction } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { hmacSha256, isSameDigest, readJsonBody } from '../signatures.ts'
import { idIn } from './restli.ts'

const SIGNED_PREFIX = 'hmacsha256='
/** Only UUIDs are signed, so that the challenge cannot be abused to sign a notification. */
const challengePattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function verifyWebhook(app: ProviderApp, { headers, rawBody }: InboundWebhook): boolean {
  const signature = /^(?:hmacsha256=)?([0-9a-f]{64})$/i.exec(headers['x-li-signature'] ?? '')?.[1]
  if (signature === undefined || app.clientSecret === '') return false
  return isSameDigest(hmacSha256(app.clientSecret, SIGNED_PREFIX, rawBody), Buffer.from(signature, 'hex'))
}

export function answerChallenge(
  app: ProviderApp,
  query: Record<string, string>,
): Record<string, string> | null {
  const challengeCode = query.challengeCode ?? ''
  if (app.clientSecret === '' || !challengePattern.test(challengeCode)) return null
  return { challengeCode, challengeResponse: hmacSha256(app.clientSecret, challengeCode).toString('hex') }
}

const Notification = z.looseObject({
  type: z.literal('LEAD_ACTION'),
  leadAction: z.enum(['CREATED', 'DELETED']),
  leadGenFormResponse: z.string(),
  owner: z.looseObject({ sponsoredAccount: text }),
})

type Notice = { accountId: string; leadId: string; isDeleted: boolean }

function readNotices(rawBody: Uint8Array): Notice[] {
  return [readJsonBody(rawBody)].flat().flatMap((entry) => {
    const notification = Notification.safeParse(entry).data
    const accountId = idIn(notification?.owner.sponsoredAccount, 'sponsoredAccount')
    const leadId = idIn(notification?.leadGenFormResponse, 'leadGenFormResponse')
    if (accountId === null || leadId === null) return []
    return [{ accountId, leadId, isDeleted: notification?.leadAction === 'DELETED' }]
  })
}

/** One body per notice, because new and deleted leads are processed differently. */
export function splitBody(rawBody: Uint8Array): Uint8Array[] {
  const body = readJsonBody(rawBody)
  return Array.isArray(body) && body.length > 0
    ? body.map((entry) => Buffer.from(JSON.stringify(entry)))
    : [rawBody]
}

export function mapWebhook({ rawBody }: InboundWebhook): WebhookAction[] {
  const meanings = readNotices(rawBody)
    .filter(({ isDeleted }) => !isDeleted)
    .map(
      ({ accountId, leadId }): WebhookAction => ({
        type: 'read_back',
        accountId,
        resource: 'lead',
        id: leadId,
      }),
    )
  return meanings.length === 0 ? [{ type: 'ignored' }] : meanings
}

/** A member who deletes a lead withdraws the data sent to the advertiser. */
export function readPrivacyRequest({ rawBody }: InboundWebhook): PrivacyRequest | null {
  const [notice, ...otherNotices] = readNotices(rawBody)
  if (notice === undefined || otherNotices.length > 0 || !notice.isDeleted) return null
  return { type: 'lead_redact', accountId: notice.accountId, leadId: notice.leadId, person: null }
}
