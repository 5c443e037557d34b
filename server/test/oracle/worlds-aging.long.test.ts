import { checkAgingWorlds } from './worlds.ts'

checkAgingWorlds('tests')
