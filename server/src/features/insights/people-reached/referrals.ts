/** Ad referrals reported by a partner, stored as touches at the time of the referral. */
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { checkCustomerRef } from '../../corrections/payments/card-gateway.ts'
import { hashOf } from '../../facts/events/rules.ts'
import { type NewEvent, noTraces, type Traits } from '../../facts/events/stored.ts'
import { type IdentityScope, toIdentifiers } from '../../facts/identity/identifiers.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import type * as contract from './contract.ts'
import { isKnownAd } from './queries.ts'

const MAX_AHEAD_MS = DAY_MS

type Body = z.output<NonNullable<(typeof contract.sendAdReferral)['body']>>

/** Checks that need only the body; the phone number is validated later, with the profile's country. */
export function checkReferral({ occurred_at, customer }: Body, now: Date): void {
  if (Date.parse(occurred_at) > now.getTime() + MAX_AHEAD_MS)
    throw new ApiError('validation_error', 'is more than 24 hours in the future.', { field: 'occurred_at' })
  if (!customer.phone && !customer.email && !customer.external_ref) throw namesNoOne()
}

const namesNoOne = () =>
  new ApiError(
    'validation_error',
    'needs an email, an external_ref, or a valid phone (with country code, or in the national format of `country`).',
    { field: 'customer' },
  )

function readReferral(body: Body, { now, scope }: { now: Date; scope: IdentityScope }) {
  checkReferral(body, now)
  const { customer } = body
  const identifiers = toIdentifiers(
    {
      email: customer.email ?? null,
      phone: customer.phone ?? null,
      country: customer.country ?? null,
      externalId: customer.external_ref ?? null,
    },
    scope,
  )
  if (identifiers.length === 0) throw namesNoOne()
  return { occurredAt: new Date(body.occurred_at), identifiers }
}

export async function sendAdReferral(context: ProfileContext, body: Body) {
  const { profile, service, now } = context
  const { customer } = body
  const { occurredAt, identifiers } = readReferral(body, { now, scope: identityScope(service, profile) })
  await checkCustomerRef(context, customer)
  if (!(await isKnownAd(context.db, { profileId: profile.id, adId: body.ad_id })))
    throw new ApiError('unknown_ad', 'is not an ad of this profile.', { field: 'ad_id' })
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
  const traits = {
    email: customer.email,
    phone: customer.phone,
    country: customer.country,
    external_id: customer.external_ref,
    first_name: customer.first_name,
    last_name: customer.last_name,
  }
  return Object.fromEntries(Object.entries(traits).filter(([, value]) => value)) as Traits
}
