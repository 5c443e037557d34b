import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { bundleLines } from './bundle.ts'
import { readArguments } from './operator.ts'

const uuid = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c120'

it('parses each command, and prints the usage for anything else', () => {
  const kind = 'dead-jobs'
  const profile = uuid
  expect(readArguments(['status'])).toEqual({ name: 'status' })
  expect(readArguments(['list', kind])).toEqual({ name: 'list', kind, profileId: undefined })
  expect(readArguments(['list', kind, '--profile', profile])).toEqual({
    name: 'list',
    kind,
    profileId: profile,
  })
  expect(readArguments(['retry', kind, profile])).toEqual({ name: 'retry', kind, id: profile })
  const id = `${profile}.0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c121`
  expect(readArguments(['drop', 'stuck-deliveries', id, '--reason', 'why'])).toEqual({
    name: 'drop',
    kind: 'stuck-deliveries',
    id,
    reason: 'why',
  })
  expect(readArguments(['check'])).toEqual({ name: 'check' })
  expect(readArguments(['retry', kind, '--all'])).toEqual({ name: 'retry-all', kind, profileId: undefined })
  expect(readArguments(['drop', kind, '--all', '--profile', profile, '--reason', 'why'])).toEqual({
    name: 'drop-all',
    kind,
    profileId: profile,
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
    ['drop', kind, '--all'],
    ['retry', kind, '--all', '--reason', 'why'],
    ['retry', kind, '--all', '--profile', 'abc'],
    ['drop', kind, 'x', '--reason', ''],
  ])
    expect(() => readArguments(args), args.join(' ')).toThrow('Usage: npm run operator')
})

it.each([
  ['dead-jobs', 'x'],
  ['dead-jobs', `${uuid}.${uuid}.${uuid}`],
  ['stuck-deliveries', `${uuid}.x`],
])('refuses an id of %s that has another form: %s', (kind, id) => {
  const message = `"${id}" is not an id of a problem: copy one that \`list ${kind}\` prints.`
  for (const args of [
    ['show', kind, id],
    ['retry', kind, id],
    ['drop', kind, id, '--reason', 'why'],
  ])
    expect(() => readArguments(args), args.join(' ')).toThrow(message)
})

it('a bundle has settings without secrets and the redacted end of the log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whence-bundle-'))
  const log = join(folder, 'log')
  await writeFile(log, `first\n${'line\n'.repeat(999)}request of ana@example.com with Bearer abcdefghij\n`)
  const config = readConfig({ METRICS_SECRET: 'quite-a-secret-value', RATE_LIMIT_BURST: '123' })
  try {
    const text = (await bundleLines(config, log, { status: ['no process'] })).join('\n')
    for (const part of ['RATE_LIMIT_BURST: 123', 'METRICS_SECRET: set', 'no process', 'Bearer …'])
      expect(text).toContain(part)
    for (const part of ['quite-a-secret', 'ana@example.com', 'abcdefghij', 'first'])
      expect(text).not.toContain(part)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  expect(readArguments(['bundle', '--log', 'a'])).toEqual({ name: 'bundle', log: 'a' })
  expect(() => readArguments(['bundle', '--log'])).toThrow('Usage')
})
