/**
 * Maps profiles to database nodes. On Citus any node can run any query, but a query is cheapest on the node with
 * the profile's shard, because no other node takes part. So each node has its own connection pool, and work of a
 * profile goes to its node; other work goes to the coordinator. Without Citus there is one node.
 */
import { type RawBuilder, sql } from 'kysely'
import { BoundedCache } from '../bounded-cache.ts'
import { type Db, isShard, type OpenDatabase, openDatabase, poolOf, withTimeLimit } from './database.ts'
import type { ShardTables } from './shards/address.ts'
import { readingCopies } from './shards/copies.ts'
import { openShard } from './shards/own-shard.ts'
import { listShardTables } from './shards/shard-tables.ts'

export type DataNode = {
  name: string
  /** With the statement timeout of requests. */
  db: Db
  backgroundDb: Db
  /** Ids of the shards on this node per table, in the same order for all tables; null if tables are not distributed. */
  shards: ReadonlyMap<string, readonly string[]> | null
}

/** `backgroundDb` is for background work, `slowDb` for slow requests. */
export type ProfileShard = { db: Db; slowDb: Db; backgroundDb: Db }

/** The profiles of one shard. Its database rejects statements that need more than that shard. */
export type DataPart = { node: DataNode; db: Db }

export type Nodes = {
  isDistributed: boolean
  /** For data that belongs to no profile. */
  main: DataNode
  of(profileId: string): DataNode | Promise<DataNode>
  /** The name of the profile's node, if cached; it is after a call of `of`. */
  nameOf(profileId: string): string
  /** For data of this profile only: uses the tables of its shard directly, without Citus' planner. */
  shardOf(profileId: string): ProfileShard | Promise<ProfileShard>
  /** Parts that together cover all profiles, for background work (`shards/every-shard.ts`). */
  parts(): readonly DataPart[]
  list(): readonly DataNode[]
  /** Reloads the locations of the shards. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Tables polled for work on each node; the first locates a profile. */
const polledTables = ['profile_locks', 'event_queue', 'outbox_counters', 'webhook_fanouts'] as const
type PolledTable = (typeof polledTables)[number]

const REFRESH_MS = 5000
const MAX_CACHED_HASHES = 100_000
const MAX_PAUSE_MS = 5000
const FAN_OUT_AND_SENDER_CONNECTIONS = 4
/**
 * On a new connection the first batch of a shard costs four times as much as later ones, the next five half as much
 * again.
 */
const BACKGROUND_IDLE_MS = 600_000

export function oneNode(db: Db, backgroundDb = db): Nodes {
  const node: DataNode = { name: 'database', db, backgroundDb, shards: null }
  const all = [node]
  const shard = { db, slowDb: backgroundDb, backgroundDb }
  const parts = [{ node, db: backgroundDb }]
  return {
    isDistributed: false,
    main: node,
    of: () => node,
    nameOf: () => node.name,
    shardOf: () => shard,
    parts: () => parts,
    list: () => all,
    refresh: async () => {},
    close: async () => {},
  }
}

const distributed = new WeakSet<object>()

/** Whether the tables of this database or transaction are distributed. */
export function isDistributed(db: Parameters<typeof poolOf>[0]): boolean {
  return distributed.has(poolOf(db)) && !isShard(db)
}

type Placement = {
  table: PolledTable
  shard: string
  low: number
  group_id: number
  host: string
  port: number
}
type OpenShard = ProfileShard & { part: DataPart }
type ShardRange = { low: number; node: DataNode; shard: OpenShard }

/** `backgroundDb` connects to the coordinator, if there is one. */
export async function openNodes(
  backgroundDb: Db,
  options: { limitMs: number; isDirect: boolean; processing?: number; onError(error: unknown): void },
): Promise<Nodes> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(backgroundDb)
  if (rows.length === 0) return oneNode(withTimeLimit(backgroundDb, options.limitMs), backgroundDb)
  distributed.add(poolOf(backgroundDb))
  let tables = await listShardTables(backgroundDb)
  const toNode = (name: string, db: Db, copies: ShardTables): DataNode => ({
    name,
    db: readingCopies(db, copies, options.limitMs),
    backgroundDb: readingCopies(db, copies),
    shards: null,
  })
  const first = toNode('coordinator', backgroundDb, tables.coordinator)
  const viaCoordinator = { db: first.db, slowDb: first.backgroundDb, backgroundDb: first.backgroundDb }
  const wholeCoordinator = { node: first, db: first.backgroundDb }
  const opened = new Map<string, OpenDatabase & { node: DataNode }>()
  const hashes = new BoundedCache<string, number>(MAX_CACHED_HASHES)
  const shards = new Map<string, OpenShard>()
  const background = new Map<DataNode, OpenDatabase>()
  let ranges: ShardRange[] = []
  let nodes: DataNode[] = [first]

  function nodeAt(host: string, port: number): DataNode {
    const name = `${host}:${port}`
    const existing = opened.get(name)
    if (existing !== undefined) return existing.node
    const database = openDatabase(addressedTo(poolOf(backgroundDb).options, host, port))
    distributed.add(database.pool)
    const node = toNode(name, database.db, tables.worker)
    opened.set(name, { ...database, node })
    return node
  }

  /** A separate, small pool for background work: each connection has to plan the statements of each shard. */
  function openBackground(node: DataNode): Db {
    const existing = background.get(node)
    if (existing !== undefined) return existing.db
    const max = (options.processing ?? 2) + FAN_OUT_AND_SENDER_CONNECTIONS
    const database = openDatabase({
      ...poolOf(node.backgroundDb).options,
      max,
      idleTimeoutMillis: BACKGROUND_IDLE_MS,
    })
    distributed.add(database.pool)
    background.set(node, database)
    return database.db
  }

  function shardAt(node: DataNode, id: string): OpenShard {
    const name = `${node.name} ${id}`
    const existing = shards.get(name)
    if (existing !== undefined) return existing
    const target = { id, tables: tables.shards.get(id) ?? new Map(), onMoved }
    const shard = {
      db: openShard(node.backgroundDb, target, { limitMs: options.limitMs }),
      slowDb: openShard(node.backgroundDb, target),
      backgroundDb: openShard(openBackground(node), target),
      part: { node, db: openShard(openBackground(node), target, { isAlone: true }) },
    }
    shards.set(name, shard)
    return shard
  }

  function onMoved(): void {
    refresh().catch(options.onError)
  }

  async function refresh(): Promise<void> {
    const placements = await listPlacements(backgroundDb)
    const placementsByNode = Map.groupBy(placements, ({ group_id, host, port }) =>
      group_id === 0 ? first : nodeAt(host, port),
    )
    for (const [node, nodePlacements] of placementsByNode) node.shards = shardsByTable(nodePlacements)
    nodes = [...placementsByNode.keys()]
    const homes = placements.filter(({ table }) => table === polledTables[0])
    // Shards were split.
    if (homes.some(({ shard }) => !tables.shards.has(shard))) tables = await listShardTables(backgroundDb)
    ranges = homes.map(({ low, shard, group_id, host, port }) => {
      const node = group_id === 0 ? first : nodeAt(host, port)
      return { low, node, shard: shardAt(node, shard) }
    })
    for (const [name, database] of opened) {
      if (placementsByNode.has(database.node)) continue
      opened.delete(name)
      for (const key of shards.keys()) if (key.startsWith(`${name} `)) shards.delete(key)
      await background.get(database.node)?.close()
      background.delete(database.node)
      await database.close()
    }
  }

  async function loadHash(profileId: string): Promise<number> {
    const { rows } = await sql<{ hash: number }>`select worker_hash(${profileId}::uuid) as hash`.execute(
      first.db,
    )
    hashes.set(profileId, rows[0]!.hash)
    return rows[0]!.hash
  }

  const rangeOf = (hash: number) => ranges.findLast(({ low }) => low <= hash)

  /** Reads from the profile's shard range, after loading its hash if needed. */
  function find<T>(profileId: string, read: (range: ShardRange | undefined) => T): T | Promise<T> {
    const readRange = (hash: number) => read(rangeOf(hash))
    const hash = hashes.get(profileId)
    return hash === undefined ? loadHash(profileId).then(readRange) : readRange(hash)
  }

  await refresh()
  const timer = setInterval(() => {
    refresh().catch(options.onError)
  }, REFRESH_MS)
  timer.unref()
  return {
    isDistributed: true,
    main: first,
    of: (profileId) => (options.isDirect ? find(profileId, (range) => range?.node ?? first) : first),
    nameOf(profileId) {
      const hash = options.isDirect ? hashes.get(profileId) : undefined
      return hash === undefined ? first.name : (rangeOf(hash)?.node ?? first).name
    },
    shardOf: (profileId) =>
      options.isDirect ? find(profileId, (range) => range?.shard ?? viaCoordinator) : viaCoordinator,
    parts: () => (options.isDirect ? ranges.map(({ shard }) => shard.part) : [wholeCoordinator]),
    list: () => nodes,
    refresh,
    async close() {
      clearInterval(timer)
      for (const database of [...background.values(), ...opened.values()]) await database.close()
    },
  }
}

