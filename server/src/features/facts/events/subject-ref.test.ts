import { expect, it } from 'vitest'
import { subjectRefProblem } from './subject-ref.ts'

it.each([
  ['an @', ['ana@example.com', '@ana'], 'an @'],
  ['another form', ['', 'a b', 'x'.repeat(33), 'ñandú', 'a.b', '555 123 4567'], 'neither a UUID nor'],
  ['a digest', ['d41d8cd98f00b204e9800998ecf8427e', 'D41D8CD98F00B204E9800998ECF8427E'], 'digest'],
  [
    'a date',
    [
      '1990-05-15',
      '1990_5_15',
      '15-05-1990',
      '05-15-1990',
      '15_5_1990',
      '15-05-90',
      '19900515',
      'dob-19900515',
      'born1990-05-15',
      '15-May-1990',
      '15may1990',
      'may-15-1990',
      'September_3_2001',
    ],
    'contains a date',
  ],
  [
    'a phone',
    ['5551234', '555-123-4567', '34_600_123_456', 'tel-600123456', 'tel5551234567'],
    'digits in a row',
  ],
  [
    'a name',
    ['maria-lopez', 'Maria_Lopez', 'MARIA-LOPEZ', 'Maria', 'MariaLopez', 'ana-maria-ruiz'],
    'a name',
  ],
])('rejects %s and names the problem', (_, refs, problem) => {
  for (const ref of refs)
    expect([ref, subjectRefProblem(ref)]).toEqual([ref, expect.stringContaining(problem)])
})

it.each([
  '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111',
  'a1',
  'child_2',
  'P-104',
  's-1990',
  'kid-0007',
  'cus_NffrFeUfNV2Hib',
])('accepts %s', (ref) => expect(subjectRefProblem(ref)).toBeNull())

const URL_SAFE = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict'
const kinds: [string, string, number, number][] = [
  ['nanoid', URL_SAFE, 21, 0.0002],
  ['hex of 12', '0123456789abcdef', 12, 0.015],
  ['hex of 16', '0123456789abcdef', 16, 0.004],
  ['ObjectId', '0123456789abcdef', 24, 0.0005],
  ['ULID', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26, 0.0002],
  ['cuid2', '0123456789abcdefghijklmnopqrstuvwxyz', 24, 0.0002],
  ['base 62', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 14, 0.0002],
]

it.each(kinds)(
  'random ids, %s: the false rejection rate is below its bound',
  (_, alphabet, length, bound) => {
    const ROUNDS = 50_000
    let state = 7
    const random = () => {
      // xorshift32: the same ids in every run.
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      return (state >>> 0) / 2 ** 32
    }
    let refusedCount = 0
    for (let i = 0; i < ROUNDS; i++) {
      const id = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
      if (subjectRefProblem(id) !== null) refusedCount++
    }
    expect(refusedCount / ROUNDS).toBeLessThanOrEqual(bound)
  },
)
