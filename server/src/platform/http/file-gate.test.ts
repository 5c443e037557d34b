import { expect, it } from 'vitest'
import { createFileGate } from './file-gate.ts'

const refusal = { code: 'rate_limit_exceeded', retryAfter: 2 }

it('allows two concurrent large files per workspace', () => {
  const gate = createFileGate(4)
  const leave = gate.enter('a')
  gate.enter('a')
  expect(() => gate.enter('a')).toThrow(expect.objectContaining(refusal))
  gate.enter('b')
  leave()
  gate.enter('a')
  expect(() => gate.enter('a')).toThrow(expect.objectContaining(refusal))
})

it('limits the total number of concurrent large files', () => {
  const gate = createFileGate(4)
  const leaves = Array.from({ length: 4 }, (_, id) => gate.enter(`workspace-${id}`))
  expect(() => gate.enter('e')).toThrow(expect.objectContaining(refusal))
  leaves[2]!()
  gate.enter('e')
})
