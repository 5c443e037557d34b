import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plantedFaults } from '../simulation/planted.ts'
import { changeFault, faultOf } from './guard.ts'
import { guards } from './guards.ts'

export const root = join(import.meta.dirname, '../../..')

/** Guards, and faults planted for the simulation, that no longer match the checkout. */
export function listFaults(): string[] {
  const read = (path: string) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
  return [
    ...guards.map((guard) => ({ name: guard.name, fault: faultOf(guard, read) })),
    ...plantedFaults.map((planted) => ({ name: planted.name, fault: changeFault(planted, read) })),
  ].flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]))
}
