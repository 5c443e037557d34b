/**
 * One driver and one code path for the embedded engine, a server and Citus. Kysely writes the
 * record queries; every statement it sends gets a name, so PostgreSQL plans it once per connection
 * (10k → 17k point reads a second).
 */
import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { traced } from '../tracing.ts'
import { beginningAhead } from './begin-ahead.ts'
import { arrayLiteral } from './bulk/array-literal.ts'
import { CopyOut, CopyReader } from './copy/copy-out.ts'
import { ReadingSocket } from './copy/reading-socket.ts'
import type { Db, NamedClient, Tx } from './handles.ts'
import { gatherReads } from './read-columns.ts'
import type { DB } from './schema.ts'
import { withSettings } from './session-settings.ts'
import { type Ahead, LATE, runStatement } from './statement.ts'
import { parseTimestamp } from './timestamps.ts'

export type { Db, Tx } from './handles.ts'

/** A transaction and the connection that it runs on. */
export type Connection = { tx: Tx; client: pg.PoolClient }

export type OpenDatabase = { db: Db; pool: pg.Pool; close(): Promise<void> }

const DATE = 1082
const INT8 = 20
const NUMERIC = 1700
const TIMESTAMPTZ = 1184

const parseAnyTimestamp: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ, 'text')

const readTimestamp = (text: string) => parseTimestamp(text, parseAnyTimestamp)

/** Days stay strings, and 64-bit integers become numbers: amounts are checked to be safe integers on the way in. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    if (format !== 'binary') {
      if (oid === DATE) return (value: string) => value
      if (oid === INT8) return Number
      if (oid === NUMERIC) return (value: string) => value
      if (oid === TIMESTAMPTZ) return readTimestamp
    }
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

/** Of each shard there is a statement of its own, of which a connection sees those of its node. */
const MAX_NAMED_STATEMENTS = { whole: 2000, shard: 10_000 }
const MAX_NAMED_LENGTH = 20_000
const statementNames = { whole: new Map<string, string>(), shard: new Map<string, string>() }

/** A plan with every column is refused once a migration has added one, so it is planned again each time. */
const givesWholeRows = /^\s*select\s+("?\w+"?\.)?\*|\breturning\s+("?\w+"?\.)?\*\s*$/i

function statementName(text: string, of: 'whole' | 'shard'): string | undefined {
  const names = statementNames[of]
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= MAX_NAMED_STATEMENTS[of] || text.length > MAX_NAMED_LENGTH) return undefined
  if (givesWholeRows.test(text)) return undefined
  const name = `w${createHash('sha1').update(text).digest('hex').slice(0, 20)}`
  names.set(text, name)
  return name
}

const MAX_TRACED_TEXT = 2000

/** Transaction control has no plan to keep. */
const controlStatement = /^(begin|start|commit|rollback|savepoint|release|set|listen|notify)\b/i

/**
 * The part of a client that Kysely uses, with every statement named. A connection whose answer did
 * not come within the limit or was not read to its end, or whose plans a migration has outdated, is
 * good for nothing more: what follows on it is refused, and it is closed.
 */
function naming(
  client: pg.PoolClient,
  release: (error?: Error) => void,
  limitMs?: number,
  of: 'whole' | 'shard' = 'whole',
): NamedClient {
  let broken: Error | undefined
  const noteBroken = <T>(asking: Promise<T>): Promise<T> =>
    asking.catch((error) => {
      if (isLate(error) || isOutdatedPlan(error)) broken = error
      throw error
    })
  return {
    query: (text: string, given: unknown[], ahead?: readonly Ahead[]) => {
      if (broken !== undefined) return Promise.reject(broken)
      const [reader] = given
      if (reader instanceof CopyReader) {
        const copy = new CopyOut(client, text, reader.columns)
        return copy.readAll(reader.onRow, limitMs).then(
          () => NO_ROWS,
          (error) => {
            if (copy.isUnread) broken = error
            throw error
          },
        )
      }
      const name = controlStatement.test(text) ? undefined : statementName(text, of)
      const values = given.map((value) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value))
      const span = {
        name: 'database statement',
        kind: 'client' as const,
        attributes: () => statementOf(text),
      }
      return noteBroken(traced(span, () => runStatement(client, name, text, values, { limitMs, ahead })))
    },
    release: (error?: Error) => release(error ?? broken),
  }
}

