/** `npm run reset-password -- <email>`: lets the operator set a new password for an account. */
import { type Config, ConfigError } from '../config.ts'
import { reportSecurityChange } from '../platform/access/factors/changes.ts'
import { deleteFactors } from '../platform/access/factors/queries.ts'
import { replacePassword } from '../platform/access/passwords.ts'
import { findOrCreateUser } from '../platform/access/people.ts'
import { markVerified } from '../platform/access/queries.ts'
import { findUserByEmail } from '../platform/access/user-queries.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { generatePassword, hashPassword } from '../platform/secrets/passwords.ts'
import { withDatabase } from './with-database.ts'

const usage = 'Usage: npm run reset-password -- <email> [--create] [--remove-factors]'

/** Returns the lines to print. Also works while the service is running. */
export async function resetFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const create = args.includes('--create')
  const removeFactors = args.includes('--remove-factors')
  const [email, ...rest] = args.filter((arg) => arg !== '--create' && arg !== '--remove-factors')
  if (email === undefined || rest.length > 0 || !email.includes('@')) throw new ConfigError(usage)
  return withDatabase(config, async (db) => {
    const password = generatePassword()
    const done = await setPassword(db, { email, password, create, removeFactors })
    if (done === null)
      throw new ConfigError(`No account has the address ${email}. Use --create to create one.`)
    const ended = done === 'reset' ? 'Its sessions and user tokens have ended. ' : ''
    const factors = removeFactors ? 'Its second factors and recovery codes were removed. ' : ''
    return [
      `The password of ${email} is now: ${password}`,
      `${ended}${factors}Sign in at ${config.BASE_URL} and change it.`,
    ]
  })
}

/** The address is marked as verified, because the operator vouches for it. */
export async function setPassword(
  db: Db,
  params: { email: string; password: string; create: boolean; removeFactors?: boolean },
): Promise<'reset' | 'created' | null> {
  const passwordHash = await hashPassword(params.password)
  return db.transaction().execute(async (tx) => {
    const now = new Date()
    const { email } = params
    const existing = await findUserByEmail(tx, { email })
    if (existing === undefined && !params.create) return null
    const user = existing ?? (await findOrCreateUser(tx, { email, name: undefined, now }))
    await replacePassword(tx, { userId: user.id, passwordHash, now })
    await markVerified(tx, { userId: user.id, now })
    if (params.removeFactors === true) await removeAllFactors(tx, { userId: user.id, now })
    return existing === undefined ? 'created' : 'reset'
  })
}

/** The person gets a mail, and the workspaces of the person an entry in their activity. */
async function removeAllFactors(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  if ((await deleteFactors(tx, { userId })) === 0) return
  await reportSecurityChange(tx, { now }, { userId, what: 'factors_reset' })
}
