import { checkWorlds } from './worlds.ts'

checkWorlds(3)
