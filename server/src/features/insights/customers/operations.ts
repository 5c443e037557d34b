import { identifierKinds } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { decodeCursor, invalidCursor, type Pagination, toPage } from '../../../platform/contract/page.ts'
import { accepted, type Refusal } from '../../../platform/contract/refusal.ts'
import { noConsent, toApplied } from '../../facts/consents/rules.ts'
import { loadConsents } from '../../facts/consents/statements.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { searchFor } from '../../facts/identity/search.ts'
import { showContacts } from '../../facts/identity/show-contacts.ts'
import { knownMinor, toMoney } from '../../figures/definitions/definitions.ts'
import { isExcluded } from '../../outgoing/exports/audiences/exclusions.ts'
import type { Customer, CustomerSort, getCustomer as getCustomerEntry } from './contract.ts'
import { loadJourney } from './journey.ts'
import * as queries from './queries.ts'
import { type RankPlace, rankCustomers } from './ranking-queries.ts'

/** PostgreSQL's text format of a timestamptz. */
const instantForm =
  /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-]\d{2}$/

type Listed = { data: z.input<typeof Customer>[]; pagination: Pagination }

type ListQuery = {
  search?: string | undefined
  sort: CustomerSort
  order: 'asc' | 'desc'
  cursor?: string | undefined
  limit: number
}

/** Without a search, the order by latest conversion has an index; every other order is computed. */
const isByTime = ({ search, sort, order }: Omit<ListQuery, 'limit'>) =>
  search === undefined && sort === 'last_conversion' && order === 'desc'

export async function listCustomers(context: ProfileContext, query: ListQuery): Promise<Listed> {
  const { ids, pagination } = await (isByTime(query) ? listByTime : listRanked)(context, query)
  return { data: await describe(context, ids), pagination }
}

type Ids = { ids: string[]; pagination: Pagination }

async function listByTime({ db, profile }: ProfileContext, query: ListQuery): Promise<Ids> {
  const fetched = await queries.listConverted(db, {
    profileId: profile.id,
    after: accepted(readPlace(query.cursor)),
    limit: query.limit + 1,
  })
  const { rows, pagination } = toPage(fetched, query.limit, (last) => [
    last.day,
    last.occurred_at.toISOString(),
    last.id,
  ])
  return { ids: rows.map((row) => row.customer_id), pagination }
}

async function listRanked(context: ProfileContext, query: ListQuery): Promise<Ids> {
  const fetched = await rankCustomers(context.db, {
    profileId: context.profile.id,
    search: query.search === undefined ? null : searchFor(context, query.search),
    sort: query.sort,
    isDescending: query.order === 'desc',
    after: accepted(readRankPlace(query)),
    limit: query.limit + 1,
  })
  const { rows, pagination } = toPage(fetched, query.limit, (last) => [
    query.sort,
    last.customer_id,
    ...(last.value === null ? [] : [last.value]),
  ])
  return { ids: rows.map((row) => row.customer_id), pagination }
}

/** Rejects a cursor of another sort order. */
export function readCursor(query: Omit<ListQuery, 'limit'>): unknown {
  return isByTime(query) ? readPlace(query.cursor) : readRankPlace(query)
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
    consent: await loadConsent(context, customerId),
    excluded_from_audiences: await isExcluded(db, ref),
    merged_customer_ids: await queries.listMergedInto(db, { profileId: profile.id, customerId }),
    ...(await loadJourney(db, { ...ref, customerId })),
  }
}

async function loadConsent({ db, profile }: ProfileContext, customerId: string) {
  const consents = await loadConsents(db, { profileId: profile.id, customerIds: [customerId] })
  const { stated_at: toldAt, ...applied } = toApplied(consents.get(customerId) ?? noConsent)
  return toldAt === null ? null : { ...applied, told_at: toldAt }
}

async function describe(
  context: ProfileContext,
  customerIds: readonly string[],
): Promise<z.input<typeof Customer>[]> {
  const { db, profile } = context
  const sums = await queries.sumCustomers(db, { profileId: profile.id, customerIds })
  const contacts = await showContacts(context, customerIds)
  return customerIds.flatMap((id) => {
    const customer = sums.get(id)
    if (customer === undefined) return []
    return [
      {
        customer_id: id,
        identifier_kinds: customer.kinds.flatMap((kind) => identifierKinds[kind] ?? []),
        contact: contacts.get(id) ?? null,
        first_seen_at: customer.first_seen_at,
        first_channel: customer.first_channel,
        last_seen_at: customer.last_seen_at,
        conversions: customer.conversions,
        payments: customer.payments,
        revenue: toMoney(
          knownMinor(customer.cash_minor - customer.refunded_minor, customer.fx_missing),
          profile.currency,
        ),
        fx_missing: customer.fx_missing,
        last_conversion_at: customer.last_conversion_at,
      },
    ]
  })
}

const valueForms: Record<CustomerSort, RegExp> = {
  last_conversion: instantForm,
  last_seen: instantForm,
  revenue: /^-?\d{1,18}$/,
  first_channel: /^[^\0]{1,200}$/,
}

function readRankPlace(query: {
  sort: CustomerSort
  cursor?: string | undefined
}): RankPlace | null | Refusal {
  if (query.cursor === undefined) return null
  const [sort, id, value = null] = decodeCursor(query.cursor) ?? []
  if (sort !== query.sort || typeof id !== 'string' || !isUuid(id)) return invalidCursor()
  if (value === null) return { value, id }
  return typeof value === 'string' && valueForms[query.sort].test(value) ? { value, id } : invalidCursor()
}

/** The day, time and id after which the page starts; null for the first page. */
function readPlace(cursor: string | undefined): queries.Place | null | Refusal {
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
  return isPlace ? { day, occurredAt, id } : invalidCursor()
}
