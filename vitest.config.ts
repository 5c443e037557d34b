import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{engine,server,tracker,console,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    maxWorkers: '100%',
    globalSetup: ['server/test/database.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
