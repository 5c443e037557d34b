import { expect, it } from 'vitest'
import { readArguments } from './operator.ts'

it('parses each command, and prints the usage for anything else', () => {
  const kind = 'dead-jobs'
  const profile = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c120'
  expect(readArguments(['status'])).toEqual({ name: 'status' })
  expect(readArguments(['list', kind])).toEqual({ name: 'list', kind, profileId: undefined })
  expect(readArguments(['list', kind, '--profile', profile])).toEqual({
    name: 'list',
    kind,
    profileId: profile,
  })
  expect(readArguments(['retry', kind, 'x'])).toEqual({ name: 'retry', kind, id: 'x' })
  expect(readArguments(['drop', kind, 'x', '--reason', 'why'])).toEqual({
    name: 'drop',
    kind,
    id: 'x',
    reason: 'why',
  })
  expect(readArguments(['refused'])).toEqual({ name: 'refused', filter: {} })
  expect(readArguments(['refused', '--request', 'r', '--key=k', '--profile', profile])).toEqual({
    name: 'refused',
    filter: { request: 'r', key: 'k', profile },
  })
  for (const args of [
    ['refused', 'x'],
    ['refused', '--reason', 'x'],
    ['refused', '--request'],
    ['refused', '--key', 'k'],
    ['refused', '--profile', 'abc'],
    ['list', kind, '--profile', 'abc'],
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
