/** Before every test file: properties start from the same seed in every run, unless `SEED` says otherwise. */
import fc from 'fast-check'
import { startingSeed } from './seed.ts'

fc.configureGlobal({ seed: startingSeed() })
