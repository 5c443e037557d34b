/**
 * Forms that Citus cannot send to one shard, found in the SQL as it is written: an INSERT inside a CTE asks every node,
 * and `insert … select` of parameters without a table of the shard is collected on the node that was queried. Both are
 * for what happens seldom; what happens with every event uses `values` or `platform/db/shard-anchor.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { statementsOf } from '../../src/platform/db/migrate.ts'
import { tableKinds } from '../../src/platform/db/tables.ts'

const folder = new URL('../../src/', import.meta.url).pathname

/** What every event passes through. */
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

/** How many statements of these files are not of one shard, and why they may be. */
const allowed: Record<string, number> = {
  // One statement for all, where there is one database.
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
    if (/ownId\(/.test(select)) continue
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

it('statements that Citus cannot send to one shard are those that are known', () => {
  const found = files
    .map((name): [string, number] => [name, formsOf(readFileSync(join(folder, name), 'utf8')).length])
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(found)).toEqual(allowed)
})

/** Rows of arrays, cast in the list of the select: Citus refuses the whole statement. */
const castOfSet = /unnest\([^;`]*?::\w+\[\]\)::/

it('no statement casts what unnest returns in the list of a select', () => {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const found = all.filter((name) => castOfSet.test(readFileSync(join(folder, name), 'utf8')))
  expect(found).toEqual([])
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
      'sql`insert into touches (profile_id, id) select ${ownId(tx, id)}, unnest(${ids}::uuid[])`.execute(tx)',
    ),
  ).toEqual([])
  expect(castOfSet.test('select ${id}, unnest(${texts(rows)}::text[])::bigint[] from own')).toBe(true)
  expect(castOfSet.test('select u.a::bigint[] from unnest(${texts(rows)}::text[]) as u(a)')).toBe(false)
  expect(formsOf('sql`insert into touches (profile_id, id) values (${id}, ${other})`.execute(tx)')).toEqual(
    [],
  )
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: SQL as it is written

it('no statement sets the profile of a row that is there, which Citus refuses', () => {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const setting = /profile_id'[^\n]*doUpdateSet\(row\)/
  expect(all.filter((name) => setting.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
})

/** It depends on the session's time zone, so Citus refuses it in an update of a distributed table: `at time zone 'UTC'` first. */
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
