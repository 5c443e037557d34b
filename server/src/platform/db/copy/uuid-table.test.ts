import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { inIdOrder } from '../../../features/attribution/crediting/full/conversions.ts'
import { uuidBytes } from './copy-in.ts'
import { UuidList, UuidTable } from './uuid-table.ts'

const viewOf = (id: string) => new DataView(Uint8Array.from(uuidBytes(id)).buffer)

it('numbers each id once, in order of first use, while the table grows', () => {
  const ids = Array.from({ length: 5000 }, () => randomUUID() as string)
  for (const table of [new UuidTable(), new UuidTable(4999)]) numbersInOrder(table, ids)
})

function numbersInOrder(table: UuidTable, ids: readonly string[]): void {
  for (const [number, id] of ids.entries()) {
    expect(table.numberOf(viewOf(id), 0, false)).toBe(-1)
    expect(table.numberOf(viewOf(id), 0)).toBe(number)
  }
  for (const [number, id] of ids.entries()) {
    expect(table.numberOf(viewOf(id), 0, false)).toBe(number)
    expect(table.textAt(number)).toBe(id)
  }
}

it('sorts the selected ids like their text, also if many share a prefix', () => {
  const list = new UuidList()
  const ids = ['ffffffff-0000-4000-8000-000000000000', '7fffffff-0000-4000-8000-000000000000']
  for (let index = 0; index < 300; index++)
    ids.push(randomUUID(), `00000000-0000-4000-8000-0000000${99_000 - index}`)
  for (const id of ids) list.push(viewOf(id), 0)
  const order = inIdOrder(list, (number) => number % 3 !== 0)
  const expected = ids.filter((_, number) => number % 3 !== 0)
  expect([...order].map((number) => ids[number])).toEqual(expected.sort())
})

it('keeps ids that are already in order', () => {
  const list = new UuidList()
  const ids = Array.from({ length: 300 }, () => randomUUID() as string).sort()
  for (const id of ids) list.push(viewOf(id), 0)
  const expected = Array.from(ids.keys()).filter((number) => number % 3 !== 0)
  expect([...inIdOrder(list, (number) => number % 3 !== 0)]).toEqual(expected)
})
