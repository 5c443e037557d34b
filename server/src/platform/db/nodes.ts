/**
 * Where a profile's rows lie. On Citus every node can be asked for anything, but a question costs least on the node
 * that holds the profile's shard: no other node takes part. So each node has its own connections, and a profile's work
 * goes to its node; what is no profile's goes to the coordinator. Elsewhere there is one node.
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
  /** Gives up a statement that takes too long. */
  db: Db
  patientDb: Db
  /** Ids of the shards that lie here, by table, in one order for all; null where tables are whole. */
  shards: ReadonlyMap<string, readonly string[]> | null
}

/** `patientDb` is for background work, `slowDb` for a request that may take long. */
export type ProfileShard = { db: Db; slowDb: Db; patientDb: Db }

/** The profiles of one shard. Its database refuses what cannot be asked of that shard alone. */
export type DataPart = { node: DataNode; db: Db }

export type Nodes = {
  isDistributed: boolean
  /** For what is no profile's. */
  main: DataNode
  of(profileId: string): DataNode | Promise<DataNode>
  /** The name of the profile's node, as far as it is known without asking; who asked for the node knows it. */
  nameOf(profileId: string): string
  /** For what is of this profile only: speaks to the tables of its shard, without Citus' planning. */
  shardOf(profileId: string): ProfileShard | Promise<ProfileShard>
  /** Parts that cover all profiles, each for background work (`shards/every-shard.ts`). */
  parts(): readonly DataPart[]
  list(): readonly DataNode[]
  /** Looks up again where the shards lie. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Tables that are scanned for work on each node; the first locates a profile. */
const polledTables = ['profile_locks', 'event_queue', 'outbox_counters', 'webhook_fanouts'] as const
type PolledTable = (typeof polledTables)[number]

const REFRESH_MS = 5000
const MAX_REMEMBERED = 100_000
const MAX_PAUSE_MS = 5000
const FAN_OUT_AND_SENDERS = 4
/** The first batch of a shard costs a connection four times the later ones, the next five half more. */
const KEEP_BACKGROUND_MS = 600_000

export function oneNode(db: Db, patientDb = db): Nodes {
  const node: DataNode = { name: 'database', db, patientDb, shards: null }
  const all = [node]
  const shard = { db, slowDb: patientDb, patientDb }
  const parts = [{ node, db: patientDb }]
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

/** Whether the tables of this database, or of this transaction's, are distributed. */
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

/** `patientDb` is the coordinator where there is one. */
export async function openNodes(
  patientDb: Db,
  options: { limitMs: number; isDirect: boolean; processing?: number; onError(error: unknown): void },
): Promise<Nodes> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(patientDb)
  if (rows.length === 0) return oneNode(withTimeLimit(patientDb, options.limitMs), patientDb)
  distributed.add(poolOf(patientDb))
  let tables = await listShardTables(patientDb)
  const toNode = (name: string, db: Db, copies: ShardTables): DataNode => ({
    name,
    db: readingCopies(db, copies, options.limitMs),
    patientDb: readingCopies(db, copies),
    shards: null,
  })
  const first = toNode('coordinator', patientDb, tables.coordinator)
  const throughFirst = { db: first.db, slowDb: first.patientDb, patientDb: first.patientDb }
  const wholeOfFirst = { node: first, db: first.patientDb }
  const opened = new Map<string, OpenDatabase & { node: DataNode }>()
  const hashes = new BoundedCache<string, number>(MAX_REMEMBERED)
  const shards = new Map<string, OpenShard>()
  const background = new Map<DataNode, OpenDatabase>()
  let ranges: ShardRange[] = []
  let nodes: DataNode[] = [first]

  function nodeAt(host: string, port: number): DataNode {
    const name = `${host}:${port}`
    const known = opened.get(name)
    if (known !== undefined) return known.node
    const database = openDatabase(addressedTo(poolOf(patientDb).options, host, port))
    distributed.add(database.pool)
    const node = toNode(name, database.db, tables.worker)
    opened.set(name, { ...database, node })
    return node
  }

  /** Connections of their own for background work: the fewer they are, the fewer have each shard's plans to make. */
  function backgroundDb(node: DataNode): Db {
    const known = background.get(node)
    if (known !== undefined) return known.db
    const max = (options.processing ?? 2) + FAN_OUT_AND_SENDERS
    const database = openDatabase({
      ...poolOf(node.patientDb).options,
      max,
      idleTimeoutMillis: KEEP_BACKGROUND_MS,
    })
    distributed.add(database.pool)
    background.set(node, database)
    return database.db
  }

  function shardAt(node: DataNode, id: string): OpenShard {
    const name = `${node.name} ${id}`
    const known = shards.get(name)
    if (known !== undefined) return known
    const own = { id, tables: tables.shards.get(id) ?? new Map(), onMoved }
    const shard = {
      db: openShard(node.patientDb, own, { limitMs: options.limitMs }),
      slowDb: openShard(node.patientDb, own),
      patientDb: openShard(backgroundDb(node), own),
      part: { node, db: openShard(backgroundDb(node), own, { isAlone: true }) },
    }
    shards.set(name, shard)
    return shard
  }

  function onMoved(): void {
    refresh().catch(options.onError)
  }

  async function refresh(): Promise<void> {
    const placements = await listPlacements(patientDb)
    const held = Map.groupBy(placements, ({ group_id, host, port }) =>
      group_id === 0 ? first : nodeAt(host, port),
    )
    for (const [node, own] of held) node.shards = shardsByTable(own)
    nodes = [...held.keys()]
    const homes = placements.filter(({ table }) => table === polledTables[0])
    // Shards were split.
    if (homes.some(({ shard }) => !tables.shards.has(shard))) tables = await listShardTables(patientDb)
    ranges = homes.map(({ low, shard, group_id, host, port }) => {
      const node = group_id === 0 ? first : nodeAt(host, port)
      return { low, node, shard: shardAt(node, shard) }
    })
    for (const [name, database] of opened) {
      if (held.has(database.node)) continue
      opened.delete(name)
      for (const key of shards.keys()) if (key.startsWith(`${name} `)) shards.delete(key)
      await background.get(database.node)?.close()
      background.delete(database.node)
      await database.close()
    }
  }

  async function learn(profileId: string): Promise<number> {
    const { rows } = await sql<{ hash: number }>`select worker_hash(${profileId}::uuid) as hash`.execute(
      first.db,
    )
    hashes.set(profileId, rows[0]!.hash)
    return rows[0]!.hash
  }

  const rangeOf = (hash: number) => ranges.findLast(({ low }) => low <= hash)

  /** Of the range that the profile is in, once that is known. */
  function find<T>(profileId: string, read: (range: ShardRange | undefined) => T): T | Promise<T> {
    const within = (hash: number) => read(rangeOf(hash))
    const hash = hashes.get(profileId)
    return hash === undefined ? learn(profileId).then(within) : within(hash)
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
      options.isDirect ? find(profileId, (range) => range?.shard ?? throughFirst) : throughFirst,
    parts: () => (options.isDirect ? ranges.map(({ shard }) => shard.part) : [wholeOfFirst]),
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
