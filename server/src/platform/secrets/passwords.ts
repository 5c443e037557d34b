import { randomInt } from 'node:crypto'
import type * as Argon2 from '@node-rs/argon2'
import { loadOnFirstUse } from '../load-on-first-use.ts'

const argon2 = loadOnFirstUse<typeof Argon2>('@node-rs/argon2')

/** argon2id with 19 MiB and two passes: about 24 ms on one core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let decoy: Promise<string> | undefined

/** Keyboards may compose the same letters differently; all forms are one password. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

export function hashPassword(password: string): Promise<string> {
  return argon2().hash(normalize(password), cost)
}

/**
 * Without a stored hash it takes equally long and returns false, so the duration does not reveal whether an account
 * exists.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= argon2().hash('no password has this hash', cost)
  const matches = await argon2().verify(stored ?? (await decoy), normalize(password))
  return stored !== null && matches
}

/** Whether the hash has other parameters and should be replaced at the next sign-in. */
export function needsRehash(stored: string): boolean {
  const options = argon2().parseOptions(stored)
  return (
    !stored.startsWith('$argon2id$') ||
    options.memoryCost !== cost.memoryCost ||
    options.timeCost !== cost.timeCost
  )
}

/** 25 unambiguous letters and digits in groups, easy to type. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}
