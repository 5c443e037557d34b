import { identifierKinds } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import { isWithin } from '../../../platform/db/amounts.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { plainArray } from '../../../platform/db/database.ts'
import { isAlive } from './members.ts'
import type { PersonSearch } from './search.ts'

/** Query for the `customer_id` of customers who match the search. */
export function customersFound(search: PersonSearch): RawBuilder<{ customer_id: string }> {
  const { profileId, recordId, orderRef, nameTokens } = search
  const paid =
    search.amount === null
      ? sql``
      : sql`union select coalesce(payer_identifier_id, identifier_id) from payments
          where profile_id = ${profileId} and status in ('succeeded', 'disputed')
            and ${isWithin(search.amount, sql.ref('value_minor'), sql.ref('currency'))}`
  return sql`
    select distinct i.customer_id from (
      select unnest(${uuidList(search.identifierIds)}::uuid[]) as id
      union select identifier_id from conversions where profile_id = ${profileId} and id = ${recordId}::uuid
      union select coalesce(payer_identifier_id, identifier_id) from payments
        where profile_id = ${profileId} and id = ${recordId}::uuid
      union select c.identifier_id from order_events o
        join conversions c on c.profile_id = ${profileId} and c.event_id = o.event_id
        where o.profile_id = ${profileId} and o.order_ref = ${orderRef}::uuid
      ${paid}
      ${nameTokens.length === 0 ? sql`` : sql`union select customer_id from (${customersNamed(profileId, nameTokens)}) as named`}
    ) as match
    join identifiers i on i.profile_id = ${profileId} and i.id = match.id
    join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
    where k.kind < ${identifierKinds.length} and ${isAlive(profileId, sql.ref('i.customer_id'))}`
}

/** Customers whose names contain all words, over all identifiers of a customer. */
function customersNamed(profileId: string, tokens: readonly string[]): RawBuilder<unknown> {
  const hasAll = tokens.map((token) => sql`bool_or(n.tokens @> ${plainArray([token])}::bigint[])`)
  return sql`
    select i.customer_id from customer_names n
    join identifiers i on i.profile_id = ${profileId} and i.id = n.identifier_id
    where n.profile_id = ${profileId} and n.tokens && ${plainArray(tokens)}::bigint[]
    group by i.customer_id having ${sql.join(hasAll, sql` and `)}`
}
