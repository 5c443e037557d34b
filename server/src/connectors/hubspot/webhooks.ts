/**
 * Webhooks of HubSpot: an array of events, signed over method, URL, body and time with the app's secret (v3; source:
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation, read
 * 2026-11-17). Versions 1 and 2 of the signature are also sent and not accepted: they contain no time, so they could be
 * replayed for ever. Events arrive late and out of order, so the objects are read back.
 */
import { z } from 'zod'
import type { InboundWebhook, PrivacyRequest, ProviderApp, WebhookAction } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { hmacSha256, isSameDigest, readJsonBody } from '../signatures.ts'

const WINDOW_MS = 300_000

/** The signed URL is the public one, regardless of proxies. */
export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook, now: Date): boolean {
  const address = app.extra.webhookUrl ?? ''
  const sentAt = webhook.headers['x-hubspot-request-timestamp'] ?? ''
  if (address === '' || app.clientSecret === '' || !/^\d{1,15}$/.test(sentAt)) return false
  if (Math.abs(now.getTime() - Number(sentAt)) > WINDOW_MS) return false
  const signature = Buffer.from(webhook.headers['x-hubspot-signature-v3'] ?? '', 'base64')
  return isSameDigest(hmacSha256(app.clientSecret, 'POST', address, webhook.rawBody, sentAt), signature)
}

/** Without property values, which may be personal data, and without the attempt number. */
const Event = z.object({
  portalId: id,
  subscriptionType: z.string(),
  objectId: maybeId,
  objectTypeId: text,
  primaryObjectId: maybeId,
  newObjectId: maybeId,
  fromObjectId: maybeId,
  associationType: text,
  eventId: maybeId,
  occurredAt: z.number().nullish(),
})
type Event = z.infer<typeof Event>

const readEvents = (rawBody: Uint8Array): Event[] => {
  const body = readJsonBody(rawBody)
  return (Array.isArray(body) ? body : []).flatMap((entry) => Event.safeParse(entry).data ?? [])
}

const isPrivacy = (event: Event) => event.subscriptionType === 'contact.privacyDeletion'

/** One body per privacy request and one for all other events, because they are processed differently. */
export function splitBody(rawBody: Uint8Array): Uint8Array[] {
  const events = readEvents(rawBody)
  const otherEvents = events.filter((event) => !isPrivacy(event))
  const parts = events.filter(isPrivacy).map((event) => [event])
  return [...parts, ...(otherEvents.length === 0 && parts.length > 0 ? [] : [otherEvents])].map((part) =>
    Buffer.from(JSON.stringify(part)),
  )
}

const objectTypes: Record<string, string> = { '0-1': 'contact', '0-3': 'deal' }

/** `contact.creation`, or in the newer form `object.creation` with the type's number. */
function resourceOf({ subscriptionType, objectTypeId }: Event): string | null {
  const [noun = ''] = subscriptionType.split('.')
  const resource = noun === 'object' ? lookUp(objectTypes, objectTypeId) : noun
  return resource === 'contact' || resource === 'deal' ? resource : null
}

function targetOf(event: Event): { resource: string; id: string } | null {
  const resource = resourceOf(event)
  if (resource === null) return null
  switch (event.subscriptionType.split('.')[1]) {
    case 'creation':
    case 'propertyChange':
    case 'deletion':
    case 'restore':
      return event.objectId === null ? null : { resource, id: event.objectId }
    // Merging may create a new object, whose id replaces the others.
    case 'merge': {
      const mergedInto = event.newObjectId ?? event.primaryObjectId ?? event.objectId
      return mergedInto === null ? null : { resource, id: mergedInto }
    }
    case 'associationChange':
      return resource === 'deal' && event.associationType === 'DEAL_TO_CONTACT' && event.fromObjectId !== null
        ? { resource, id: event.fromObjectId }
        : null
    default:
      return null
  }
}

export function mapWebhook({ rawBody }: InboundWebhook): WebhookAction[] {
  const meanings = new Map<string, WebhookAction>()
  for (const event of readEvents(rawBody)) {
    const target = targetOf(event)
    if (target === null) continue
    meanings.set(`${event.portalId} ${target.resource} ${target.id}`, {
      type: 'read_back',
      accountId: event.portalId,
      ...target,
    })
  }
  return meanings.size === 0 ? [{ type: 'ignored' }] : [...meanings.values()]
}

/** A contact that was permanently deleted for privacy reasons. */
export function readPrivacyRequest({ rawBody }: InboundWebhook): PrivacyRequest | null {
  const [event, ...otherEvents] = readEvents(rawBody)
  if (event === undefined || otherEvents.length > 0 || !isPrivacy(event) || event.objectId === null)
    return null
  return {
    type: 'customer_redact',
    accountId: event.portalId,
    person: { contactId: event.objectId, email: null, phone: null },
  }
}
