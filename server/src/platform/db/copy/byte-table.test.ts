import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteTable } from './byte-table.ts'

it('numbers each byte string once, in order of first use, for any count', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 6 }), { maxLength: 3000 }), (keys) => {
      const table = new ByteTable(2)
      const expected = new Map<string, number>()
      for (const key of keys) {
        const bytes = new DataView(Uint8Array.from([120, 120, ...key]).buffer)
        const text = Buffer.from(key).toString('hex')
        const number = expected.get(text)
        expect(table.numberOf(bytes, 2, bytes.byteLength, false)).toBe(number ?? -1)
        if (number === undefined) expected.set(text, expected.size)
        expect(table.numberOf(bytes, 2, bytes.byteLength)).toBe(expected.get(text))
      }
      for (const [text, number] of expected) expect(table.keyAt(number).toString('hex')).toBe(text)
    }),
    { numRuns: 30 },
  )
})
