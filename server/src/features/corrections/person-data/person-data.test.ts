import { expect, it } from 'vitest'
import { columnTypes } from '../../../platform/db/schema.ts'
import { freeOfPeople } from './free-tables.ts'
import { personTables } from './list.ts'

const words = (text = '') => text.split(/\s+/).filter(Boolean)
const free = freeOfPeople.flatMap(({ tables }) => words(tables))
const columnsOf = (table: string) =>
  Object.keys((columnTypes as Record<string, Record<string, string>>)[table] ?? {})

/** Columns that are named like data of a person, or like a key that leads to one. */
const looksPersonal =
  /identifier|customer|payer|person|people|recipient|email|phone|subject_ref|anonymous_id|session_id|user_agent|^ip$|cookies|(^|_)(event|conversion|payment|conversation)_id|payment_external_id|order_(id|ref)|click_id$|leadgen|field_data|answer|^trait|^arguments$|shown/

it('every table is in the list of tables with people, or named as free of them with a reason', () => {
  const listed = [...personTables.map(({ table }) => table), ...free]
  expect(listed.toSorted()).toEqual(Object.keys(columnTypes).toSorted())
})

it('every column of a table with people is a key, exported under a name, or named as internal', () => {
  for (const { table, findBy, export: shown, internal } of personTables) {
    const exported = 'none' in shown ? [] : Object.keys(shown.columns)
    const named = [...Object.keys(findBy), ...exported, ...words(internal)]
    expect(new Set(['profile_id', ...named]), table).toEqual(new Set(['profile_id', ...columnsOf(table)]))
    expect(
      exported.filter((column) => words(internal).includes(column)),
      table,
    ).toEqual([])
  }
})

it('no column of a table that is named as free of people looks personal, unless the list names it', () => {
  const despite = freeOfPeople.flatMap((group) => words(group.despite))
  const suspicious = free.flatMap((table) =>
    columnsOf(table).flatMap((column) => (looksPersonal.test(column) ? `${table}.${column}` : [])),
  )
  expect(suspicious.toSorted()).toEqual(despite.toSorted())
})

it('each section has its own name, each of its fields too', () => {
  const sections = personTables.flatMap(({ export: shown }) => ('none' in shown ? [] : [shown]))
  expect(new Set(sections.map(({ section }) => section)).size).toBe(sections.length)
  for (const { section, columns, computed = {} } of sections) {
    const names = Object.values(columns).map((column) => (typeof column === 'string' ? column : column.name))
    const all = [...names, ...Object.keys(computed)]
    expect(new Set(all).size, section).toBe(all.length)
  }
})
