/** Operators: the accounts listed in OPERATORS. They see the state of the whole service, but no tenant data. */
import type { Service } from '../../context.ts'
import { rowsWhere } from '../db/rows.ts'

/** The address must be verified; otherwise anyone could sign up with a listed one. */
export async function isOperator(
  { config, db }: Pick<Service, 'config' | 'db'>,
  userId: string,
): Promise<boolean> {
  if (config.OPERATORS.length === 0) return false
  const user = await rowsWhere(db, 'users', { id: userId }).find(['email_lower', 'email_verified_at'])
  return user !== undefined && user.email_verified_at !== null && config.OPERATORS.includes(user.email_lower)
}
