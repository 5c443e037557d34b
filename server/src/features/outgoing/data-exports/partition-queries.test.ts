import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../../test/database.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { type OpenDatabase, openDatabase } from '../../../platform/db/database.ts'
import { selects } from './partition-queries.ts'
import { type SourceColumn, sourceColumns } from './source-columns.ts'
import { exportTables } from './tables.ts'

let cloned: ClonedDatabase
let database: OpenDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
  database = openDatabase({ connectionString: cloned.connectionString })
})
afterAll(async () => {
  await database.close()
  await cloned.drop()
})

/** PostgreSQL type ids that each column type can be read from. */
const oids: Record<SourceColumn['type'], readonly number[]> = {
  uuid: [2950],
  text: [25],
  integer: [20, 21, 23],
  day: [1082],
  time: [1184],
  boolean: [16],
  bytes: [17],
}

it.each(exportTables)('columns of $name are of the types that their bytes are read as', async (table) => {
  const scope = { profileId: uuidv7(), timezone: 'Europe/Madrid', currency: 'EUR' }
  for (const includeIdentifiers of [false, true]) {
    const rows = selects[table.name]({ ...scope, includeIdentifiers })
    const query = sql`select * from (${rows}) t limit 0`.compile(database.db)
    const { fields } = await database.pool.query(query.sql, [...query.parameters])
    const typesByColumn = new Map(fields.map((field) => [field.name, field.dataTypeID]))
    for (const { name, type } of sourceColumns(table))
      expect({ name, isRead: oids[type].includes(typesByColumn.get(name)!) }).toEqual({ name, isRead: true })
  }
})
