import pg from 'pg'
import { expect, test } from 'vitest'
import { knownMigrations } from '../src/platform/db/migrate.ts'
import { cloneDatabase } from './database.ts'

test('each clone is migrated and isolated from the others', async () => {
  const clones = await Promise.all([cloneDatabase(), cloneDatabase()])
  const [first, second] = clones.map(({ connectionString }) => new pg.Client({ connectionString }))
  await first!.connect()
  await second!.connect()
  const { rows } = await first!.query('select name from schema_migrations order by name collate "C"')
  expect(rows.map(({ name }) => name)).toEqual(knownMigrations)
  await first!.query('create table mine ()')
  const seen = await second!.query("select to_regclass('mine') as mine")
  expect(seen.rows).toEqual([{ mine: null }])
  await first!.end()
  await second!.end()
  await Promise.all(clones.map((clone) => clone.drop()))
  const client = new pg.Client({ connectionString: clones[0]!.connectionString })
  await expect(client.connect()).rejects.toThrow('does not exist')
})
