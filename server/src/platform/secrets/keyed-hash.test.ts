import { createHmac, createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyedHash } from './keyed-hash.ts'

test('the HMAC of any message and key matches the library, whatever was hashed before', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 150 })
  const message = fc.string({ unit: 'grapheme', maxLength: 2000, size: 'max' })
  fc.assert(
    fc.property(bytes, fc.array(message, { minLength: 1, maxLength: 4 }), (secret, messages) => {
      const key = createSecretKey(secret)
      for (const text of messages)
        expect(keyedHash(key, text)).toBe(createHmac('sha256', secret).update(text).digest('hex'))
    }),
    { numRuns: 200 },
  )
})
