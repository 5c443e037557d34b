import { availableParallelism, tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './server/test/long-files-first.ts'
import { memoryDisk } from './server/test/memory-disk.ts'

// For this process and all that it starts.
process.env.TMPDIR ??= memoryDisk() ?? tmpdir()

export default defineConfig({
  test: {
    include: ['{engine,server,tracker,console,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // Files wait for databases and browsers: on two cores four take less time than three, and no core is idle.
    maxWorkers: availableParallelism() * 2,
    // Each file has a service and a database of its own; reading the whole product anew for each costs a second of a core.
    isolate: false,
    // Much is made and dropped at once, and collecting it seldomer saves a twentieth of the time.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-heap-size=1024'],
    sequence: { sequencer: LongFilesFirst },
    globalSetup: ['server/test/database.ts'],
    testTimeout: 60_000,
    // A page is asked again until it shows what is waited for: how long that takes says nothing about it.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
  },
})
