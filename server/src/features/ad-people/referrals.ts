/** A partner's word that an ad brought a conversation: a touch like any other, at the time it happened. */
import type { z } from 'zod'
import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { uuidv5 } from '../../secrets/uuid5.ts'
import { hashOf } from '../events/rules.ts'
import { type NewEvent, noTraces, type Traits } from '../events/stored.ts'
import { toIdentifiers } from '../identity/identifiers.ts'
import { checkCustomerRef } from '../payments/card-gateway.ts'
import type * as contract from './contract.ts'
import { isKnownAd } from './queries.ts'

const MAX_AHEAD_MS = 24 * 3_600_000

type Body = z.output<NonNullable<(typeof contract.sendAdReferral)['body']>>

export function readReferral(
  { occurred_at, customer }: Body,
  { now, service, profileId }: Pick<ProfileContext, 'now' | 'service'> & { profileId: string },
) {
  const occurredAt = new Date(occurred_at)
  if (occurredAt.getTime() > now.getTime() + MAX_AHEAD_MS)
    throw new ApiError('validation_error', 'occurred_at: more than 24 hours ahead.')
  const identifiers = toIdentifiers(
    { email: customer.email, phone: customer.phone, externalId: customer.external_ref },
    profileId,
    service.identityPepper,
  )
  if (identifiers.length === 0)
    throw new ApiError('validation_error', 'customer: needs a phone, an email or an external_ref.')
  return { occurredAt, identifiers }
}

export async function sendAdReferral(context: ProfileContext, body: Body) {
  const { profile, service, now } = context
  const { customer } = body
  const { occurredAt, identifiers } = readReferral(body, { ...context, profileId: profile.id })
  await checkCustomerRef(context, customer)
  if (!(await isKnownAd(context.db, { profileId: profile.id, adId: body.ad_id })))
    throw new ApiError('unknown_ad', 'ad_id: not one of this profile’s ads.')
  const key =
    body.idempotency_key ??
    JSON.stringify([identifiers.map(({ id }) => id), body.ad_id, occurredAt.getTime()])
  const event: NewEvent = {
    id: uuidv5(profile.id, `ad_referral:${key}`),
    occurredAt,
    receivedAt: now,
    source: 'integration',
    provider: 'partner',
    externalId: body.conversation_id ?? null,
    name: 'ad_referral',
    anonymousId: null,
    sessionId: null,
    isBot: false,
    contentHash: hashOf({ ...body, idempotency_key: undefined }),
    body: {
      identifiers,
      traits: traitsOf(customer),
      touch: {
        channel: body.channel,
        origin: 'partner_ad_referral',
        is_direct: false,
        platform: null,
        campaign_id: null,
        ad_set_id: null,
        ad_id: body.ad_id,
        click_id_kind: null,
        ...noTraces,
      },
    },
  }
  const [status] = await service.ingest.add(profile.id, [event])
  if (status === 'retracted')
    throw new ApiError('invalid_state', 'This referral was retracted.', { reason: 'event_retracted' })
  return { event_id: event.id, status: status! }
}

function traitsOf(customer: Body['customer']): Traits {
  const said = {
    email: customer.email,
    phone: customer.phone,
    external_id: customer.external_ref,
    first_name: customer.first_name,
    last_name: customer.last_name,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value)) as Traits
}
