/** `npm run reset-password -- <email>`: whoever runs the service gives an account a new password. */
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { type Db, openDatabase } from './db/database.ts'
import { findRunningEmbedded, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { replacePassword } from './features/access/passwords.ts'
import { findOrCreateUser } from './features/access/people.ts'
import { markVerified } from './features/access/queries.ts'
import { findUserByEmail } from './features/access/user-queries.ts'
import { generatePassword, hashPassword } from './secrets/passwords.ts'

const usage = 'Usage: npm run reset-password -- <email> [--create]'

/** The lines to print. Works beside a running service too. */
export async function resetFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const create = args.includes('--create')
  const [email, ...rest] = args.filter((arg) => arg !== '--create')
  if (email === undefined || rest.length > 0 || !email.includes('@')) throw new ConfigError(usage)
  return withDatabase(config, async (db) => {
    const password = generatePassword()
    const isReset = await setPassword(db, { email, password, create })
    if (!isReset) throw new ConfigError(`No account has the address ${email}. With --create one is made.`)
    return [
      `The password of ${email} is now: ${password}`,
      `Its sessions and user tokens have ended. Sign in at ${config.BASE_URL} and change it.`,
    ]
  })
}

/** The operator vouches for the address, so it counts as verified. */
export async function setPassword(
  db: Db,
  params: { email: string; password: string; create: boolean },
): Promise<boolean> {
  const passwordHash = await hashPassword(params.password)
  return db.transaction().execute(async (tx) => {
    const now = new Date()
    const { email } = params
    const user = params.create
      ? await findOrCreateUser(tx, { email, name: undefined, now })
      : await findUserByEmail(tx, { email })
    if (user === undefined) return false
    await replacePassword(tx, { userId: user.id, passwordHash, now })
    await markVerified(tx, { userId: user.id, now })
    return true
  })
}

async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  if (config.DATABASE_URL !== undefined) return within({ connectionString: config.DATABASE_URL }, work)
  const dataDir = join(config.DATA_DIR, 'database')
  const running = await findRunningEmbedded(dataDir)
  if (running !== undefined) return within(running, work)
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  try {
    return await within(embedded.config, work, migrate)
  } finally {
    await embedded.stop()
  }
}

async function within<T>(
  where: Parameters<typeof openDatabase>[0],
  work: (db: Db) => Promise<T>,
  before?: typeof migrate,
): Promise<T> {
  const database = openDatabase({ ...where, max: 2 })
  try {
    await before?.(database.pool)
    return await work(database.db)
  } finally {
    await database.close()
  }
}
