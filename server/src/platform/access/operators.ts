/** Operators: the accounts that OPERATORS names. They see the state of the whole service, and no tenant's data. */
import type { Service } from '../../context.ts'

/** The address must be verified: without that, anyone could sign up under a listed one. */
export async function isOperator(
  { config, db }: Pick<Service, 'config' | 'db'>,
  userId: string,
): Promise<boolean> {
  if (config.OPERATORS.length === 0) return false
  const user = await db
    .selectFrom('users')
    .select(['email_lower', 'email_verified_at'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return user !== undefined && user.email_verified_at !== null && config.OPERATORS.includes(user.email_lower)
}
