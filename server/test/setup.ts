/** Before every test file: property tests start from the same seed in every run, unless `SEED` is set. */
import { flushCompileCache } from 'node:module'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { startingSeed } from './seed.ts'

fc.configureGlobal({ seed: startingSeed() })

// A worker is killed at the end of a run, and a killed process keeps nothing of what it compiled.
afterAll(() => flushCompileCache())
