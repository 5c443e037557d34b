import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ProofsLock } from './server/test/proofs/reporter.ts'
import usual from './vitest.config.ts'

/** The proofs that take hundreds of worlds each, planted or random. All of them together may take eight minutes on two cores; what passed is written into proofs.lock. */
export default defineConfig({
  test: {
    include: ['{engine,server,bench}/**/*.proof.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // Arithmetic, not waiting: more workers than cores would only share them.
    maxWorkers: availableParallelism(),
    isolate: false,
    execArgv: usual.test?.execArgv ?? [],
    experimental: usual.test?.experimental ?? {},
    reporters: ['default', new ProofsLock()],
    globalSetup: ['server/test/database.ts'],
    testTimeout: 480_000,
    hookTimeout: 120_000,
  },
})
