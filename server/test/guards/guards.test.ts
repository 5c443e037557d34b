import { expect, it } from 'vitest'
import { listFaults } from './faults.ts'
import { faultOf, type Guard, titlePattern } from './guard.ts'
import { guards } from './guards.ts'

it('every guard and planted fault is in the code once, and the test of a guard where the list says', () => {
  expect(listFaults(), 'change server/test/guards or simulation/planted.ts together with the code').toEqual(
    [],
  )
  expect(guards.length).toBeGreaterThanOrEqual(80)
  expect(new Set(guards.map((guard) => guard.name)).size).toBe(guards.length)
})

it('every kind of guard is in the list', () => {
  const kinds = new Set(guards.map((guard) => guard.name.split(':')[0]))
  for (const kind of ['tenancy', 'auth', 'scopes', 'signatures', 'ssrf', 'idempotency'])
    expect(kinds).toContain(kind)
  for (const kind of ['limits', 'money', 'cookies', 'csrf', 'privacy']) expect(kinds).toContain(kind)
})

it('an entry that is out of date is reported', () => {
  const guard: Guard = {
    name: 'example',
    file: 'a.ts',
    snippet: 'if (bad) throw',
    replacement: '',
    test: { file: 'a.test.ts', title: 'refuses' },
  }
  const files: Record<string, string> = { 'a.ts': 'if (bad) throw', 'a.test.ts': "it('refuses', …)" }
  const faultWith = (change: Record<string, string | undefined>) =>
    faultOf(guard, (path) => ({ ...files, ...change })[path])
  expect(faultWith({})).toBeUndefined()
  expect(faultWith({ 'a.ts': undefined })).toContain('does not exist')
  expect(faultWith({ 'a.ts': 'if (worse) throw' })).toContain('0 times')
  expect(faultWith({ 'a.ts': 'if (bad) throw; if (bad) throw' })).toContain('2 times')
  expect(faultWith({ 'a.test.ts': "it('accepts', …)" })).toContain('no test "refuses"')
  expect(faultWith({ 'a.test.ts': "longIt('refuses', …)" })).toContain('only the long run')
})

it('a title represents all that a table of cases makes of it', () => {
  expect(titlePattern('from %j answers %i').test('a write by cookie from {"a":1} answers 403')).toBe(true)
  expect(titlePattern('a (b) costs $1').test('a (b) costs $1')).toBe(true)
  expect(titlePattern('a.b').test('aXb')).toBe(false)
})
