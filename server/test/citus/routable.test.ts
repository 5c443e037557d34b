/**
 * Finds statements in the source that Citus cannot route to one shard: an INSERT inside a CTE queries every node,
 * and `insert … select` of parameters without a table of the shard is collected on the queried node. Both are
 * acceptable for rare statements; statements per event use `values` or `platform/db/shard-anchor.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { statementsOf } from '../../src/platform/db/migrate.ts'
import { tableKinds } from '../../src/platform/db/tables.ts'

const folder = new URL('../../src/', import.meta.url).pathname

/** Files on the path of every event. */
const hot = [
  'attribution/crediting',
  'attribution/pipeline',
  'facts/conversions',
  'facts/events',
  'facts/export-queue',
  'facts/identity',
  'facts/outbox',
  'outgoing/webhooks/delivery',
]

/** Allowed statements that are not routed to one shard, per file, with the reason. */
const allowed: Record<string, number> = {
  // One statement for everything, used on plain PostgreSQL.
  'features/facts/events/insert-fresh.ts': 4,
  // Refused events: rare, and outside every transaction of accepted ones.
  'features/facts/events/refusals.ts': 1,
}

type Form = 'insert in a CTE' | 'parameters without a table of the shard'

function formsOf(source: string): Form[] {
  const forms: Form[] = []
  for (const [statement] of source.matchAll(/insert\s+into[\s\S]*?`\s*(\.execute|$|[,;)])/gim)) {
    const table = /insert\s+into\s+"?(\w+)/i.exec(statement)?.[1]
    if (table !== undefined && tableKinds[table] !== 'distributed') continue
    const select = /\bselect\b([\s\S]*)/i.exec(statement)?.[1]
    if (select === undefined || /\bvalues\s*\(/i.test(statement.slice(0, statement.search(/\bselect\b/i))))
      continue
    if (/anchoredProfileId\(/.test(select)) continue
    const reads = [...select.matchAll(/\b(?:from|join)\s+"?(\w+)/gi)].some(
      ([, name]) => tableKinds[name!] === 'distributed',
    )
    if (!reads && /unnest\(|jsonb_to_recordset\(/.test(select))
      forms.push('parameters without a table of the shard')
  }
  for (const _ of source.matchAll(/\bas\s*(?:materialized\s*)?\(\s*insert\s+into/gi))
    forms.push('insert in a CTE')
  return forms
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => hot.some((feature) => name.startsWith(`features/${feature}/`)))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))

it('only the allowed statements cannot be routed to one shard', () => {
  const formCounts = files
    .map((name): [string, number] => [name, formsOf(readFileSync(join(folder, name), 'utf8')).length])
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(formCounts)).toEqual(allowed)
})

/** `unnest` of arrays with a cast in the select list: Citus refuses the statement. */
const castOfSet = /unnest\([^;`]*?::\w+\[\]\)::/

it('no statement casts what unnest returns in the list of a select', () => {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const castingFiles = all.filter((name) => castOfSet.test(readFileSync(join(folder, name), 'utf8')))
  expect(castingFiles).toEqual([])
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: SQL as it is written
it('the forms are recognised', () => {
  expect(
    formsOf('sql`with fresh as (insert into events (id) select id from input) select 1`.execute(tx)'),
  ).toContain('insert in a CTE')
  expect(
    formsOf(
      'sql`insert into touches (profile_id, id) select ${id}::uuid, unnest(${ids}::uuid[])`.execute(tx)',
    ),
  ).toEqual(['parameters without a table of the shard'])
  expect(
    formsOf(
      'sql`insert into touches (profile_id, id) select ${anchoredProfileId(tx, id)}, unnest(${ids}::uuid[])`.execute(tx)',
    ),
  ).toEqual([])
  expect(castOfSet.test('select ${id}, unnest(${texts(rows)}::text[])::bigint[] from own')).toBe(true)
  expect(castOfSet.test('select u.a::bigint[] from unnest(${texts(rows)}::text[]) as u(a)')).toBe(false)
  expect(formsOf('sql`insert into touches (profile_id, id) values (${id}, ${other})`.execute(tx)')).toEqual(
    [],
  )
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: SQL as it is written

it('no statement updates profile_id of an existing row, which Citus refuses', () => {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const setting = /profile_id'[^\n]*doUpdateSet\(row\)/
  expect(all.filter((name) => setting.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
})

/** Depends on the session's time zone, so Citus refuses it in an update of a distributed table; use `at time zone 'UTC'`. */
const timeMinusInterval = /\bset\b[\s\S]*\b\w+_at\s*[-+]\s*interval/i

it('no migration sets a column to a time minus an interval in the time zone of the session', () => {
  const migrations = new URL('../../migrations/', import.meta.url).pathname
  const updates = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) =>
      statementsOf(readFileSync(join(migrations, name), 'utf8')).map((statement) => ({ name, statement })),
    )
    .filter(({ statement }) => /^update\b/i.test(statement))
  expect(updates.length).toBeGreaterThan(0)
  expect(updates.filter(({ statement }) => timeMinusInterval.test(statement))).toEqual([])
})
