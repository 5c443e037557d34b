import { expect, it } from 'vitest'
import { Pack } from './pack.ts'

type Kept = { entity: string; measures: number[]; changes?: string }

function packed(lines: readonly (readonly [string, readonly number[]])[]): Kept[] {
  const rows: Kept[] = []
  const pack = new Pack((row) => rows.push(row))
  for (const [entity, measures] of lines) pack.add(Buffer.from(entity), measures)
  pack.close()
  return rows
}

it('has a line per entity with exact measures', () => {
  const measures = [0, 1, -1, 10, 999, -120_050, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
  expect(
    packed([
      ['email Zürich · news', measures],
      ['b', [7]],
    ]),
  ).toEqual([{ entity: '', measures: [], changes: `{${measures.join(',')}} email Zürich · news\n{7} b` }])
  expect(packed([])).toEqual([])
})

it('stores a name with a line break, or a very long one, in a row of its own', () => {
  const long = 'x'.repeat(200)
  const rows = packed([
    ['a', [1]],
    ['two\nlines', [2, 3]],
    [long, [4]],
    ['b', [5]],
  ])
  expect(rows).toEqual([
    { entity: 'two\nlines', measures: [2, 3] },
    { entity: long, measures: [4] },
    { entity: '', measures: [], changes: '{1} a\n{5} b' },
  ])
})

it('stays below the size at which the database compresses', () => {
  const lines = Array.from({ length: 500 }, (_, at) => [`entity ${at}`, [at, -at, 1e12 + at]] as const)
  const rows = packed(lines)
  for (const { changes } of rows) expect(Buffer.byteLength(changes!)).toBeLessThan(1900)
  expect(rows.flatMap(({ changes }) => changes!.split('\n'))).toEqual(
    lines.map(([entity, measures]) => `{${measures.join(',')}} ${entity}`),
  )
})

it('fits the longest line into a pack that is nearly full', () => {
  const lines = [
    ...Array.from({ length: 11 }, () => ['x'.repeat(128), [7]] as const),
    ['y'.repeat(32), [7]] as const,
    ['z'.repeat(128), new Array<number>(15).fill(Number.MIN_SAFE_INTEGER)] as const,
  ]
  const [row, ...otherRows] = packed(lines)
  expect(row!.changes!.split('\n')).toEqual(
    lines.map(([entity, measures]) => `{${measures.join(',')}} ${entity}`),
  )
  expect(otherRows).toEqual([])
})

it('uses little memory with few lines', () => {
  const before = process.memoryUsage().arrayBuffers
  const packs = Array.from({ length: 5000 }, () => new Pack(() => {}))
  const entity = Buffer.from('9c0d3f0e-5d3c-4b7e-9a55-0f6f0a3f6f10')
  for (const pack of packs) pack.add(entity, [1, -4900, 0, 0, 0, 0, 1, -4900, 0, 0])
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5000 * 200)
  for (const pack of packs) pack.close()
})
