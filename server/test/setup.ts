/** Before every test file: property tests start from the same seed in every run, unless `SEED` is set. */
import fc from 'fast-check'
import { startingSeed } from './seed.ts'

fc.configureGlobal({ seed: startingSeed() })
