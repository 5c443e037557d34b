import { expect, it } from 'vitest'
import { createFileGate } from './file-gate.ts'

const refused = { code: 'rate_limit_exceeded', retryAfter: 2 }

it('lets one large file per credential through at a time', () => {
  const gate = createFileGate()
  const leave = gate.enter('a')
  expect(() => gate.enter('a')).toThrow(expect.objectContaining(refused))
  gate.enter('b')
  leave()
  gate.enter('a')
})

it('lets four through in all', () => {
  const gate = createFileGate()
  const leaves = ['a', 'b', 'c', 'd'].map((id) => gate.enter(id))
  expect(() => gate.enter('e')).toThrow(expect.objectContaining(refused))
  leaves[2]!()
  gate.enter('e')
})
