/**
 * The newest grant and refusal of each purpose, by identifier, so that statements follow merges and their undo. A later
 * statement is kept whatever the order in which events arrive. Writers hold the profile's lock.
 */
import { type RawBuilder, sql } from 'kysely'
import { instants, texts, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { anchoredProfileId, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import type { StoredEvent } from '../events/stored.ts'
import { membersOf } from '../identity/members.ts'
import {
  type Consent,
  type ConsentSource,
  laterOf,
  noConsent,
  type Purpose,
  type Statement,
  statementsOf,
} from './rules.ts'

export async function saveStatements(
  tx: Tx,
  profileId: string,
  statements: readonly Statement[],
): Promise<void> {
  const latest = new Map<string, Statement>()
  for (const row of statements) {
    const key = `${row.identifierId} ${row.purpose} ${row.state}`
    latest.set(key, laterOf(latest.get(key) ?? null, row)!)
  }
  const rows = [...latest.values()]
  if (rows.length === 0) return
  await sql`
    insert into ad_consents (profile_id, identifier_id, purpose, state, source, stated_at, event_id)
    select ${anchoredProfileId(tx, profileId)}, k.identifier_id, k.purpose, k.state, k.source, k.stated_at, k.event_id
    from unnest(${uuids(rows, (row) => row.identifierId)}::uuid[], ${texts(rows, (row) => row.purpose)}::text[],
      ${texts(rows, (row) => row.state)}::text[], ${texts(rows, (row) => row.source)}::text[],
      ${instants(rows, (row) => row.statedAt)}::timestamptz[], ${uuids(rows, (row) => row.eventId)}::uuid[])
      as k(identifier_id, purpose, state, source, stated_at, event_id) ${joinAnchor(tx, profileId)}
    on conflict (profile_id, identifier_id, purpose, state) do update
      set source = excluded.source, stated_at = excluded.stated_at, event_id = excluded.event_id
      where ad_consents.stated_at < excluded.stated_at`.execute(tx)
}

/**
 * Removes what earlier versions of events stated: grants, and refusals that the new version turns into a grant. Other
 * refusals stay, because the refusal before them is no longer known.
 */
export async function withdrawStatements(
  tx: Tx,
  profileId: string,
  earlier: { eventIds: readonly string[]; identifierIds: readonly string[]; current: readonly Statement[] },
): Promise<void> {
  if (earlier.eventIds.length === 0) return
  const granted = earlier.current.filter((row) => row.state === 'granted')
  await sql`
    delete from ad_consents c
    where c.profile_id = ${profileId} and c.identifier_id = any(${uuidList(earlier.identifierIds)}::uuid[])
      and c.event_id = any(${uuidList(earlier.eventIds)}::uuid[])
      and (c.state = 'granted' or exists (
        select 1 from unnest(${uuids(granted, (row) => row.eventId)}::uuid[],
          ${texts(granted, (row) => row.purpose)}::text[]) as k(event_id, purpose)
        where k.event_id = c.event_id and k.purpose = c.purpose))`.execute(tx)
}

type ConsentRow = {
  customer_id: string
  purpose: Purpose
  state: 'granted' | 'denied'
  source: ConsentSource
  stated_at: Date
}

/** The newest statement of each customer over all identifiers. Customers who stated nothing are absent. */
export async function loadConsents(
  db: Db | Tx,
  { profileId, customerIds }: { profileId: string; customerIds: readonly string[] },
): Promise<Map<string, Consent>> {
  if (customerIds.length === 0) return new Map()
  const { rows } = await sql<ConsentRow>`
    select m.customer_id, stated.* from ${membersOrSelf(profileId, customerIds)} as m
    cross join lateral (
      select purpose, state, source, stated_at from ad_consents
      where profile_id = ${profileId} and identifier_id = m.id offset 0) as stated`.execute(db)
  const consents = new Map<string, Consent>()
  for (const row of rows) {
    const before = consents.get(row.customer_id) ?? noConsent
    const stated = { state: row.state, source: row.source, statedAt: row.stated_at }
    consents.set(row.customer_id, { ...before, [row.purpose]: laterOf(before[row.purpose], stated) })
  }
  return consents
}

/** The identifiers of these customers, and their own ids: a refusal may precede the first row of `identifiers`. */
const membersOrSelf = (profileId: string, customerIds: readonly string[]): RawBuilder<unknown> => sql`(
  select id, id as customer_id from unnest(${uuidList(customerIds)}::uuid[]) as own(id)
  union
  select id, customer_id from ${membersOf(profileId, customerIds, [])} as members)`

/** SQL condition: the newest statement of the customer about one of the purposes is a refusal. */
export const isCustomerRefused = (
  profileId: RawBuilder<unknown>,
  customerId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select 1 from (
    select c.purpose, max(c.stated_at) filter (where c.state = 'denied') as denied_at,
      max(c.stated_at) filter (where c.state = 'granted') as granted_at
    from (
      select ${customerId} as id
      union all
      select i.id from identifiers i
      where i.profile_id = ${profileId} and i.customer_id = ${customerId} and i.customer_id <> i.id) as member
    join ad_consents c on c.profile_id = ${profileId} and c.identifier_id = member.id
    group by c.purpose) as stated
  where denied_at is not null and (granted_at is null or denied_at >= granted_at))`

export type ConsentCursor = { at: string; id: string }

/** Statements of the next `limit` stored events after a cursor; `last` is null at the end. */
export async function readStatements(
  tx: Tx,
  params: { profileId: string; after: ConsentCursor | null; limit: number },
): Promise<{ statements: Statement[]; last: ConsentCursor | null }> {
  const { profileId, after, limit } = params
  const beyond =
    after === null ? sql`` : sql`and (occurred_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<{ id: string; occurredAt: Date; time: string; event: StoredEvent | null }>`
    select id, occurred_at as "occurredAt", occurred_at::text as time,
      case when not is_bot and not body ? 'erased_as' and (body->'properties' ? 'consent' or body ? 'consent_signals') then
        jsonb_build_object('source', source, 'body', jsonb_build_object('identifiers', body->'identifiers',
          'properties', jsonb_build_object('consent', body->'properties'->'consent'),
          'consent_signals', body->'consent_signals')) end as event
    from events where profile_id = ${profileId} ${beyond} order by occurred_at, id limit ${limit}`.execute(tx)
  const last = rows.length < limit ? undefined : rows.at(-1)
  return {
    statements: rows.flatMap(({ id, occurredAt, event }) =>
      event === null ? [] : statementsOf({ ...event, id, isBot: false, occurredAt }),
    ),
    last: last === undefined ? null : { at: last.time, id: last.id },
  }
}
