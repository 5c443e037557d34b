import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './server/test/long-files-first.ts'
import { memoryDisk } from './server/test/memory-disk.ts'

// For this process and its children.
process.env.TMPDIR ??= memoryDisk() ?? tmpdir()
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile')

const { SHUFFLE } = process.env

export default defineConfig({
  test: {
    include: ['{engine,server,sandbox,tracker,sdk,console,bench,tools}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.{ts,tsx}'],
    pool: 'forks',
    // Files wait for databases and browsers: on two cores four workers are faster than three.
    maxWorkers: availableParallelism() * 2,
    // Each file has its own service and database; loading all modules again for each costs a second of CPU.
    isolate: false,
    // Node loads the sources as in `npm start`, and keeps what it compiled: Vite would transform them first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [
      // Most objects die young; fewer garbage collections save a twentieth of the time.
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--initial-heap-size=1024',
      // The SDK runs from its sources; in the repository it has no build.
      '--conditions=@whence/source',
    ],
    // `npm run flaky` sets a seed.
    sequence: SHUFFLE ? { shuffle: { files: true }, seed: Number(SHUFFLE) } : { sequencer: LongFilesFirst },
    globalSetup: ['server/test/database.ts'],
    setupFiles: ['server/test/setup.ts'],
    // They end what hangs: the slowest test takes 20 s on a free machine and 40 s on a busy one.
    testTimeout: 120_000,
    // Polling continues until the page shows the expected content; the duration does not matter.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
  },
})
