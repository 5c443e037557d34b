import { identifierKinds } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import {
  decodeCursor,
  encodeCursor,
  foreignCursor,
  type Pagination,
} from '../../../platform/contract/page.ts'
import { accepted, type Refusal } from '../../../platform/contract/refusal.ts'
import { orderOf, toIdentifiers } from '../../facts/identity/identifiers.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import { showContacts } from '../../facts/identity/show-contacts.ts'
import { isExcluded } from '../../outgoing/exports/audiences/exclusions.ts'
import { consentOf } from '../../outgoing/exports/run/rules.ts'
import { knownMinor, toMoney } from '../reports/definitions.ts'
import type { Customer, getCustomer as getCustomerEntry } from './contract.ts'
import { loadJourney } from './journey.ts'
import * as queries from './queries.ts'

type Listed = { data: z.input<typeof Customer>[]; pagination: Pagination }

/** A search finds at most one page: an identifier is one customer's. */
export async function listCustomers(
  context: ProfileContext,
  query: { search?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<Listed> {
  const { db, profile } = context
  if (query.search !== undefined) {
    const ids = await queries.findCustomers(db, { ...searchFor(context, query.search), limit: query.limit })
    return { data: await describe(context, ids), pagination: { has_next: false, cursor: null } }
  }
  const found = await queries.listConverted(db, {
    profileId: profile.id,
    after: accepted(readPlace(query.cursor)),
    limit: query.limit + 1,
  })
  const rows = found.slice(0, query.limit)
  const last = found.length > query.limit ? rows.at(-1) : undefined
  return {
    data: await describe(
      context,
      rows.map((row) => row.customer_id),
    ),
    pagination: {
      has_next: last !== undefined,
      cursor: last === undefined ? null : encodeCursor([last.day, last.occurred_at.toISOString(), last.id]),
    },
  }
}

/** What the words can name: each kind of identifier is looked for by its own hash. */
function searchFor({ service, profile }: ProfileContext, search: string) {
  const everything = {
    email: search,
    phone: search,
    externalId: search,
    crmContactId: search,
    nationalId: search,
    providerCustomerId: search,
    anonymousId: search,
  }
  const named = toIdentifiers(everything, identityScope(service, profile)).map(({ id }) => id)
  const own = isUuid(search) ? search.toLowerCase() : null
  return {
    profileId: profile.id,
    identifierIds: own === null ? named : [...named, own],
    orderRef: orderOf(search, profile.id, service.identityPepper).order_ref ?? null,
    recordId: own,
  }
}

export async function getCustomer(
  context: ProfileContext,
  id: string,
): Promise<z.input<(typeof getCustomerEntry)['reply']>> {
  const { db, profile } = context
  const customerId = await findLiveCustomer(db, { profileId: profile.id, identifierId: id })
  const [customer] = customerId === undefined ? [] : await describe(context, [customerId])
  if (customerId === undefined || customer === undefined) throw new ApiError('not_found', 'No such customer.')
  const identifiers = await queries.listIdentifiers(db, { profileId: profile.id, customerId })
  const ref = { profileId: profile.id, identifierIds: identifiers.map((row) => row.id) }
  return {
    ...customer,
    identifiers: identifiers.flatMap(({ id, kind }) => {
      const name = identifierKinds[kind]
      return name === undefined ? [] : [{ identifier_id: id, kind: name }]
    }),
    consent: toConsent(await queries.findConsent(db, ref)),
    excluded_from_audiences: await isExcluded(db, ref),
    merged_customer_ids: await queries.listMergedInto(db, { profileId: profile.id, customerId }),
    ...(await loadJourney(db, { ...ref, customerId })),
  }
}

function toConsent(found: { consent: unknown; occurred_at: Date } | undefined) {
  if (found === undefined) return null
  const { adUserData, adPersonalization } = consentOf(found.consent, 'unspecified')
  return {
    ad_user_data: adUserData,
    ad_personalization: adPersonalization,
    told_at: found.occurred_at.toISOString(),
  }
}

async function describe(
  context: ProfileContext,
  customerIds: readonly string[],
): Promise<z.input<typeof Customer>[]> {
  const { db, profile } = context
  const sums = await queries.sumCustomers(db, { profileId: profile.id, customerIds })
  const contacts = await showContacts(context, customerIds)
  return customerIds.flatMap((id) => {
    const own = sums.get(id)
    if (own === undefined) return []
    return [
      {
        customer_id: id,
        identifier_kinds: own.kinds.flatMap((kind) => identifierKinds[kind] ?? []),
        contact: contacts.get(id) ?? null,
        first_seen_at: own.first_seen_at?.toISOString() ?? null,
        last_seen_at: own.last_seen_at?.toISOString() ?? null,
        conversions: own.conversions,
        payments: own.payments,
        revenue: toMoney(knownMinor(own.cash_minor - own.refunded_minor, own.fx_missing), profile.currency),
        fx_missing: own.fx_missing,
        last_conversion_at: own.last_conversion_at?.toISOString() ?? null,
      },
    ]
  })
}

/** The day, time and id after which the page begins; null for the first page. */
export function readPlace(cursor: string | undefined): queries.Place | null | Refusal {
  if (cursor === undefined) return null
  const [day, occurredAt, id] = decodeCursor(cursor) ?? []
  const isPlace =
    typeof day === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(day) &&
    !Number.isNaN(Date.parse(day)) &&
    typeof occurredAt === 'string' &&
    /^\d{4}-\d{2}-\d{2}T/.test(occurredAt) &&
    !Number.isNaN(Date.parse(occurredAt)) &&
    typeof id === 'string' &&
    isUuid(id)
  return isPlace ? { day, occurredAt, id } : foreignCursor()
}
