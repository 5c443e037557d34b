import { checkWorlds } from './worlds.ts'

checkWorlds(1, 'tests')
