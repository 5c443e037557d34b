import { checkAgingWorlds } from './worlds.ts'

checkAgingWorlds('proofs')
