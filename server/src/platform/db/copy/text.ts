/** COPY in text format, which every PostgreSQL version can read, over a connection outside the pool. */
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { withSettings } from '../session-settings.ts'

export async function connectAlone(connection: pg.ClientConfig, name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...withSettings(connection), application_name: name })
  await client.connect()
  return client
}

const list = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

/** A query, so that it also works for partitioned tables. */
export function textOut(client: pg.Client, table: string, columns: readonly string[]) {
  return client.query(copyTo(`copy (select ${list(columns)} from "${table}") to stdout`))
}

export function textIn(client: pg.Client, table: string, columns: readonly string[]) {
  return client.query(copyFrom(`copy "${table}" (${list(columns)}) from stdin`))
}
