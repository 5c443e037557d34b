/** What is due, and how its subscriptions stand at this moment, in one question. */
import { sql } from 'kysely'
import { type Db, plainArray } from '../../db/database.ts'
import { isAlive } from '../identity/members.ts'
import { audience } from './audience.ts'
import type { Turn } from './lanes.ts'
import type { ToldProfile } from './rules.ts'

export type Standing = {
  url: string
  app_id: string | null
  status: string
  deleted: boolean
  opens_contact: boolean
  consecutive_failures: number
  /** Sealed, in hex. */
  secret: string
  previous_secret: string | null
  previous_secret_expires_at: string | null
  /** Null once the profile is archived. */
  profile: ToldProfile | null
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
  recorded_at: Date
  /** Of an outcome: an identifier of the person, null once they are erased. */
  person_id: string | null
}

type Row = ({ standing: null } & DueRow) | { standing: Standing; subscription_id: string }

/** Each step looks up the rows of the step before by their keys, whatever the statistics say of a new profile. */
export async function listDue(
  db: Db,
  params: { profileId: string; turns: readonly Turn[]; now: Date },
): Promise<{ standings: Map<string, Standing>; due: DueRow[] }> {
  const { profileId, turns, now } = params
  const ids = plainArray(turns.map(({ lane }) => lane.id))
  const { rows } = await sql<Row>`
    select s.id as subscription_id, jsonb_build_object('url', s.url, 'app_id', s.app_id, 'status', s.status,
        'deleted', s.deleted_at is not null, 'opens_contact', s.opens_contact,
        'consecutive_failures', s.consecutive_failures, 'secret', encode(s.secret, 'hex'),
        'previous_secret', encode(s.previous_secret, 'hex'),
        'previous_secret_expires_at', s.previous_secret_expires_at,
        'profile', case when p.archived_at is null then ${audience} end) as standing,
      null::uuid as id, null::bigint as number, null::text as event_id, null::text as event_type, null::text as payload,
      null::integer as attempt_count, null::timestamptz as next_attempt_at, null::timestamptz as recorded_at,
      null::uuid as person_id
    from webhook_subscriptions s join profiles p on p.id = ${profileId} join workspaces w on w.id = p.workspace_id
    where s.profile_id = ${profileId} and s.id = any(${ids}::uuid[])
    union all
    select due.subscription_id, null, due.id, due.number, due.event_id, due.event_type, due.payload, due.attempt_count,
      due.next_attempt_at, due.recorded_at, case when alive.customer_id is not null then told.customer_id end
    from unnest(${ids}::uuid[], ${plainArray(turns.map(({ limit }) => limit))}::integer[],
      ${plainArray(turns.map(({ after }) => after?.dueAt.toISOString() ?? '-infinity'))}::timestamptz[],
      ${plainArray(turns.map(({ after }) => after?.id ?? NO_ID))}::uuid[]) as asked(id, most, after_at, after_id)
    cross join lateral (
      select d.subscription_id, d.id, d.number, d.event_id, d.event_type, d.payload, d.attempt_count, d.next_attempt_at,
        d.recorded_at
      from webhook_deliveries d
      where d.profile_id = ${profileId} and d.subscription_id = asked.id and d.status = 'pending'
        and (d.next_attempt_at, d.id) > (asked.after_at, asked.after_id)
        and d.next_attempt_at <= ${now} and d.id <> all(${plainArray(turns.flatMap(({ busy }) => busy))}::uuid[])
      order by d.next_attempt_at, d.id limit asked.most) as due
    left join lateral (
      select e.customer_id from outbox_events e
      where e.profile_id = ${profileId} and e.number = due.number and due.event_type = 'outcome.recorded'
      limit 1) as told on true
    left join lateral (
      select i.customer_id from identifiers i
      where i.profile_id = ${profileId} and i.id = told.customer_id
        and ${isAlive(profileId, sql.ref('i.customer_id'))} limit 1) as alive on true`.execute(db)
  const standings = new Map<string, Standing>()
  const due: DueRow[] = []
  for (const row of rows)
    if (row.standing === null) due.push(row)
    else standings.set(row.subscription_id, row.standing)
  return { standings, due }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
