import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../test/database.ts'
import { clockChanges, localDay } from '../contract/zones.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { localDayOf } from './local-day.ts'

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

const start = new Date('2000-01-01T00:00:00Z')
const end = new Date('2050-01-01T00:00:00Z')
const HOUR = 3_600_000

it.each([
  'UTC',
  'Africa/Casablanca',
  'America/St_Johns',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Europe/Madrid',
  'Pacific/Apia',
])('in %s the days of a query are those that the service computes', async (zone) => {
  // Around clock changes, and every local midnight of the months after them.
  const instants = clockChanges(zone, start, end).flatMap(({ startMs, offsetMs }) => [
    startMs - 1000,
    startMs,
    ...Array.from({ length: 40 }, (_, day) => {
      const midnight = Math.ceil((startMs + offsetMs) / (24 * HOUR) + day) * 24 * HOUR - offsetMs
      return [midnight - HOUR, midnight - 1, midnight, midnight + HOUR]
    }).flat(),
  ])
  const texts = instants.map((ms) => new Date(ms).toISOString())
  for (const range of [undefined, { start: new Date(Math.min(...instants)), end }]) {
    const { rows } = await sql<{ day: string }>`
      select ${localDayOf(sql.ref('at'), zone, range)} as day
      from unnest(${texts}::timestamptz[]) with ordinality as given(at, n) order by n`.execute(database.db)
    expect(rows.map(({ day }) => day)).toEqual(instants.map((ms) => localDay(ms, zone)))
  }
})

it('an instant that is null has no day', async () => {
  const { rows } = await sql<{ day: string | null }>`
    select ${localDayOf(sql`null::timestamptz`, 'Europe/Madrid')} as day`.execute(database.db)
  expect(rows).toEqual([{ day: null }])
})

it('no query uses the zone data of PostgreSQL', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(500)
  const usesOther = /at time zone (?!'UTC')[$\w'(]/
  expect(
    files.filter((name) =>
      readFileSync(`${root}${name}`, 'utf8')
        .split('\n')
        .some((line) => !/^\s*(\/?\*|\/\/)/.test(line) && usesOther.test(line)),
    ),
  ).toEqual([])
})
