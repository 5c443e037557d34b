/**
 * A statement with a name: PostgreSQL plans it once per connection. What columns it has cannot change after that (the
 * database refuses a plan whose columns would be others), so they are asked for once too, not with every execution.
 */
import pg from 'pg'

type Columns = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
type Done = (error: Error | null, result: pg.QueryResult) => void

/** Members of the driver's query that its types lack. */
interface DriverQuery {
  name: string
  callback: Done
  query_timeout?: number
  _result: Columns
  _accumulateRows: boolean
  prepare(connection: pg.Connection): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
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

class Statement extends DriverQuery {
  constructor(name: string, text: string, values: unknown[], done: Done) {
    super(text, values)
    this.name = name
    this.callback = done
  }

  override prepare(connection: pg.Connection): void {
    const { columns, undescribed } = known(connection)
    const own = columns.get(this.name)
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
    if (!columns.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleCommandComplete(message, connection)
  }
}

export function runStatement(
  client: pg.ClientBase,
  name: string,
  text: string,
  values: unknown[],
  limitMs?: number,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const statement = new Statement(name, text, values, (error, result) =>
      error === null ? resolve(result) : reject(error),
    )
    if (limitMs !== undefined) statement.query_timeout = limitMs
    client.query(statement as unknown as pg.Submittable)
  })
}
