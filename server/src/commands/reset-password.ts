/** `npm run reset-password -- <email>`: lets the operator give an account a new password. */
import { type Config, ConfigError } from '../config.ts'
import { replacePassword } from '../platform/access/passwords.ts'
import { findOrCreateUser } from '../platform/access/people.ts'
import { markVerified } from '../platform/access/queries.ts'
import { findUserByEmail } from '../platform/access/user-queries.ts'
import type { Db } from '../platform/db/database.ts'
import { generatePassword, hashPassword } from '../platform/secrets/passwords.ts'
import { withDatabase } from './with-database.ts'

const usage = 'Usage: npm run reset-password -- <email> [--create]'

/** The lines to print. Works with a running service too. */
export async function resetFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const create = args.includes('--create')
  const [email, ...rest] = args.filter((arg) => arg !== '--create')
  if (email === undefined || rest.length > 0 || !email.includes('@')) throw new ConfigError(usage)
  return withDatabase(config, async (db) => {
    const password = generatePassword()
    const done = await setPassword(db, { email, password, create })
    if (done === null)
      throw new ConfigError(`No account has the address ${email}. With --create one is made.`)
    const ended = done === 'reset' ? 'Its sessions and user tokens have ended. ' : ''
    return [
      `The password of ${email} is now: ${password}`,
      `${ended}Sign in at ${config.BASE_URL} and change it.`,
    ]
  })
}

/** The operator vouches for the address, so it counts as verified. */
export async function setPassword(
  db: Db,
  params: { email: string; password: string; create: boolean },
): Promise<'reset' | 'created' | null> {
  const passwordHash = await hashPassword(params.password)
  return db.transaction().execute(async (tx) => {
    const now = new Date()
    const { email } = params
    const known = await findUserByEmail(tx, { email })
    if (known === undefined && !params.create) return null
    const user = known ?? (await findOrCreateUser(tx, { email, name: undefined, now }))
    await replacePassword(tx, { userId: user.id, passwordHash, now })
    await markVerified(tx, { userId: user.id, now })
    return known === undefined ? 'created' : 'reset'
  })
}