async function listPlacements(db: Db): Promise<Placement[]> {
  const { rows } = await sql<Placement>`
    select s.logicalrelid::regclass::text as table, s.shardid::text as shard, s.shardminvalue::integer as low,
      n.groupid as group_id, n.nodename as host, n.nodeport as port
    from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.logicalrelid::regclass::text = any(${polledTables}::text[])
    order by s.shardminvalue::integer`.execute(db)
  return rows
}

function shardsByTable(placements: readonly Placement[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { table, shard } of placements) ids.set(table, [...(ids.get(table) ?? []), shard])
  return ids
}

type Options = Parameters<typeof openDatabase>[0]

/** The same login to the same database of another server. */
function addressedTo(options: Options, host: string, port: number): Options {
  if (options.connectionString === undefined) return { ...options, host, port }
  const url = new URL(options.connectionString)
  url.hostname = host
  url.port = String(port)
  return { ...options, connectionString: url.href }
}

/**
 * A query over all profiles of a node: runs on its shards, or on the tables if these are not distributed. On the
 * distributed tables it would involve every node, and fail while any of them is down.
 */
export function acrossProfiles<Row>(
  node: DataNode,
  question: (table: (name: PolledTable) => RawBuilder<unknown>) => RawBuilder<Row>,
): RawBuilder<Row> {
  const { shards } = node
  if (shards === null) return question((name) => sql.table(name))
  const count = shards.get(polledTables[0])?.length ?? 0
  const parts = Array.from({ length: count }, (_, index) => {
    const part = question((name) => sql.table(`${name}_${shards.get(name)![index]}`))
    return sql`(${part})`
  })
  return sql<Row>`${sql.join(parts, sql` union all `)}`
}

