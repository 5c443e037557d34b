import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

// For the workers: server/test/length.ts reads it.
process.env.TEST_LENGTH = 'long'

const tests = globSync('{engine,server,sandbox,tracker,sdk,console,bench,tools}/**/*.test.{ts,tsx}', {
  exclude: (path) => path.endsWith('node_modules') || path.endsWith('dist'),
})
const isLong = (path: string) =>
  /\.long\.test\.tsx?$/.test(path) ||
  path.startsWith('server/test/oracle/') ||
  readFileSync(path, 'utf8').includes("/length.ts'")

/** The long runs: browser flows, kills under load, the oracle, simulation and fuzzing at full length. */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: tests.filter(isLong),
    exclude: ['**/node_modules/**', '**/dist/**'],
    // They end what hangs: the slowest test takes two minutes on a slow machine.
    testTimeout: 480_000,
    hookTimeout: 480_000,
  },
})
