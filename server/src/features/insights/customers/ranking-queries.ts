/** Sorted customers: those matching a search, or all with a conversion. */
import { identifierKinds } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { COUNTED } from '../../attribution/crediting/incremental/journeys.ts'
import { isAlive } from '../../facts/identity/members.ts'
import type { PersonSearch } from '../../facts/identity/search.ts'
import { customersFound } from '../../facts/identity/search-queries.ts'
import type { CustomerSort } from './contract.ts'

/** The value and customer at the end of the previous page; `value` is null if the customer has none. */
export type RankPlace = { value: string | null; id: string }
export type RankedCustomer = { customer_id: string; value: string | null }

/** Values of all customers, for sorting without a search: one pass over the conversions instead of a lookup per customer. */
const valuesOfAll: Partial<Record<CustomerSort, (profileId: string) => RawBuilder<unknown>>> = {
  last_conversion: (profileId) => sql`
    select i.customer_id, max(conversions.occurred_at) as value from conversions
    join identifiers i on i.profile_id = ${profileId} and i.id = conversions.identifier_id
    where conversions.profile_id = ${profileId} and ${sql.raw(COUNTED)} group by i.customer_id`,
  revenue: (profileId) => sql`
    select i.customer_id, sum(coalesce(c.report_value_minor, 0) - coalesce(r.minor, 0))::bigint as value from conversions c
    join identifiers i on i.profile_id = ${profileId} and i.id = c.identifier_id
    left join (
      select payment_id, sum(report_amount_minor) as minor from refunds
      where profile_id = ${profileId} group by payment_id) as r on r.payment_id = c.event_id
    where c.profile_id = ${profileId} and c.revenue_type = 'cash' and c.duplicate_of is null and not c.unconfirmed
    group by i.customer_id`,
}

/** The same values as in `sumCustomers`. Each `of` reads the rows of one identifier, `m.id`. */
const values: Record<
  CustomerSort,
  (profileId: string) => { type: string; of: RawBuilder<unknown>; pick: string }
> = {
  last_conversion: (profileId) => ({
    type: 'timestamptz',
    pick: 'max(value)',
    of: sql`select max(occurred_at) as value from conversions
      where profile_id = ${profileId} and identifier_id = m.id and ${sql.raw(COUNTED)}`,
  }),
  revenue: (profileId) => ({
    type: 'bigint',
    pick: 'coalesce(sum(value), 0)::bigint',
    of: sql`select sum(coalesce(c.report_value_minor, 0) - coalesce(r.minor, 0)) as value from conversions c
      left join lateral (
        select sum(report_amount_minor) as minor from refunds
        where profile_id = ${profileId} and payment_id = c.event_id) as r on true
      where c.profile_id = ${profileId} and c.identifier_id = m.id and c.revenue_type = 'cash'
        and c.duplicate_of is null and not c.unconfirmed`,
  }),
  last_seen: (profileId) => ({
    type: 'timestamptz',
    pick: 'max(value)',
    of: sql`select greatest(
      (select max(occurred_at) from touches where profile_id = ${profileId} and identifier_id = m.id),
      (select max(occurred_at) from conversions where profile_id = ${profileId} and identifier_id = m.id)) as value`,
  }),
  first_channel: (profileId) => ({
    type: 'text',
    pick: '(array_agg(value order by first_at) filter (where value is not null))[1]',
    of: sql`(select channel as value, occurred_at as first_at from touches
      where profile_id = ${profileId} and identifier_id = m.id order by occurred_at, id limit 1)`,
  }),
}

export async function rankCustomers(
  db: Db | Tx,
  params: {
    profileId: string
    search: PersonSearch | null
    sort: CustomerSort
    isDescending: boolean
    after: RankPlace | null
    limit: number
  },
): Promise<RankedCustomer[]> {
  const { profileId, search, after } = params
  const { type, of, pick } = values[params.sort](profileId)
  const way = sql.raw(params.isDescending ? 'desc' : 'asc')
  const ofAll = search === null ? valuesOfAll[params.sort]?.(profileId) : undefined
  const { rows } = await sql<RankedCustomer>`
    with candidates as materialized (${search === null ? converted(profileId) : customersFound(search)}),
    ranked as (${ofAll === undefined ? valueOfEach(profileId, of, pick) : valueOfAll(ofAll, params.sort)})
    select customer_id, value::text as value from ranked
    ${after === null ? sql`` : sql`where ${isBeyond(after, params.isDescending, sql.raw(type))}`}
    order by ranked.value ${way} nulls last, customer_id limit ${params.limit}`.execute(db)
  return rows
}

const valueOfEach = (profileId: string, of: RawBuilder<unknown>, pick: string) => sql`
  select c.customer_id, picked.value from candidates c
  cross join lateral (
    select ${sql.raw(pick)} as value from (
      select c.customer_id as id union all
      select o.id from identifiers o
      where o.profile_id = ${profileId} and o.customer_id = c.customer_id and o.customer_id <> o.id) as m
    left join lateral (${of}) as v on true) as picked`

const valueOfAll = (ofAll: RawBuilder<unknown>, sort: CustomerSort) => sql`
  select c.customer_id, ${sql.raw(sort === 'revenue' ? 'coalesce(a.value, 0)' : 'a.value')} as value
  from candidates c left join (${ofAll}) as a on a.customer_id = c.customer_id`

function isBeyond({ value, id }: RankPlace, isDescending: boolean, type: RawBuilder<unknown>) {
  if (value === null) return sql`value is null and customer_id > ${id}::uuid`
  const later = sql.raw(isDescending ? '<' : '>')
  return sql`(value is null or value ${later} ${value}::${type}
    or value = ${value}::${type} and customer_id > ${id}::uuid)`
}

/** Customers with a conversion that reports count. */
const converted = (profileId: string) => sql`
  select distinct i.customer_id from conversions
  join identifiers i on i.profile_id = ${profileId} and i.id = conversions.identifier_id
  join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
  where conversions.profile_id = ${profileId} and ${sql.raw(COUNTED)}
    and k.kind < ${identifierKinds.length} and ${isAlive(profileId, sql.ref('i.customer_id'))}`
