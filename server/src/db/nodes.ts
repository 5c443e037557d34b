/**
 * Where a profile's rows lie. On Citus every node can be asked for anything, but a question costs least on the node
 * that holds the profile's shard: no other node takes part. So each node has its own connections, and a profile's work
 * goes to its node; what is no profile's goes to the coordinator. Elsewhere there is one node.
 */
import { type RawBuilder, sql } from 'kysely'
import { BoundedCache } from '../bounded-cache.ts'
import { type Db, type OpenDatabase, openDatabase, poolOf, withTimeLimit } from './database.ts'

export type DataNode = {
  name: string
  /** Gives up a statement that takes too long. */
  db: Db
  patientDb: Db
  /** Ids of the shards that lie here, by table, in one order for all; null where tables are whole. */
  shards: ReadonlyMap<string, readonly string[]> | null
}

export type Nodes = {
  isDistributed: boolean
  of(profileId: string): DataNode | Promise<DataNode>
  list(): readonly DataNode[]
  /** Looks up again where the shards lie. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Tables that are looked through for work on each node; the first says where a profile lies. */
const polledTables = ['profile_locks', 'event_queue', 'outbox_counters', 'webhook_fanouts'] as const
type PolledTable = (typeof polledTables)[number]

const REFRESH_MS = 5000
const MAX_REMEMBERED = 100_000
const MAX_PAUSE_MS = 5000

export function oneNode(db: Db, patientDb = db): Nodes {
  const node: DataNode = { name: 'database', db, patientDb, shards: null }
  const all = [node]
  return {
    isDistributed: false,
    of: () => node,
    list: () => all,
    refresh: async () => {},
    close: async () => {},
  }
}

const distributed = new WeakSet<object>()

/** Whether the tables of this database, or of this transaction's, are distributed. */
export function isDistributed(db: Parameters<typeof poolOf>[0]): boolean {
  return distributed.has(poolOf(db))
}

type Placement = {
  table: PolledTable
  shard: string
  low: number
  group_id: number
  host: string
  port: number
}
type ShardRange = { low: number; node: DataNode }

/** `patientDb` is the coordinator where there is one. */
export async function openNodes(
  patientDb: Db,
  options: { limitMs: number; isDirect: boolean; onError(error: unknown): void },
): Promise<Nodes> {
  const db = withTimeLimit(patientDb, options.limitMs)
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(patientDb)
  if (rows.length === 0) return oneNode(db, patientDb)
  distributed.add(poolOf(patientDb))
  const first: DataNode = { name: 'coordinator', db, patientDb, shards: null }
  const opened = new Map<string, OpenDatabase & { node: DataNode }>()
  const hashes = new BoundedCache<string, number>(MAX_REMEMBERED)
  let ranges: ShardRange[] = []
  let nodes: DataNode[] = [first]

  function nodeAt(host: string, port: number): DataNode {
    const name = `${host}:${port}`
    const known = opened.get(name)
    if (known !== undefined) return known.node
    const database = openDatabase(addressedTo(poolOf(patientDb).options, host, port))
    distributed.add(database.pool)
    const node: DataNode = {
      name,
      db: withTimeLimit(database.db, options.limitMs),
      patientDb: database.db,
      shards: null,
    }
    opened.set(name, { ...database, node })
    return node
  }

  async function refresh(): Promise<void> {
    const placements = await listPlacements(patientDb)
    const held = Map.groupBy(placements, ({ group_id, host, port }) =>
      group_id === 0 ? first : nodeAt(host, port),
    )
    for (const [node, own] of held) node.shards = shardsByTable(own)
    nodes = [...held.keys()]
    ranges = placements
      .filter(({ table }) => table === polledTables[0])
      .map(({ low, group_id, host, port }) => ({ low, node: group_id === 0 ? first : nodeAt(host, port) }))
    for (const [name, database] of opened) {
      if (held.has(database.node)) continue
      opened.delete(name)
      await database.close()
    }
  }

  async function learn(profileId: string): Promise<DataNode> {
    const { rows } = await sql<{ hash: number }>`select worker_hash(${profileId}::uuid) as hash`.execute(db)
    hashes.set(profileId, rows[0]!.hash)
    return nodeOf(rows[0]!.hash)
  }

  function nodeOf(hash: number): DataNode {
    return ranges.findLast(({ low }) => low <= hash)?.node ?? first
  }

  await refresh()
  const timer = setInterval(() => {
    refresh().catch(options.onError)
  }, REFRESH_MS)
  timer.unref()
  return {
    isDistributed: true,
    of(profileId) {
      if (!options.isDirect) return first
      const hash = hashes.get(profileId)
      return hash === undefined ? learn(profileId) : nodeOf(hash)
    },
    list: () => nodes,
    refresh,
    async close() {
      clearInterval(timer)
      for (const database of opened.values()) await database.close()
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
 * A question of all profiles that lie on a node: asked of its shards, of the tables where these are whole. Asked of the
 * distributed tables it would go to every node, and fail while any of them is away.
 */
export function acrossProfiles<Row>(
  node: DataNode,
  question: (table: (name: PolledTable) => RawBuilder<unknown>) => RawBuilder<Row>,
): RawBuilder<Row> {
  const { shards } = node
  if (shards === null) return question((name) => sql.table(name))
  const count = shards.get(polledTables[0])?.length ?? 0
  const parts = Array.from({ length: count }, (_, place) => {
    const part = question((name) => sql.table(`${name}_${shards.get(name)![place]}`))
    return sql`(${part})`
  })
  return sql<Row>`${sql.join(parts, sql` union all `)}`
}

/** On a distributed database the other processes' work is looked for less often: a process wakes for its own by itself. */
const SLOWER = 5

/**
 * Looks at every node again and again, each by itself: one that is away is tried again, less and less often, while the
 * others are looked at as ever.
 */
export function pollNodes(
  nodes: Nodes,
  everyMs: number,
  look: (node: DataNode) => Promise<void>,
  onError: (error: unknown, node: DataNode) => void,
): { start(): void; stop(): void } {
  const away = new Map<string, { failures: number; until: number }>()
  const looking = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function lookAt(node: DataNode): Promise<void> {
    if (looking.has(node.name) || (away.get(node.name)?.until ?? 0) > performance.now()) return
    looking.add(node.name)
    try {
      await look(node)
      away.delete(node.name)
    } catch (error) {
      const failures = (away.get(node.name)?.failures ?? 0) + 1
      if (failures === 1) onError(error, node)
      const pauseMs = Math.min(MAX_PAUSE_MS, everyMs * 2 ** failures)
      away.set(node.name, { failures, until: performance.now() + pauseMs })
      // A shard may have moved.
      await nodes.refresh().catch(() => {})
    } finally {
      looking.delete(node.name)
    }
  }

  return {
    start() {
      timer ??= setInterval(
        () => {
          for (const node of nodes.list()) void lookAt(node)
        },
        nodes.isDistributed ? everyMs * SLOWER : everyMs,
      )
      timer.unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
