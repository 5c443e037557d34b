import { expect, it } from 'vitest'
import { grown } from './columns.ts'

it('copies the values and frees the smaller column', () => {
  const column = Float64Array.from({ length: 200 }, (_, index) => index)
  expect(grown(column, 200)).toBe(column)
  const larger = grown(column, 201)
  expect(larger.length).toBe(400)
  expect([...larger.subarray(0, 200)]).toEqual(Array.from({ length: 200 }, (_, index) => index))
  expect(column.buffer.byteLength).toBe(0)
})

it('does not free short columns, which are on the heap', () => {
  const column = Int32Array.of(1, 2)
  expect([...grown(column, 3)]).toEqual([1, 2, 0, 0])
  expect([...column]).toEqual([1, 2])
})
