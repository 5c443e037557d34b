import { identifierKinds } from '@whence/engine'
import { sql } from 'kysely'
import { MAILBOX } from '../../../../connectors/mailbox.ts'
import { adProviders } from '../../../../platform/contract/ad-providers.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { sumsOf } from '../../../figures/rollups/sums.ts'
import type { Window } from '../verdict-rules.ts'

const NAMELESS = identifierKinds.indexOf('anonymous_id')

export type ConnectionRow = {
  id: string
  provider: string
  name: string
  status: string
  timezone: string | null
  is_ads: boolean
  created_at: Date
  last_success_at: Date | null
  has_sync: boolean
  spend_minor: number
}

/** Connections that are not revoked, with their spend. Excludes mailboxes, which have no data. */
export async function listConnections(db: Db | Tx, { profileId, from, to }: Window) {
  const spent = sumsOf({ profileId, from, to, measures: ['spend_minor'], by: ['entity_id'] })
  const { rows } = await sql<ConnectionRow>`
    select c.id, c.provider, c.display_name as name, c.status, c.timezone, c.created_at,
      c.provider = any(${[...adProviders]}::text[]) as is_ads, y.last_success_at, y.connection_id is not null as has_sync,
      coalesce((
        select sum(d.spend_minor) from (${spent}) d
        join ad_entities e on e.profile_id = ${profileId} and e.id = d.entity_id
        where e.connection_id = c.id), 0)::bigint as spend_minor
    from connections c
    left join connection_syncs y on y.profile_id = ${profileId} and y.connection_id = c.id
    where c.profile_id = ${profileId} and c.status <> 'revoked' and c.provider <> ${MAILBOX}
    order by c.provider, c.id`.execute(db)
  return rows
}

export type GoalRow = { id: string; name: string; event_names: string[]; created_at: Date; is_met: boolean }

/** Goals created or changed by people; default goals exist before they are needed. */
export async function listChangedGoals(db: Db | Tx, { profileId, from }: Window): Promise<GoalRow[]> {
  const { rows } = await sql<GoalRow>`
    select g.id, g.display_name as name, g.source_event_names as event_names, g.created_at, exists (
      select 1 from conversions v
      where v.profile_id = ${profileId} and v.goal_id = g.id and v.day >= ${from}::date) as is_met
    from goals g
    join profiles p on p.id = ${profileId}
    where g.profile_id = ${profileId}
      and (g.created_at > p.created_at or g.source_event_names <> array[g.conversion_key])
    order by g.created_at, g.id`.execute(db)
  return rows
}

export type LargeCustomerRow = { customer_id: string; identifiers: number; value_minor: number }

/** Customers with many emails, phones or ids of one kind. */
export async function listLargeCustomers(
  db: Db | Tx,
  { profileId, from, to, most }: Window & { most: number },
): Promise<LargeCustomerRow[]> {
  const { rows } = await sql<LargeCustomerRow>`
    with kinds as (
      select customer_id, count(*) as identifiers from identifiers
      where profile_id = ${profileId} and kind < ${NAMELESS}
      group by customer_id, kind having count(*) > ${most}),
    large as (select customer_id, max(identifiers)::int as identifiers from kinds group by customer_id)
    select l.customer_id, l.identifiers, coalesce((
      select sum(v.report_value_minor) from identifiers i
      join conversions v on v.profile_id = ${profileId} and v.identifier_id = i.id
      where i.profile_id = ${profileId} and i.customer_id = l.customer_id and v.revenue_type = 'cash'
        and v.attribution_eligible and v.day between ${from}::date and ${to}::date), 0)::bigint as value_minor
    from large l
    where not exists (
      select 1 from erased_customers r where r.profile_id = ${profileId} and r.id = l.customer_id)
    order by l.identifiers desc, l.customer_id limit 1000`.execute(db)
  return rows
}

export type DataRequestRow = { id: string; due_on: string; requested_on: string }

/** Unanswered requests of people for their data that are due until a day. */
export async function listDataRequests(
  db: Db | Tx,
  { profileId, until }: { profileId: string; until: string },
): Promise<DataRequestRow[]> {
  const { rows } = await sql<DataRequestRow>`
    select id, due_on, requested_on from customer_data_exports
    where profile_id = ${profileId} and due_on <= ${until}::date
      and (status in ('awaiting_identity', 'pending') or (status = 'ready' and downloads = 0))
    order by due_on, id`.execute(db)
  return rows
}
