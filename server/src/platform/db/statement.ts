/**
 * A statement with a name: PostgreSQL plans it once per connection. What columns it has cannot change after that (the
 * database refuses a plan whose columns would be others), so they are asked for once too, not with every execution.
 * With or without a name, its time limit counts from when it is sent; the driver's own limit also counts the time that it
 * waits behind other statements.
 */
import pg from 'pg'

type Columns = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
type Done = (error: Error | null, result: pg.QueryResult) => void

/** Members of the driver's query that its types lack. */
interface DriverQuery {
  name: string | undefined
  callback: Done
  _result: Columns
  _accumulateRows: boolean
  submit(connection: pg.Connection): Error | null
  prepare(connection: pg.Connection): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
  handleError(error: Error, connection: pg.Connection): void
}

const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[]) => DriverQuery

type Known = { columns: Map<string, Columns>; undescribed: pg.Connection }
const knownTo = new WeakMap<pg.Connection, Known>()

function known(connection: pg.Connection): Known {
  let found = knownTo.get(connection)
  if (found === undefined) {
    const undescribed = Object.create(connection, { describe: { value: () => {} } })
    found = { columns: new Map(), undescribed }
    knownTo.set(connection, found)
  }
  return found
}

/** The driver's own message for a statement that took longer than its limit; the connection is closed then. */
export const LATE = 'Query read timeout'

class Statement extends DriverQuery {
  limitMs: number | undefined

  constructor(name: string | undefined, text: string, values: unknown[], done: Done, limitMs?: number) {
    super(text, values)
    this.name = name
    this.callback = done
    this.limitMs = limitMs
  }

  override submit(connection: pg.Connection): Error | null {
    if (this.limitMs !== undefined) {
      const done = this.callback
      const timer = setTimeout(() => {
        this.handleError(new Error(LATE), connection)
        this.callback = () => {}
        // What waits behind it would wait for its answer.
        connection.stream.destroy()
      }, this.limitMs)
      this.callback = (error, result) => {
        clearTimeout(timer)
        done(error, result)
      }
    }
    return super.submit(connection)
  }

  override prepare(connection: pg.Connection): void {
    const { columns, undescribed } = known(connection)
    const own = this.name === undefined ? undefined : columns.get(this.name)
    if (own !== undefined) {
      this._result.fields = own.fields
      this._result._parsers = own._parsers
      this._result._prebuiltEmptyResultObject = own._prebuiltEmptyResultObject
      this._accumulateRows = true
    }
    super.prepare(own === undefined ? connection : undescribed)
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const { columns } = known(connection)
    if (this.name !== undefined && !columns.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleCommandComplete(message, connection)
  }
}

export function runStatement(
  client: pg.ClientBase,
  name: string | undefined,
  text: string,
  values: unknown[],
  limitMs?: number,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, result) => (error === null ? resolve(result) : reject(error))
    const statement = new Statement(name, text, values, done, limitMs)
    client.query(statement as unknown as pg.Submittable)
  })
}
