/** Lists, retries and drops the three kinds of problems that need an operator. */
import { sql } from 'kysely'
import type { Service } from '../../../context.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { onEveryShard } from '../../../platform/db/shards/every-shard.ts'
import { SERVICE_PROFILE } from '../../../platform/jobs/enqueue.ts'
import { redact } from '../../../platform/redact.ts'
import { liftQuarantine } from '../../facts/events/quarantine.ts'
import { enqueueEvents } from '../../facts/events/queue.ts'
import { wakeQueues } from '../../outgoing/webhooks/delivery/queues.ts'
import type { ProblemKind } from './contract.ts'
import { STUCK_AFTER_SECONDS } from './lag.ts'

export type ProblemRow = {
  id: string
  profile_id: string | null
  what: string
  reason: string | null
  attempts: number | null
  since: Date
  detail: Record<string, unknown>
}

export type Filter = { limit: number; profileId?: string | undefined; id?: string | undefined }

/** `retry` and `drop` return false if the problem no longer exists. */
type Source = {
  list(service: Pick<Service, 'db' | 'nodes' | 'log'>, filter: Filter): Promise<ProblemRow[]>
  retry(tx: Tx, row: ProblemRow, now: Date): Promise<boolean>
  drop(tx: Tx, row: ProblemRow, now: Date): Promise<boolean>
}

const idWithoutProfile = (row: ProblemRow) => row.id.split('.').at(-1)!

const deadJobs: Source = {
  async list({ db }, { limit, profileId = null, id = null }) {
    const { rows } = await sql<ProblemRow & { payload: unknown; created_at: Date }>`
      select id, profile_id, name as what, last_error as reason, attempts, died_at as since, payload, created_at
      from jobs where state = 'dead' and (${profileId}::uuid is null or profile_id = ${profileId}::uuid)
        and (${id}::uuid is null or id = ${id}::uuid)
      order by died_at, id limit ${limit}`.execute(db)
    return rows.map(({ payload, created_at: createdAt, ...row }) => ({
      ...row,
      profile_id: row.profile_id === SERVICE_PROFILE ? null : row.profile_id,
      detail: { payload: redact(JSON.stringify(payload)), created_at: createdAt.toISOString() },
    }))
  },
  async retry(tx, row) {
    const { rows } = await sql`
      update jobs set state = 'ready', attempts = 0, died_at = null
      where id = ${row.id}::uuid and state = 'dead' returning id`.execute(tx)
    return rows.length > 0
  },
  async drop(tx, row) {
    const { rows } = await sql`
      delete from jobs where id = ${row.id}::uuid and state = 'dead' returning id`.execute(tx)
    return rows.length > 0
  },
}

const quarantinedEvents: Source = {
  list: (service, filter) =>
    onShards(service, filter, async (db, profileId, id) => {
      const { rows } = await sql<ProblemRow & { occurred_at: Date | null }>`
        select q.profile_id || '.' || q.event_id as id, q.profile_id, coalesce(e.name, 'event') as what,
          concat_ws(': ', q.reason, q.detail) as reason, null::int as attempts, q.set_aside_at as since, k.occurred_at
        from event_quarantine q
        left join event_keys k on k.profile_id = q.profile_id and k.event_id = q.event_id
        left join events e on e.profile_id = k.profile_id and e.occurred_at = k.occurred_at and e.id = k.event_id
        where q.dropped_at is null and (${profileId}::uuid is null or q.profile_id = ${profileId}::uuid)
          and (${id}::uuid is null or q.event_id = ${id}::uuid)
        order by q.set_aside_at, q.event_id limit ${filter.limit}`.execute(db)
      return rows.map(({ occurred_at: occurredAt, ...row }) => ({
        ...row,
        detail: {
          event_id: idWithoutProfile(row as ProblemRow),
          occurred_at: occurredAt?.toISOString() ?? null,
        },
      }))
    }),
  async retry(tx, row) {
    const params = { profileId: row.profile_id!, eventIds: [idWithoutProfile(row)] }
    const lifted = await liftQuarantine(tx, params)
    if (lifted.size === 0) return false
    await enqueueEvents(tx, { ...params, cause: 'repair' })
    return true
  },
  async drop(tx, row, now) {
    const { rows } = await sql`
      update event_quarantine set dropped_at = ${now}
      where profile_id = ${row.profile_id}::uuid and event_id = ${idWithoutProfile(row)}::uuid and dropped_at is null
      returning event_id`.execute(tx)
    return rows.length > 0
  },
}