/**
 * On a distributed database polling for other processes' work is this much slower; own work wakes a process
 * directly.
 */
const DISTRIBUTED_POLL_FACTOR = 5

/**
 * Polls every node independently: a node that is down is retried with backoff, while the others are polled as usual.
 */
export function pollNodes(
  nodes: Nodes,
  everyMs: number,
  poll: (node: DataNode) => Promise<void>,
  onError: (error: unknown, node: DataNode) => void,
): { start(): void; stop(): void } {
  const unavailable = new Map<string, { failures: number; until: number }>()
  const polling = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function pollNode(node: DataNode): Promise<void> {
    if (polling.has(node.name) || (unavailable.get(node.name)?.until ?? 0) > performance.now()) return
    polling.add(node.name)
    try {
      await poll(node)
      unavailable.delete(node.name)
    } catch (error) {
      const failures = (unavailable.get(node.name)?.failures ?? 0) + 1
      if (failures === 1) onError(error, node)
      const pauseMs = Math.min(MAX_PAUSE_MS, everyMs * 2 ** failures)
      unavailable.set(node.name, { failures, until: performance.now() + pauseMs })
      // A shard may have moved.
      await nodes.refresh().catch(() => {})
    } finally {
      polling.delete(node.name)
    }
  }

  return {
    start() {
      timer ??= setInterval(
        () => {
          for (const node of nodes.list()) void pollNode(node)
        },
        nodes.isDistributed ? everyMs * DISTRIBUTED_POLL_FACTOR : everyMs,
      )
      timer.unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
