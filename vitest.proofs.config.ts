import { availableParallelism, tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { memoryDisk } from './server/test/memory-disk.ts'

process.env.TMPDIR ??= memoryDisk() ?? tmpdir()

/** The proofs that take hundreds of worlds each, planted or random. All of them together may take eight minutes on two cores. */
export default defineConfig({
  test: {
    include: ['{engine,server,bench}/**/*.proof.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // Arithmetic, not waiting: more workers than cores would only share them.
    maxWorkers: availableParallelism(),
    globalSetup: ['server/test/database.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
})
