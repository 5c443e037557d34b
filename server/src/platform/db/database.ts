/**
 * Database access: one driver and one code path for the embedded engine, a server and Citus. Kysely builds the
 * queries; every statement is named (prepared), so PostgreSQL plans it once per connection (10k → 17k point reads a
 * second).
 */
import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { traced } from '../tracing.ts'
import { withDeferredBegin } from './begin-ahead.ts'
import { arrayLiteral } from './bulk/array-literal.ts'
import { CopyOut, CopyReader } from './copy/copy-out.ts'
import { ReadingSocket } from './copy/reading-socket.ts'
import type { Db, NamedClient, Tx } from './handles.ts'
import { isFullDisk, isOfAnotherSystem } from './other-system.ts'
import { batchReads } from './read-columns.ts'
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

/**
 * Dates are returned as strings and 64-bit integers as numbers: amounts are checked to be safe integers when they
 * are stored.
 */
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

/** Each shard has separate statement texts; a connection prepares only those of its node. */
const MAX_NAMED_STATEMENTS = { database: 2000, shard: 10_000 }
const MAX_NAMED_LENGTH = 20_000
const statementNames = { database: new Map<string, string>(), shard: new Map<string, string>() }

/** A prepared plan that selects all columns fails once a migration adds one, so such statements are not named. */
const selectsAllColumns = /^\s*select\s+("?\w+"?\.)?\*|\breturning\s+("?\w+"?\.)?\*\s*$/i

function statementName(text: string, scope: 'database' | 'shard'): string | undefined {
  const names = statementNames[scope]
  const existing = names.get(text)
  if (existing !== undefined) return existing
  if (names.size >= MAX_NAMED_STATEMENTS[scope] || text.length > MAX_NAMED_LENGTH) return undefined
  if (selectsAllColumns.test(text)) return undefined
  const name = `w${createHash('sha1').update(text).digest('hex').slice(0, 20)}`
  names.set(text, name)
  return name
}

const MAX_TRACED_TEXT = 2000

/** Transaction control has no plan. */
const controlStatement = /^(begin|start|commit|rollback|savepoint|release|set|listen|notify)\b/i

/**
 * The client interface that Kysely uses, with every statement named. A connection is marked broken if a response
 * timed out or was not read completely, or if a migration invalidated its plans: further queries on it are
 * rejected, and it is closed.
 */
function withNamedStatements(
  client: pg.PoolClient,
  release: NamedClient['release'],
  limitMs?: number,
  scope: 'database' | 'shard' = 'database',
): NamedClient {
  let connectionError: Error | undefined
  const noteBroken = <T>(query: Promise<T>): Promise<T> =>
    query.catch((error) => {
      if (isLate(error) || isOutdatedPlan(error)) connectionError = error
      throw error
    })
  return {
    query: (text: string, parameters: unknown[], ahead?: readonly Ahead[]) => {
      if (connectionError !== undefined) return Promise.reject(connectionError)
      const [reader] = parameters
      if (reader instanceof CopyReader) {
        const copy = new CopyOut(client, text, reader.columns)
        return copy.readAll(reader.onRow, limitMs).then(
          () => NO_ROWS,
          (error) => {
            if (copy.isUnread) connectionError = error
            throw error
          },
        )
      }
      const name = controlStatement.test(text) ? undefined : statementName(text, scope)
      const values = parameters.map((value) =>
        Array.isArray(value) ? (arrayLiteral(value) ?? value) : value,
      )
      const span = {
        name: 'database statement',
        kind: 'client' as const,
        attributes: () => statementOf(text),
      }
      return noteBroken(traced(span, () => runStatement(client, name, text, values, { limitMs, ahead })))
    },
    release: (error) => release(connectionError ?? error),
  }
}

/** Trace attributes; the text has placeholders, never values. */
function statementOf(text: string) {
  return { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TRACED_TEXT) }
}

/** Result of a COPY, whose rows go to its reader. */
const NO_ROWS: pg.QueryResult = { command: 'COPY', rowCount: null, oid: 0, fields: [], rows: [] }

function namingPool(pool: pg.Pool, limitMs?: number, scope?: 'database' | 'shard') {
  return {
    connect: async () => {
      const client = await pool.connect()
      return withDeferredBegin(withNamedStatements(client, (error) => client.release(error), limitMs, scope))
    },
    end: () => pool.end(),
  }
}

/** Lets a database and its transactions be mapped to their connection pool. */
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

/** Whether this database or transaction is bound to one shard (`db/shards`). */
export function isShard(db: Db | Tx): boolean {
  return adapterOf(db).isShard
}

/** The same connections, each wrapped by `wrap`. */
export function withWrappedClients(
  db: Db,
  wrap: (client: NamedClient) => NamedClient,
  options: { limitMs?: number | undefined; isShard?: boolean } = {},
): Db {
  const pool = poolOf(db)
  const connections = namingPool(pool, options.limitMs, options.isShard ? 'shard' : 'database')
  const wrapped = { ...connections, connect: async () => wrap(await connections.connect()) }
  return new Kysely<DB>({ dialect: new PoolDialect(pool, wrapped, options.isShard) })
}

