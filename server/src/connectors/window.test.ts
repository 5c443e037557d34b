import { afterEach, expect, it, vi } from 'vitest'
import { parseJson } from './json.ts'
import { toInstant } from './window.ts'

afterEach(() => vi.unstubAllEnvs())

it.each([
  ['2026-01-05T10:00:00', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05 10:00', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05T10:00:00+05:30', '2026-01-05T04:30:00.000Z'],
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
  [1_767_607_200_000, '2026-01-05T10:00:00.000Z'],
  [1e20, null],
  ['+999999-01-01T00:00:00Z', null],
  ['soon', null],
  ['', null],
])('the instant of %s is %s in any time zone of the server', (written, instant) => {
  vi.stubEnv('TZ', 'America/Sao_Paulo')
  expect(toInstant(written)).toBe(instant)
})

it('integers beyond the safe range keep their digits', () => {
  const text =
    '{"id":120210000000000123,"list":[9007199254740993,-9007199254740993],"n":1.5,"e":1e21,"s":"12345678901234567"}'
  expect(parseJson(text)).toEqual({
    id: '120210000000000123',
    list: ['9007199254740993', '-9007199254740993'],
    n: 1.5,
    e: 1e21,
    s: '12345678901234567',
  })
  expect(parseJson('{"id":9007199254740991}')).toEqual({ id: 9007199254740991 })
  expect(() => parseJson('{"id":1234567890123456')).toThrow(SyntaxError)
})

it.each(['%', '[%]', '[ %]', '[1,%]', '[1,\n%]', '{"id":%}', '{"id":\t%}'])(
  'a long whole number keeps its digits in %j',
  (text) => {
    for (const number of ['120210000000000123', '-120210000000000123'])
      expect(JSON.stringify(parseJson(text.replace('%', number)))).toContain(`"${number}"`)
  },
)
