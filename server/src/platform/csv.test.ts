import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseCsv } from './csv.ts'

it('reads quotes, commas, line ends, a byte order mark and empty fields', () => {
  expect(parseCsv('\ufeffa,b\r\n"x, ""y""\nz",\r\n\r\n1,2')).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', ''],
    ['1', '2'],
  ])
  expect(parseCsv('')).toEqual([])
  expect(parseCsv('a,"b')).toBeUndefined()
})

it('parses every correctly written table', () => {
  const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1 }),
      fc.constantFrom('\n', '\r\n'),
      (rows, end) => {
        expect(parseCsv(rows.map((row) => row.map(quoted).join(',')).join(end))).toEqual(rows)
      },
    ),
  )
})
