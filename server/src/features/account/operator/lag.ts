/** Lag of the service: heartbeat of the workers, and size and age of all queues. */
import { sql } from 'kysely'
import type { Service } from '../../../context.ts'
import type { Db } from '../../../platform/db/database.ts'
import { nodeAnswered } from '../../../platform/db/node-answers.ts'
import type { DataNode } from '../../../platform/db/nodes.ts'
import { onEveryShard } from '../../../platform/db/shards/every-shard.ts'
import type { ServiceLag } from './contract.ts'

/** A delivery that is overdue for longer is stuck. */
export const STUCK_AFTER_SECONDS = 600

type QueueLag = { count: number; oldest: number | null }
type ShardLag = { waiting: QueueLag; quarantined: QueueLag; due: QueueLag; stuck: number }

export async function readLag(service: Pick<Service, 'db' | 'nodes' | 'log'>): Promise<ServiceLag> {
  const [heartbeat, jobs, shards] = await Promise.all([
    readHeartbeat(service.db),
    readJobs(service.db),
    readShards(service),
  ])
  const total = (pick: (lag: ShardLag) => QueueLag) => combine(shards.map(pick))
  const [waiting, quarantined, due] = [
    total((lag) => lag.waiting),
    total((lag) => lag.quarantined),
    total((lag) => lag.due),
  ]
  return {
    worker_heartbeat_age_seconds: heartbeat,
    jobs,
    events: {
      waiting: waiting.count,
      oldest_waiting_age_seconds: waiting.oldest,
      quarantined: quarantined.count,
      oldest_quarantined_age_seconds: quarantined.oldest,
    },
    webhooks: {
      waiting: due.count,
      oldest_waiting_age_seconds: due.oldest,
      stuck: shards.reduce((sum, { stuck }) => sum + stuck, 0),
    },
  }
}

function combine(parts: readonly QueueLag[]): QueueLag {
  const ages = parts.flatMap(({ oldest }) => (oldest === null ? [] : [oldest]))
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    oldest: ages.length === 0 ? null : Math.max(...ages),
  }
}

async function readHeartbeat(db: Db): Promise<number | null> {
  const { rows } = await sql<{ age: number | null }>`
    select extract(epoch from clock_timestamp() - max(worker_seen_at))::float8 as age
    from service_processes`.execute(db)
  return rows[0]?.age ?? null
}

async function readJobs(db: Db): Promise<ServiceLag['jobs']> {
  const { rows } = await sql<{ state: string; count: number; age: number | null }>`
    select state, count(*)::int as count,
      extract(epoch from clock_timestamp() - min(case state when 'dead' then died_at else run_at end))::float8 as age
    from jobs group by state`.execute(db)
  const rowFor = (state: string) => rows.find((row) => row.state === state)
  const ageOf = (state: string) => atLeastZero(rowFor(state)?.age ?? null)
  return {
    ready: rowFor('ready')?.count ?? 0,
    running: rowFor('running')?.count ?? 0,
    scheduled: rowFor('scheduled')?.count ?? 0,
    dead: rowFor('dead')?.count ?? 0,
    oldest_ready_age_seconds: ageOf('ready'),
    oldest_dead_age_seconds: ageOf('dead'),
  }
}

/** The clock of the process that wrote the time may be ahead of the database's. */
function atLeastZero(age: number | null): number | null {
  return age === null ? null : Math.max(0, age)
}

/** Skips nodes that do not respond instead of waiting for them. */
async function readShards({ nodes, log }: Pick<Service, 'nodes' | 'log'>): Promise<ShardLag[]> {
  const shards: ShardLag[] = []
  const isUp = (node: DataNode) => !nodes.isDistributed || nodeAnswered(node)
  await onEveryShard(
    { ...nodes, parts: () => nodes.parts().filter(({ node }) => isUp(node)) },
    async (db) => {
      shards.push(await readShard(db))
    },
    (error, node) =>
      log.warn('queues of a node not read; omitted from the status', { node: node.name, error }),
  )
  return shards
}

async function readShard(db: Db): Promise<ShardLag> {
  const [waiting, quarantined, due] = [await readWaiting(db), await readQuarantined(db), await readDue(db)]
  return { waiting, quarantined, due, stuck: due.stuck }
}

/** A version 7 queue id starts with the time of receipt; other versions are reprocessed events. */
async function readWaiting(db: Db): Promise<QueueLag> {
  const { rows } = await sql<{ count: number; first: string | null }>`
    select count(*)::int as count, min(id::text) filter (where substr(id::text, 15, 1) = '7') as first
    from event_queue`.execute(db)
  const { count = 0, first = null } = rows[0] ?? {}
  if (first === null) return { count, oldest: null }
  const receivedMs = Number.parseInt(first.slice(0, 8) + first.slice(9, 13), 16)
  return { count, oldest: atLeastZero((Date.now() - receivedMs) / 1000) }
}

async function readQuarantined(db: Db): Promise<QueueLag> {
  const { rows } = await sql<QueueLag>`
    select count(*)::int as count, extract(epoch from now() - min(set_aside_at))::float8 as oldest
    from event_quarantine where dropped_at is null`.execute(db)
  return { count: rows[0]?.count ?? 0, oldest: atLeastZero(rows[0]?.oldest ?? null) }
}

async function readDue(db: Db): Promise<QueueLag & { stuck: number }> {
  const { rows } = await sql<QueueLag & { stuck: number }>`
    select count(*)::int as count, extract(epoch from now() - min(d.next_attempt_at))::float8 as oldest,
      (count(*) filter (where d.next_attempt_at < now() - ${STUCK_AFTER_SECONDS}::int * interval '1 second'))::int as stuck
    from webhook_deliveries d
    join webhook_subscriptions s on s.profile_id = d.profile_id and s.id = d.subscription_id
    where d.status = 'pending'
      and d.next_attempt_at <= now() and s.status = 'active' and s.deleted_at is null`.execute(db)
  const { count = 0, oldest = null, stuck = 0 } = rows[0] ?? {}
  return { count, oldest: atLeastZero(oldest), stuck }
}
