/** The scope for normalising and hashing identifiers of a profile. */
import { sql } from 'kysely'
import type { ProfileRef, Service } from '../../../context.ts'
import { phoneCountryOf } from '../../../platform/contract/countries.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { IdentityScope } from './identifiers.ts'

export const identityScope = (
  { identityPepper: pepper }: Pick<Service, 'identityPepper'>,
  { id: profileId, country }: Pick<ProfileRef, 'id' | 'country'>,
): IdentityScope => ({ profileId, pepper, country })

export async function loadIdentityScope(
  db: Db | Tx,
  service: Pick<Service, 'identityPepper'>,
  profileId: string,
): Promise<IdentityScope> {
  return identityScope(service, { id: profileId, country: await loadCountry(db, profileId) })
}

/** The country of the profile's phone numbers without a country code. */
export async function loadCountry(db: Db | Tx, profileId: string): Promise<string | null> {
  const { rows } = await sql<{ country: string | null; timezone: string; currency: string }>`
    select country, timezone, currency from profiles where id = ${profileId}`.execute(db)
  return rows[0] === undefined ? null : phoneCountryOf(rows[0])
}
