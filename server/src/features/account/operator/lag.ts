/** How far behind the service is: heartbeat of the workers, and count and age of everything that waits. */
import { sql } from 'kysely'
import type { Service } from '../../../context.ts'
import type { Db } from '../../../platform/db/database.ts'
import { nodeAnswered } from '../../../platform/db/node-answers.ts'
import type { DataNode } from '../../../platform/db/nodes.ts'
import { onEveryShard } from '../../../platform/db/shards/every-shard.ts'
import type { ServiceLag } from './contract.ts'

/** A delivery that is due for longer than this is stuck. */
export const STUCK_AFTER_SECONDS = 600

type Part = { count: number; oldest: number | null }
type ShardLag = { waiting: Part; quarantined: Part; due: Part; stuck: number }

export async function readLag(service: Pick<Service, 'db' | 'nodes' | 'log'>): Promise<ServiceLag> {
  const [heartbeat, jobs, shards] = await Promise.all([
    readHeartbeat(service.db),
    readJobs(service.db),
    readShards(service),
  ])
  const all = (pick: (lag: ShardLag) => Part) => sumOf(shards.map(pick))
  const [waiting, quarantined, due] = [
    all((lag) => lag.waiting),
    all((lag) => lag.quarantined),
    all((lag) => lag.due),
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

function sumOf(parts: readonly Part[]): Part {
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
  const of = (state: string) => rows.find((row) => row.state === state)
  const ageOf = (state: string) => atLeastZero(of(state)?.age ?? null)
  return {
    ready: of('ready')?.count ?? 0,
    running: of('running')?.count ?? 0,
    scheduled: of('scheduled')?.count ?? 0,
    dead: of('dead')?.count ?? 0,
    oldest_ready_age_seconds: ageOf('ready'),
    oldest_dead_age_seconds: ageOf('dead'),
  }
}

/** Clocks of the processes that wrote the times may be ahead of the database's. */
function atLeastZero(age: number | null): number | null {
  return age === null ? null : Math.max(0, age)
}

/** A node that does not answer is left out, instead of waited for. */
async function readShards({ nodes, log }: Pick<Service, 'nodes' | 'log'>): Promise<ShardLag[]> {
  const shards: ShardLag[] = []
  const isUp = (node: DataNode) => !nodes.isDistributed || nodeAnswered(node)
  await onEveryShard(
    { ...nodes, parts: () => nodes.parts().filter(({ node }) => isUp(node)) },
    async (db) => {
      shards.push(await readShard(db))
    },
    (error, node) => log.warn('queues of a node not read', { node: node.name, error }),
  )
  return shards
}

async function readShard(db: Db): Promise<ShardLag> {
  const [waiting, quarantined, due] = [await readWaiting(db), await readQuarantined(db), await readDue(db)]
  return { waiting, quarantined, due, stuck: due.stuck }
}

/** A queue id of version 7 begins with the time of receipt; other versions are events that are read again. */
async function readWaiting(db: Db): Promise<Part> {
  const { rows } = await sql<{ count: number; first: string | null }>`
    select count(*)::int as count, min(id::text) filter (where substr(id::text, 15, 1) = '7') as first
    from event_queue`.execute(db)
  const { count = 0, first = null } = rows[0] ?? {}
  if (first === null) return { count, oldest: null }
  const receivedMs = Number.parseInt(first.slice(0, 8) + first.slice(9, 13), 16)
  return { count, oldest: atLeastZero((Date.now() - receivedMs) / 1000) }
}

async function readQuarantined(db: Db): Promise<Part> {
  const { rows } = await sql<Part>`
    select count(*)::int as count, extract(epoch from now() - min(set_aside_at))::float8 as oldest
    from event_quarantine where dropped_at is null`.execute(db)
  return { count: rows[0]?.count ?? 0, oldest: atLeastZero(rows[0]?.oldest ?? null) }
}

async function readDue(db: Db): Promise<Part & { stuck: number }> {
  const { rows } = await sql<Part & { stuck: number }>`
    select count(*)::int as count, extract(epoch from now() - min(d.next_attempt_at))::float8 as oldest,
      (count(*) filter (where d.next_attempt_at < now() - ${STUCK_AFTER_SECONDS}::int * interval '1 second'))::int as stuck
    from webhook_deliveries d
    join webhook_subscriptions s on s.profile_id = d.profile_id and s.id = d.subscription_id
    where d.status = 'pending'
      and d.next_attempt_at <= now() and s.status = 'active' and s.deleted_at is null`.execute(db)
  const { count = 0, oldest = null, stuck = 0 } = rows[0] ?? {}
  return { count, oldest: atLeastZero(oldest), stuck }
}