/** Of a trace: the text has placeholders, never values. */
function statementOf(text: string) {
  return { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TRACED_TEXT) }
}

/** The reader of a COPY gets the rows. */
const NO_ROWS: pg.QueryResult = { command: 'COPY', rowCount: null, oid: 0, fields: [], rows: [] }

function namingPool(pool: pg.Pool, limitMs?: number, of?: 'whole' | 'shard') {
  return {
    connect: async () => {
      const client = await pool.connect()
      return beginningAhead(naming(client, (error?: Error) => client.release(error), limitMs, of))
    },
    end: () => pool.end(),
  }
}

/** What a database and its transactions are known by: the connections that they run on. */
class PoolAdapter extends PostgresAdapter {
  pool: pg.Pool
  isShard: boolean
  constructor(pool: pg.Pool, isShard: boolean) {
    super()
    this.pool = pool
    this.isShard = isShard
  }
}

class PoolDialect extends PostgresDialect {
  #pool: pg.Pool
  #isShard: boolean
  constructor(
    pool: pg.Pool,
    connections: { connect(): Promise<unknown>; end(): Promise<void> },
    isShard = false,
  ) {
    super({ pool: connections as unknown as pg.Pool })
    this.#pool = pool
    this.#isShard = isShard
  }
  override createAdapter(): PoolAdapter {
    return new PoolAdapter(this.#pool, this.#isShard)
  }
}

function adapterOf(db: Db | Tx): PoolAdapter {
  return db.getExecutor().adapter as PoolAdapter
}

export function poolOf(db: Db | Tx): pg.Pool {
  return adapterOf(db).pool
}

/** Whether the statements of this database, or of this transaction, are those of one shard (`db/shards`). */
export function isShard(db: Db | Tx): boolean {
  return adapterOf(db).isShard
}

/** The same connections, with each one's statements put as `wrap` says. */
export function throughClients(
  db: Db,
  wrap: (client: NamedClient) => NamedClient,
  options: { limitMs?: number | undefined; isShard?: boolean } = {},
): Db {
  const pool = poolOf(db)
  const connections = namingPool(pool, options.limitMs, options.isShard ? 'shard' : 'whole')
  const wrapped = { ...connections, connect: async () => wrap(await connections.connect()) }
  return new Kysely<DB>({ dialect: new PoolDialect(pool, wrapped, options.isShard) })
}

/** A transaction together with the connection it runs on, for what only the driver can do: COPY. */
export async function withConnection<T>(
  db: Db,
  work: (tx: Tx, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const pool = poolOf(db)
  const client = await pool.connect()
  let broken: Error | undefined
  const connect = async () =>
    naming(client, (error) => {
      broken = error
    })
  const alone = { connect, end: async () => {} }
  const own = new Kysely<DB>({ dialect: new PoolDialect(pool, alone) })
  try {
    return await own.transaction().execute((tx) => work(tx, client))
  } finally {
    client.release(broken)
  }
}

/** How busy the connections of this process are. */
export function poolUsage(db: Db): { open: number; idle: number; waiting: number } {
  const pool = poolOf(db)
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

/** The driver makes a secured connection of a plain one by itself. */
const openSocket = (({ ssl }: { ssl: unknown }) => (ssl ? new Socket() : new ReadingSocket())) as () => Socket

export function openDatabase(config: pg.PoolConfig): OpenDatabase {
  const pool = new pg.Pool({
    max: 20,
    connectionTimeoutMillis: 1500,
    idleTimeoutMillis: 30_000,
    // A machine that is gone says nothing: after 10 s Node asks it ten times, a second apart (nodejs.org/api/net.html, socket.setKeepAlive, 2026-11-16).
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'whence',
    stream: openSocket,
    ...withSettings(config),
    types,
  })
  // A connection that dies is dropped by the pool, and its query fails; unheard, the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = onPool(pool)
  const close = async () => {
    await db.destroy()
    // Kysely ends no pool that it did not use itself; others may have used it, such as `withTimeLimit`.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/** The same connections with a statement timeout: for requests with a waiting caller. */
export function withTimeLimit(db: Db, limitMs: number): Db {
  return onPool(poolOf(db), limitMs)
}

function onPool(pool: pg.Pool, limitMs?: number): Db {
  return new Kysely<DB>({ dialect: new PoolDialect(pool, namingPool(pool, limitMs)) })
}

/** Runs in the transaction that is already open, or in a new one. */
export function inTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work)
}

/** Reads of one moment: every query sees the same rows, whatever others write meanwhile. */
export function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => {
      gatherReads(tx)
      return read(tx)
    })
}

/** The service's time by the database's clock: every expiry is decided by it. The sandbox may move it. */
export async function databaseNow(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    select clock_timestamp() + coalesce((select max(offset_ms) from service_clock), 0) * interval '1 millisecond' as now`.execute(
    db,
  )
  return rows[0]!.now
}

const CONNECTIONS_USED_UP = '53300'

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  CONNECTIONS_USED_UP,
  // A standby, while another server takes over.
  '25006',
])

/** The server's own limit on a statement, of which people cancelling by hand are a special case. */
const CANCELLED = '57014'

export function isCancelled(error: unknown): boolean {
  return codeOf(error) === CANCELLED
}

function isLate(error: unknown): boolean {
  return error instanceof Error && error.message === LATE
}

/** The disk is full, or memory, or another limit of the machine; what was there can still be read. */
const NO_ROOM = '53'

export function isOutOfSpace(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith(NO_ROOM) && code !== CONNECTIONS_USED_UP
}

/** A value that no statement could store, such as a NUL in a text. */
const BAD_VALUE = '22'

export function isRefusedValue(error: unknown): boolean {
  return codeOf(error).startsWith(BAD_VALUE)
}

const DIVISION_BY_ZERO = '22012'

export function isDivisionByZero(error: unknown): boolean {
  return codeOf(error) === DIVISION_BY_ZERO
}

/** A migration changed the columns of a statement that this connection had planned. */
function isOutdatedPlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && /cached plan/.test((error as Error).message)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i

/** What Citus says, under codes of many kinds, while a node is away, comes back, or has just given a shard to another. */
const lostNode =
  /marked as essential|failed to COPY to shard|server closed the connection|could not find valid entry for shard|could not receive query results|connection to the remote node|connection not open|could not establish any connections to the node|failure on connection|terminating connection due to/i

/** Whether an error means that the database cannot be asked, rather than that it refused the question. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (unavailableCodes.has(code) || code === CANCELLED || code.startsWith('08') || isLate(error)) return true
  if (isOutOfSpace(error) || isOutdatedPlan(error)) return true
  return lostConnection.test(error.message) || lostNode.test(error.message)
}

/** Deadlocks, locks not granted, a full disk or memory: errors that a retry may pass. */
const passingClasses = new Set(['40', '53', '55', '58'])

/** Whether the same work may succeed later without being changed. */
export function isTransient(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[0-9A-Z]{5}$/.test(code) && passingClasses.has(code.slice(0, 2))
}

/** Work in a savepoint: its failure rolls back only itself. Returns what it threw. */
export async function attempt(tx: Tx, work: () => Promise<void>): Promise<{ error: unknown } | null> {
  await sql`savepoint attempt`.execute(tx)
  try {
    await work()
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    await sql`rollback to savepoint attempt`.execute(tx)
    return { error }
  }
  await sql`release savepoint attempt`.execute(tx)
  return null
}

/** Ids, numbers, instants or words as one array parameter: they need no quoting, which is most of what the driver would spend on them. */
export function plainArray(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}
