import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildTracker } from '../build.ts'

test('the served script is at most 8 KB gzipped and has no imports', async () => {
  const text = await buildTracker()
  expect(text).not.toMatch(/\b(import|require)\s*\(/)
  expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(8 * 1024)
})
