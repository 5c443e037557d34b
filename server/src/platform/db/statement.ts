/**
 * Named (prepared) statements: PostgreSQL plans each once per connection. The result columns cannot change after
 * that (the database rejects a plan whose columns changed), so they are also requested once, not with every
 * execution. The time limit counts from when the statement is sent; the driver's own limit includes time queued
 * behind other statements.
 */
import pg from 'pg'

/**
 * A statement pipelined ahead of another one in the same message; its rows are discarded. With a name it is
 * prepared once. Outside of a transaction both form one, and if it fails the other is not executed.
 */
export type Ahead = { name: string; text: string; values: readonly string[] }

const aheadFailures = new WeakSet<object>()

/** Whether a statement that was sent ahead failed, so that the actual one was not executed. */
export function failedAhead(error: unknown): boolean {
  return error instanceof Error && aheadFailures.has(error)
}

type Columns = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
type Done = (error: Error | null, result: pg.QueryResult) => void

/** Members of the driver's query class that are missing in its types. */
interface DriverQuery {
  name: string | undefined
  text: string
  queryMode: 'extended' | undefined
  callback: Done
  _result: Columns
  _accumulateRows: boolean
  submit(connection: pg.Connection): Error | null
  prepare(connection: pg.Connection): void
  hasBeenParsed(connection: pg.Connection): boolean
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
  handleError(error: Error, connection: pg.Connection): void
}

const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[]) => DriverQuery

type ConnectionCache = { columns: Map<string, Columns>; undescribed: pg.Connection }
const caches = new WeakMap<pg.Connection, ConnectionCache>()

function cacheFor(connection: pg.Connection): ConnectionCache {
  let cache = caches.get(connection)
  if (cache === undefined) {
    const undescribed = Object.create(connection, { describe: { value: () => {} } })
    cache = { columns: new Map(), undescribed }
    caches.set(connection, cache)
  }
  return cache
}

/** The driver's message for a statement that exceeded its limit; the connection is then closed. */
export const LATE = 'Query read timeout'

/** Members of the driver's connection that are missing in its types. */
type Wire = {
  submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: readonly string[] }): void
  execute(portal: object): void
}

type Named = { name: string | undefined; text: string }

/**
 * Ends a statement; the driver calls it as a method. One function for all statements: with a closure stored on each, the
 * rows of finished statements stayed in memory until the next full collection (measured on Node 24.21).
 */
function finish(this: Statement, error: Error | null, result: pg.QueryResult): void {
  clearTimeout(this.timer)
  this.done(error, result)
}

class Statement extends DriverQuery {
  done: Done
  limitMs: number | undefined
  timer: NodeJS.Timeout | undefined
  ahead: readonly Ahead[]
  /**
   * Statements ahead that have not completed. The driver attributes responses to `name`, so it is temporarily set
   * to theirs.
   */
  waitingFor: Named[] = []

  constructor(name: string | undefined, text: string, values: unknown[], done: Done, options: Options) {
    super(text, values)
    this.name = name
    this.callback = finish
    this.done = done
    this.limitMs = options.limitMs
    this.ahead = options.ahead ?? []
    if (this.ahead.length > 0) this.queryMode = 'extended'
  }

  private sendAhead(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    for (const { name, text, values } of this.ahead) {
      this.become({ name, text })
      if (!this.hasBeenParsed(connection)) {
        wire.parse({ name, text })
        if (name !== '') wire.submittedNamedStatements[name] = text
      }
      wire.bind({ statement: name, values })
      wire.execute({})
    }
  }

  private become({ name, text }: Named): void {
    this.name = name
    this.text = text
  }

  override submit(connection: pg.Connection): Error | null {
    if (this.limitMs !== undefined)
      this.timer = setTimeout(() => {
        this.handleError(new Error(LATE), connection)
        this.callback = () => {}
        // Queued statements would wait for its response.
        connection.stream.destroy()
      }, this.limitMs)
    return super.submit(connection)
  }

  override prepare(connection: pg.Connection): void {
    const [first, ...remaining] = this.ahead
    if (first === undefined) {
      this.prepareOwn(connection)
      return
    }
    const statement = { name: this.name, text: this.text }
    this.sendAhead(connection)
    this.become(statement)
    this.prepareOwn(connection)
    this.become(first)
    this.waitingFor = [...remaining, statement]
  }

  private prepareOwn(connection: pg.Connection): void {
    const { columns, undescribed } = cacheFor(connection)
    const cached = this.name === undefined ? undefined : columns.get(this.name)
    if (cached !== undefined) {
      this._result.fields = cached.fields
      this._result._parsers = cached._parsers
      this._result._prebuiltEmptyResultObject = cached._prebuiltEmptyResultObject
      this._accumulateRows = true
    }
    super.prepare(cached === undefined ? connection : undescribed)
  }

  override handleDataRow(message: unknown): void {
    if (this.waitingFor.length === 0) super.handleDataRow(message)
  }

  override handleError(error: Error, connection: pg.Connection): void {
    for (const { name } of this.waitingFor)
      if (name !== undefined) delete (connection as unknown as Wire).submittedNamedStatements[name]
    if (this.waitingFor.length > 0) aheadFailures.add(error)
    super.handleError(error, connection)
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const next = this.waitingFor.shift()
    if (next !== undefined) {
      this.become(next)
      return
    }
    const { columns } = cacheFor(connection)
    if (this.name !== undefined && !columns.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleCommandComplete(message, connection)
  }
}

type Options = { limitMs?: number | undefined; ahead?: readonly Ahead[] | undefined }

export function runStatement(
  client: pg.ClientBase,
  name: string | undefined,
  text: string,
  values: unknown[],
  options: Options = {},
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, result) => (error === null ? resolve(result) : reject(error))
    const statement = new Statement(name, text, values, done, options)
    client.query(statement as unknown as pg.Submittable)
  })
}
