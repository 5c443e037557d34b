import { expect, it } from 'vitest'
import { allocateDoubles, allocateIntegers, ColumnMemory } from './column-memory.ts'

it('allocates separate zeroed memory per column, also beyond the expected size', () => {
  const memory = new ColumnMemory(64)
  const columns = [3, 5, 100, 1, 7].flatMap((length) => [
    allocateIntegers(memory.allocate, length),
    allocateDoubles(memory.allocate, length),
  ])
  for (const column of columns) expect([...column]).toEqual(new Array(column.length).fill(0))
  for (const [number, column] of columns.entries()) column.fill(number + 1)
  for (const [number, column] of columns.entries())
    expect([...column]).toEqual(new Array(column.length).fill(number + 1))
})

it('allocates the expected size in one block', () => {
  const memory = new ColumnMemory(8 * 10 + 4 * 20)
  const doubles = allocateDoubles(memory.allocate, 10)
  expect(allocateIntegers(memory.allocate, 20).buffer).toBe(doubles.buffer)
})

it('frees all columns at once', () => {
  const memory = new ColumnMemory(64)
  const columns = [allocateDoubles(memory.allocate, 8), allocateIntegers(memory.allocate, 1000)]
  memory.release()
  for (const column of columns) expect(column.buffer.byteLength).toBe(0)
})