const stuckDeliveries: Source = {
  list: (service, filter) =>
    onShards(service, filter, async (db, profileId, id) => {
      const { rows } = await sql<ProblemRow & Delivery>`
        select d.profile_id || '.' || d.id as id, d.profile_id, d.event_type as what, null::text as reason,
          d.attempt_count as attempts, d.next_attempt_at as since, d.subscription_id, d.event_id,
          d.attempts -> -1 ->> 'response_status' as last_status
        from webhook_deliveries d
        join webhook_subscriptions s on s.profile_id = d.profile_id and s.id = d.subscription_id
        where d.status = 'pending' and s.status = 'active' and s.deleted_at is null
          and d.next_attempt_at < now() - ${STUCK_AFTER_SECONDS}::int * interval '1 second'
          and (${profileId}::uuid is null or d.profile_id = ${profileId}::uuid)
          and (${id}::uuid is null or d.id = ${id}::uuid)
        order by d.next_attempt_at, d.id limit ${filter.limit}`.execute(db)
      return rows.map(({ subscription_id, event_id, last_status, ...row }) => ({
        ...row,
        reason: last_status === null ? 'not attempted since it was due' : `last response ${last_status}`,
        detail: { subscription_id, event_id, last_status },
      }))
    }),
  async retry(tx, row, now) {
    const { rows } = await sql<{ subscription_id: string }>`
      update webhook_deliveries set next_attempt_at = ${now}
      where profile_id = ${row.profile_id}::uuid and id = ${idWithoutProfile(row)}::uuid and status = 'pending'
      returning subscription_id`.execute(tx)
    if (rows.length === 0) return false
    await wakeQueues(tx, row.profile_id!, [rows[0]!.subscription_id], now)
    return true
  },
  async drop(tx, row, now) {
    const { rows } = await sql`
      update webhook_deliveries set status = 'cancelled', status_reason = 'dropped_by_operator',
        next_attempt_at = null, settled_at = ${now}
      where profile_id = ${row.profile_id}::uuid and id = ${idWithoutProfile(row)}::uuid and status = 'pending'
      returning id`.execute(tx)
    return rows.length > 0
  },
}

type Delivery = { subscription_id: string; event_id: string; last_status: string | null }

export const problemSources: Record<ProblemKind, Source> = {
  'dead-jobs': deadJobs,
  'quarantined-events': quarantinedEvents,
  'stuck-deliveries': stuckDeliveries,
}

/** Oldest first over all shards. With `id` (`<profile id>.<id>`), only that profile's row matches. */
async function onShards(
  { nodes, log }: Pick<Service, 'nodes' | 'log'>,
  filter: Filter,
  read: (db: Db, profileId: string | null, id: string | null) => Promise<ProblemRow[]>,
): Promise<ProblemRow[]> {
  const [profileIdOfId, id = null] = filter.id?.split('.') ?? []
  const problems: ProblemRow[] = []
  await onEveryShard(
    nodes,
    async (db) => void problems.push(...(await read(db, profileIdOfId ?? filter.profileId ?? null, id))),
    (error, node) =>
      log.warn('problems of a node not read; omitted from the list', { node: node.name, error }),
  )
  return problems.sort((a, b) => a.since.getTime() - b.since.getTime()).slice(0, filter.limit)
}
