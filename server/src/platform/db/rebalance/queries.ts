/** Locations and loads of the shards of a Citus database, and moving a shard. */
import type pg from 'pg'
import type { Move, ShardLoad } from './plan.ts'

type Node = { name: string; host: string; port: number; takesShards: boolean }

/** All tables of a profile are on one node and move together, so the shards of one table are enough. */
const ANCHOR = 'profile_locks'

export async function listDataNodes(client: pg.ClientBase): Promise<Node[]> {
  const { rows } = await client.query<{ host: string; port: number; takes_shards: boolean }>(
    `select nodename as host, nodeport as port, shouldhaveshards and isactive as takes_shards
     from pg_dist_node where noderole = 'primary' order by groupid`,
  )
  return rows.map(({ host, port, takes_shards }) => ({
    name: `${host}:${port}`,
    host,
    port,
    takesShards: takes_shards,
  }))
}

/** Counts events that occurred since `since`. */
export async function listShardLoads(client: pg.ClientBase, since: Date): Promise<ShardLoad[]> {
  const { rows: shards } = await client.query<{ id: string; node: string }>(
    `select s.shardid::text as id, n.nodename || ':' || n.nodeport as node
     from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     where s.logicalrelid = $1::regclass order by s.shardminvalue::integer`,
    [ANCHOR],
  )
  const { rows: profiles } = await client.query<{ id: string }>(
    'select id from profiles where archived_at is null',
  )
  const { rows: counts } = await client.query<{ profile_id: string; events: string }>(
    'select profile_id, count(*) as events from events where occurred_at >= $1 group by profile_id',
    [since],
  )
  const events = new Map(counts.map((row) => [row.profile_id, Number(row.events)]))
  const { rows: homes } = await client.query<{ id: string; shard: string }>(
    `select id, get_shard_id_for_distribution_column($1, id)::text as shard from unnest($2::uuid[]) as id`,
    [ANCHOR, profiles.map(({ id }) => id)],
  )
  const byShard = Map.groupBy(homes, ({ shard }) => shard)
  return shards.map(({ id, node }) => {
    const shardProfiles = byShard.get(id) ?? []
    return {
      id,
      node,
      tenants: shardProfiles.length,
      events: shardProfiles.reduce((sum, profile) => sum + (events.get(profile.id) ?? 0), 0),
    }
  })
}

/** Moves a shard online; writes of its profiles wait only during the final switch. */
export async function moveShard(client: pg.ClientBase, nodes: readonly Node[], move: Move): Promise<void> {
  const [from, to] = [move.from, move.to].map((name) => nodes.find((node) => node.name === name)!)
  await client.query("select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, 'auto')", [
    move.shard,
    from!.host,
    from!.port,
    to!.host,
    to!.port,
  ])
}
