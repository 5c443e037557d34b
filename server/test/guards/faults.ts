import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultOf } from './guard.ts'
import { guards } from './guards.ts'

export const root = join(import.meta.dirname, '../../..')

/** Entries of the list that no longer match the checkout. */
export function listFaults(): string[] {
  const read = (path: string) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
  return guards.flatMap((guard) => {
    const fault = faultOf(guard, read)
    return fault === undefined ? [] : [`${guard.name}: ${fault}`]
  })
}
