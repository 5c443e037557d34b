import type { ProfileContext, Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { hashOf } from '../events/rules.ts'
import type { NewEvent } from '../events/stored.ts'
import { type IdentifierRef, toIdentifiers } from '../identity/identifiers.ts'
import { identityScope } from '../identity/scope.ts'
import { LINK_PARAMETER } from './contract.ts'
import { findKnownCustomer } from './queries.ts'
import { readLinkToken, signLinkToken, withToken } from './rules.ts'

export async function createLinkToken(
  context: ProfileContext,
  body: {
    customer_id?: string | undefined
    external_ref?: string | undefined
    url?: string | undefined
    expires_in_seconds: number
  },
) {
  const { service, profile, now } = context
  const secret = service.config.LINK_TOKEN_SECRET
  if (secret === undefined)
    throw new ApiError(
      'link_tokens_disabled',
      'LINK_TOKEN_SECRET is not configured. Send the link without a token.',
    )
  const identifierId =
    body.customer_id ??
    toIdentifiers({ externalId: body.external_ref ?? null }, identityScope(service, profile))[0]?.id
  // A customer whose event was sent a moment ago may not be processed yet.
  await service.processor.settled(profile.id)
  const identifier =
    identifierId && (await findKnownCustomer(context.db, { profileId: profile.id, identifierId }))
  if (!identifier) throw new ApiError('customer_not_found', 'No known customer of this profile matches.')
  const seconds = Math.floor(now.getTime() / 1000) + body.expires_in_seconds
  const expiresAt = new Date(seconds * 1000)
  const token = signLinkToken({ identifier, expiresAt }, profile.id, secret)
  return {
    token,
    url: body.url === undefined ? null : withToken(body.url, LINK_PARAMETER, token),
    expires_at: expiresAt,
  }
}

/** The customer of a valid token; undefined if the customer was erased since. */
export async function findLinkedCustomer(
  service: Service,
  profileId: string,
  token: string,
  now: Date,
): Promise<IdentifierRef | undefined> {
  const secret = service.config.LINK_TOKEN_SECRET
  const linked = secret && readLinkToken(token, { profileId, secret, now })
  if (!linked) return undefined
  const { db } = await service.nodes.of(profileId)
  return (await findKnownCustomer(db, { profileId, identifierId: linked.id })) && linked
}

/** An additional event for a page view with a valid token: the visitor opened a link of the customer. Once per pair. */
export async function linkOpenedEvent(
  service: Service,
  profileId: string,
  view: NewEvent,
  token: string,
): Promise<NewEvent | undefined> {
  const visitor = view.body.identifiers.find(({ kind }) => kind === 'anonymous_id')
  const linked = visitor && (await findLinkedCustomer(service, profileId, token, view.receivedAt))
  if (visitor === undefined || linked === undefined) return undefined
  return {
    id: uuidv5(profileId, `link:${visitor.id}:${linked.id}`),
    occurredAt: view.occurredAt,
    receivedAt: view.receivedAt,
    source: 'tracker',
    provider: null,
    externalId: null,
    name: 'link_opened',
    anonymousId: view.anonymousId,
    sessionId: view.sessionId,
    isBot: view.isBot,
    contentHash: hashOf(['link_opened', visitor.id, linked.id]),
    body: { identifiers: [linked, visitor], evidence: 'link_token' },
  }
}
