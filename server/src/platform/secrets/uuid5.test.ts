import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toUuid, uuidv5, withTimeOf } from './uuid5.ts'

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

test('matches the example of RFC 9562', () => {
  expect(uuidv5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test('a name of any length and alphabet has the id of its bytes, whatever was hashed before', () => {
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

test('ids derived from tracker ids start with their time, others do not', () => {
  const derived = toUuid('0123456789abcdef'.repeat(2), 8)
  const trackerId = '019a9b8c-7d6e-8ada-af00-112233445566'
  expect(withTimeOf(trackerId, derived)).toBe('019a9b8c-7d6e-8def-8123-456789abcdef')
  const otherIds = [
    '019a9b8c-7d6e-7ada-9f00-112233445566',
    '019a9b8c-7d6e-8ada-1f00-112233445566',
    '019a9b8c-7d6e-8ada-9f00-112233445566',
    '019A9B8C-7d6e-8ada-af00-112233445566',
    '019a9b8c-7d6e-8ada-af00-11223344556',
    '019a9b8c-7d6e-8ada-af00-112233445566x',
    `x${trackerId}`,
    'zzzzzzzz-zzzz-8ada-af00-112233445566',
    "0'; drop-tabl-8ada-af00-112233445566",
    '',
  ]
  for (const other of otherIds) expect(withTimeOf(other, derived)).toBe(derived)
})
