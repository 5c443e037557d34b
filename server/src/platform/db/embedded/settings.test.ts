import { expect, it } from 'vitest'
import { serverSettings, sharedBuffers } from './settings.ts'

const GIGABYTE = 1024 ** 3

it.each([
  [1, '192MB'],
  [4, '512MB'],
  [64, '1024MB'],
])('of %i GB of memory the database keeps %s of pages', (memory, kept) => {
  expect(sharedBuffers(memory * GIGABYTE)).toBe(kept)
})

it('what the caller sets goes before', () => {
  expect(serverSettings('/run/whence', { shared_buffers: '128MB' }).shared_buffers).toBe('128MB')
})
