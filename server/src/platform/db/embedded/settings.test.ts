import { expect, it } from 'vitest'
import { maxWalSize, serverSettings, sharedBuffers } from './settings.ts'

const GIGABYTE = 1024 ** 3

it.each([
  [1, '192MB'],
  [4, '512MB'],
  [64, '1024MB'],
])('of %i GB of memory the database keeps %s of pages', (memory, size) => {
  expect(sharedBuffers(memory * GIGABYTE)).toBe(size)
})

it.each([
  [1, '1024MB'],
  [25, '2560MB'],
  [500, '4096MB'],
])('with %i GB of disk free the log between two checkpoints is at most %s', (free, size) => {
  expect(maxWalSize(free * GIGABYTE)).toBe(size)
})

it('settings of the caller take precedence', () => {
  expect(serverSettings('/run/whence', GIGABYTE, { shared_buffers: '128MB' }).shared_buffers).toBe('128MB')
})