/** Runs a transaction with access to its connection, for COPY, which only the driver supports. */
export async function withConnection<T>(
  db: Db,
  work: (tx: Tx, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const pool = poolOf(db)
  const client = await pool.connect()
  let connectionError: Error | boolean | undefined
  const connect = async () =>
    withNamedStatements(client, (error) => {
      connectionError = error
    })
  const alone = { connect, end: async () => {} }
  const kysely = new Kysely<DB>({ dialect: new PoolDialect(pool, alone) })
  try {
    return await kysely.transaction().execute((tx) => work(tx, client))
  } finally {
    client.release(connectionError)
  }
}

/** Usage of this process's connection pool. */
export function poolUsage(db: Db): { open: number; idle: number; waiting: number } {
  const pool = poolOf(db)
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

/** For TLS the driver wraps a plain socket itself. */
const openSocket = (({ ssl }: { ssl: unknown }) => (ssl ? new Socket() : new ReadingSocket())) as () => Socket

export function openDatabase(config: pg.PoolConfig): OpenDatabase {
  const pool = new pg.Pool({
    max: 20,
    connectionTimeoutMillis: 1500,
    idleTimeoutMillis: 30_000,
    // Detects dead machines: after 10 s Node sends ten keep-alive probes, a second apart (nodejs.org/api/net.html,
    // socket.setKeepAlive, 2026-11-16).
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'whence',
    stream: openSocket,
    ...withSettings(config),
    types,
  })
  // The pool drops a lost connection, and its query fails; without a listener the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = createKysely(pool)
  const close = async () => {
    await db.destroy()
    // Kysely does not end a pool that it has not used itself, but others may have used it, such as `withTimeLimit`.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/** The same connections with a statement timeout: for requests with a waiting caller. */
export function withTimeLimit(db: Db, limitMs: number): Db {
  return createKysely(poolOf(db), limitMs)
}

function createKysely(pool: pg.Pool, limitMs?: number): Db {
  return new Kysely<DB>({ dialect: new PoolDialect(pool, namingPool(pool, limitMs)) })
}

/** Serialization failure and deadlock: the transaction was rolled back, and the others of the conflict go on. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01'])

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error))
}

/**
 * Runs in the open transaction, or in a new one. After a conflict with other transactions a new one runs once more, so
 * `work` keeps its state inside.
 */
export async function inTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!isConflict(error)) throw error
    return db.transaction().execute(work)
  }
}

/** Consistent reads: every query sees the same snapshot, whatever others write meanwhile. */
export function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => {
      batchReads(tx)
      return read(tx)
    })
}

/** Reads one snapshot and writes; fails if a row that it changes was changed meanwhile. */
export function inWritableSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(work)
}

/** The service's time by the database's clock, used for every expiry. The sandbox may move it. */
export async function databaseNow(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    select clock_timestamp() + coalesce((select max(offset_ms) from service_clock), 0) * interval '1 millisecond' as now`.execute(
    db,
  )
  return rows[0]!.now
}

const TOO_MANY_CONNECTIONS = '53300'

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
  TOO_MANY_CONNECTIONS,
  // Read-only transaction: a standby during failover.
  '25006',
])

/** Statement timeout on the server; also manual cancellation. */
const CANCELLED = '57014'

export function isCancelled(error: unknown): boolean {
  return codeOf(error) === CANCELLED
}

function isLate(error: unknown): boolean {
  return error instanceof Error && error.message === LATE
}

/** Insufficient resources: disk full, out of memory or another machine limit; existing data can still be read. */
const INSUFFICIENT_RESOURCES = '53'

export function isOutOfSpace(error: unknown): boolean {
  const code = codeOf(error)
  return isFullDisk(error, code) || (code.startsWith(INSUFFICIENT_RESOURCES) && code !== TOO_MANY_CONNECTIONS)
}

/** Data exception: a value that cannot be stored, such as NUL in a text. */
const DATA_EXCEPTION = '22'

export function isInvalidValue(error: unknown): boolean {
  return codeOf(error).startsWith(DATA_EXCEPTION)
}

const DIVISION_BY_ZERO = '22012'

export function isDivisionByZero(error: unknown): boolean {
  return codeOf(error) === DIVISION_BY_ZERO
}

/** A migration changed the columns of a prepared statement. */
function isOutdatedPlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && /cached plan/.test((error as Error).message)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i

/**
 * Messages of Citus, with various codes, while a node is down, recovering, or has just moved a shard to another
 * node.
 */
const lostNode =
  /marked as essential|failed to COPY to shard|server closed the connection|could not find valid entry for shard|could not receive query results|connection to the remote node|connection not open|could not establish any connections to the node|failure on connection|terminating connection due to/i

/** Whether an error means that the database is unreachable, rather than that it rejected the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isOfAnotherSystem(error)) return false
  const code = codeOf(error)
  if (unavailableCodes.has(code) || code === CANCELLED || code.startsWith('08') || isLate(error)) return true
  if (isOutOfSpace(error) || isOutdatedPlan(error)) return true
  return lostConnection.test(error.message) || lostNode.test(error.message)
}

/** Error classes that a retry may resolve: deadlocks, locks not available, full disk or memory. */
const transientClasses = new Set(['40', '53', '55', '58'])

/** Whether the same work may succeed later unchanged. */
export function isTransient(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[0-9A-Z]{5}$/.test(code) && transientClasses.has(code.slice(0, 2))
}

/** Runs work in a savepoint, so that a failure rolls back only that work. Returns the error. */
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

/**
 * Array literal of values that need no quoting (ids, numbers, timestamps, plain words); quoting is most of the
 * driver's cost.
 */
export function plainArray(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}
