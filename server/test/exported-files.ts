/** Reads exported files with DuckDB, which is independent of our writer, using the SQL of docs/sql. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

export type Manifest = {
  run_id: string
  change_number: number | null
  erasures: number
  tables: {
    name: string
    rows: number
    min_day: string | null
    max_day: string | null
    files: {
      path: string
      day: string | null
      rows: number
      bytes: number
      sha256: string
      sums: Record<string, number>
    }[]
  }[]
  replaced: string[]
}
type Row = Record<string, unknown>

const docs = new URL('../../docs/sql/', import.meta.url)
const instance = DuckDBInstance.create(':memory:', { threads: '1' })

export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))

export const filesOf = (manifest: Manifest, table: string) =>
  manifest.tables.find(({ name }) => name === table)?.files ?? []

/** Checks that every file of the manifest exists as described. Returns unlisted paths. */
export async function checkManifest(folder: string): Promise<{ manifest: Manifest; unlisted: string[] }> {
  const manifest = await readManifest(folder)
  const listed = new Set(['manifest.json'])
  for (const { files } of manifest.tables)
    for (const { path, bytes, sha256 } of files) {
      const content = await readFile(join(folder, path))
      if (content.length !== bytes || createHash('sha256').update(content).digest('hex') !== sha256)
        throw new Error(`${path} does not match the manifest`)
      listed.add(path)
    }
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return { manifest, unlisted: paths.filter((path) => !listed.has(path)).sort() }
}

async function rowsOf(connection: DuckDBConnection, text: string): Promise<Row[]> {
  const reader = await connection.runAndReadAll(text)
  return reader
    .getRowObjectsJson()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
        ]),
      ),
    )
}

/** A connection with the views of docs/sql/load.sql. */
export async function openExport(folder: string) {
  const connection = await (await instance).connect()
  const set = (name: string, value: string | number) =>
    connection.run(`set variable ${name} = ${typeof value === 'number' ? value : `'${value}'`}`)
  await set('folder', folder)
  for (const statement of (await readFile(new URL('load.sql', docs), 'utf8')).split(/;\s*$/m))
    if (statement.trim() !== '') await connection.run(statement)
  return {
    query: (text: string) => rowsOf(connection, text),
    async report(file: 'campaigns' | 'channels' | 'cohorts', variables: Record<string, string | number>) {
      for (const [name, value] of Object.entries(variables)) await set(name, value)
      return rowsOf(connection, await readFile(new URL(`${file}.sql`, docs), 'utf8'))
    },
    close: () => connection.closeSync(),
  }
}
