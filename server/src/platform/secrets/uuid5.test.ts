import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidv5 } from './uuid5.ts'

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

test('the example of RFC 9562 has its id', () => {
  expect(uuidv5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test('a name of any length and alphabet has the id that its bytes say, whatever was hashed before', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.string({ unit: 'grapheme', maxLength: 3000, size: 'max' }),
      (namespace, name) => {
        const digest = createHash('sha1')
          .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
          .update(name)
          .digest()
        digest[6] = (digest[6]! & 0x0f) | 0x50
        digest[8] = (digest[8]! & 0x3f) | 0x80
        expect(uuidv5(namespace, name).replaceAll('-', '')).toBe(digest.toString('hex', 0, 16))
      },
    ),
    { numRuns: 200 },
  )
})
