import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

/** The proofs that take hundreds of worlds each, planted or random. All of them together may take eight minutes on two cores. */
export default defineConfig({
  test: {
    include: ['{engine,server,bench}/**/*.proof.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // Arithmetic, not waiting: more workers than cores would only share them.
    maxWorkers: availableParallelism(),
    isolate: false,
    execArgv: usual.test?.execArgv ?? [],
    globalSetup: ['server/test/database.ts'],
    testTimeout: 480_000,
    hookTimeout: 120_000,
  },
})
