/** Reads due deliveries and the current state of their subscriptions in one query, and the people of events in another. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import { contactOf, type PersonContact } from '../../../facts/identity/contact.ts'
import { isAlive } from '../../../facts/identity/members.ts'
import { audience } from '../receivers.ts'
import { MAX_IN_FLIGHT_PER_SUBSCRIPTION, type RecipientProfile } from '../rules.ts'
import type { ProfileTurn } from './lanes.ts'

export type SubscriptionState = {
  url: string
  app_id: string | null
  status: string
  deleted: boolean
  opens_contact: boolean
  consecutive_failures: number
  /** Encrypted, in hex. */
  secret: string
  previous_secret: string | null
  previous_secret_expires_at: string | null
  /** Null once the profile is archived. */
  profile: RecipientProfile | null
}

export type DueRow = {
  subscription_id: string
  id: string
  number: number | null
  event_id: string
  event_type: string
  payload: string
  attempt_count: number
  next_attempt_at: Date
  historical: boolean
}

type Row = ({ subscription: null } & DueRow) | { subscription: SubscriptionState; subscription_id: string }

/** The profile of a query. For a single profile it is a parameter, by which the statement is routed to its node. */
function profileOf(profileIds: readonly string[]): RawBuilder<string> {
  return profileIds.length === 1 ? sql`${profileIds[0]!}` : sql.ref('input.profile_id')
}

/**
 * Each step looks up the rows of the previous step by key, independent of the statistics of a new profile. Everything
 * that differs between queries is passed as rows of one function, whose number and values the planner cannot see, and the
 * maximum per turn is a constant. Otherwise the planner would create a new plan each time, which takes longer than the
 * query itself.
 */
export async function listDue(
  db: Db,
  params: { load: readonly ProfileTurn[]; now: Date },
): Promise<{ subscriptions: Map<string, SubscriptionState>; due: DueRow[] }> {
  const { load, now } = params
  const profileId = profileOf(load.map((part) => part.profileId))
  const turns = load.flatMap((part) =>
    part.turns.map(({ lane, limit, after, open }) => ({
      profile_id: part.profileId,
      id: lane.id,
      most: limit,
      // Behind live deliveries is history, so a position in history is after all of them.
      live_after: after === null ? '-infinity' : after.historical ? 'infinity' : after.dueAt,
      history_after: after?.historical ? after.dueAt : '-infinity',
      after_id: after?.id ?? NO_ID,
      now,
      busy: open,
    })),
  )
  const { rows } = await sql<Row>`
    with input as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(turns)}::jsonb)
        as input(profile_id uuid, id uuid, most integer, live_after timestamptz, history_after timestamptz, after_id uuid,
          now timestamptz, busy uuid[])
      where input.profile_id = ${profileId})
    select s.id as subscription_id, jsonb_build_object('url', s.url, 'app_id', s.app_id, 'status', s.status,
        'deleted', s.deleted_at is not null, 'opens_contact', s.opens_contact,
        'consecutive_failures', s.consecutive_failures, 'secret', encode(s.secret, 'hex'),
        'previous_secret', encode(s.previous_secret, 'hex'),
        'previous_secret_expires_at', s.previous_secret_expires_at,
        'profile', case when p.archived_at is null then ${audience} end) as subscription,
      null::uuid as id, null::bigint as number, null::text as event_id, null::text as event_type, null::text as payload,
      null::integer as attempt_count, null::timestamptz as next_attempt_at, null::boolean as historical
    from input
    join profiles p on p.id = ${profileId} join workspaces w on w.id = p.workspace_id
    cross join lateral (
      select * from webhook_subscriptions s
      where s.profile_id = ${profileId} and s.id = input.id limit 1) as s
    union all
    select due.subscription_id, null, due.id, due.number, due.event_id, due.event_type, due.payload, due.attempt_count,
      due.next_attempt_at, due.historical
    from input
    cross join lateral (
      select * from (${dueOf(profileId, { historical: false })} union all ${dueOf(profileId, { historical: true })}) as next
      order by next.historical, next.next_attempt_at, next.id limit input.most) as due`.execute(db)
  const subscriptions = new Map<string, SubscriptionState>()
  const due: DueRow[] = []
  for (const row of rows)
    if (row.subscription === null) due.push(row)
    else subscriptions.set(row.subscription_id, row.subscription)
  return { subscriptions, due }
}

/** Live deliveries and history are found apart, so that neither is behind many of the other in the index. */
const dueOf = (profileId: RawBuilder<string>, { historical }: { historical: boolean }) => sql`(
  select d.subscription_id, d.id, d.number, d.event_id, d.event_type, d.payload, d.attempt_count, d.next_attempt_at,
    d.historical
  from webhook_deliveries d
  where d.profile_id = ${profileId} and d.subscription_id = input.id and d.status = 'pending'
    and d.historical = ${sql.lit(historical)}
    and (d.next_attempt_at, d.id) > (${sql.ref(historical ? 'input.history_after' : 'input.live_after')}, input.after_id)
    and d.next_attempt_at <= input.now and d.id <> all(input.busy)
  order by d.next_attempt_at, d.id limit ${sql.lit(MAX_IN_FLIGHT_PER_SUBSCRIPTION)})`

const NO_ID = '00000000-0000-0000-0000-000000000000'

export type EventPerson = {
  number: number
  recorded_at: Date
  /** Null after an erasure. */
  customer_id: string | null
  /** Null if it was not requested, or none is stored. */
  contact: Partial<PersonContact> | null
}

export type RequestedOutcomes = { profileId: string; outcomes: ReadonlyMap<number, { open: boolean }> }

/** The current people of the outcomes, by profile and event number; contacts only if requested. */
export async function listEventPeople(
  db: Db,
  params: { load: readonly RequestedOutcomes[] },
): Promise<Map<string, Map<number, EventPerson>>> {
  const load = params.load.filter(({ outcomes }) => outcomes.size > 0)
  if (load.length === 0) return new Map()
  const profileId = profileOf(load.map((part) => part.profileId))
  const requested = load.flatMap((part) =>
    Array.from(part.outcomes, ([number, { open }]) => ({ profile_id: part.profileId, number, open })),
  )
  const { rows } = await sql<EventPerson & { profile_id: string }>`
    with input as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(requested)}::jsonb) as input(profile_id uuid, number bigint, open boolean)
      where input.profile_id = ${profileId})
    select input.profile_id, input.number, event.recorded_at, alive.id as customer_id,
      case when input.open then ${contactOf(profileId, sql.ref('alive.id'))} end as contact
    from input
    cross join lateral (
      select e.customer_id, e.recorded_at from outbox_events e
      where e.profile_id = ${profileId} and e.number = input.number limit 1) as event
    left join lateral (
      select i.customer_id as id from identifiers i
      where i.profile_id = ${profileId} and i.id = event.customer_id
        and ${isAlive(profileId, sql.ref('i.customer_id'))} limit 1) as alive on true`.execute(db)
  return new Map(
    Array.from(
      Map.groupBy(rows, (row) => row.profile_id),
      ([id, people]) => [id, new Map(people.map((row) => [row.number, row]))],
    ),
  )
}
