import { checkWorlds } from './worlds.ts'

checkWorlds(0, 'tests')
