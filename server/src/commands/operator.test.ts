import { expect, it } from 'vitest'
import { readArguments } from './operator.ts'

it('reads each command, and answers anything else with the usage', () => {
  const kind = 'dead-jobs'
  expect(readArguments(['status'])).toEqual({ name: 'status' })
  expect(readArguments(['list', kind])).toEqual({ name: 'list', kind, profileId: undefined })
  expect(readArguments(['list', kind, '--profile', 'p'])).toEqual({ name: 'list', kind, profileId: 'p' })
  expect(readArguments(['retry', kind, 'x'])).toEqual({ name: 'retry', kind, id: 'x' })
  expect(readArguments(['drop', kind, 'x', '--reason', 'why'])).toEqual({
    name: 'drop',
    kind,
    id: 'x',
    reason: 'why',
  })
  expect(readArguments(['refused'])).toEqual({ name: 'refused', filter: {} })
  expect(readArguments(['refused', '--request', 'r', '--key=k', '--profile', 'p'])).toEqual({
    name: 'refused',
    filter: { request: 'r', key: 'k', profile: 'p' },
  })
  for (const args of [
    ['refused', 'x'],
    ['refused', '--reason', 'x'],
    ['refused', '--request'],
    [],
    ['status', 'x'],
    ['list', 'jobs'],
    ['list', kind, 'x'],
    ['show', kind],
    ['drop', kind, 'x'],
    ['drop', kind, 'x', '--reason', ''],
  ])
    expect(() => readArguments(args), args.join(' ')).toThrow('Usage: npm run operator')
})
