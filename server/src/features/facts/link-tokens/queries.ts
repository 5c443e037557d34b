import { identifierKinds } from '@whence/engine'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { IdentifierRef } from '../identity/identifiers.ts'
import { isAlive } from '../identity/members.ts'

/** The root identifier of the customer that an identifier belongs to; undefined if anonymous or erased. */
export async function findKnownCustomer(
  db: Db | Tx,
  params: { profileId: string; identifierId: string },
): Promise<IdentifierRef | undefined> {
  const { profileId } = params
  const { rows } = await sql<{ id: string; kind: number }>`
    select k.id, k.kind from identifiers i
    join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
    where i.profile_id = ${profileId} and i.id = ${params.identifierId}
      and k.kind < ${identifierKinds.indexOf('anonymous_id')}
      and ${isAlive(profileId, sql.ref('i.customer_id'))}`.execute(db)
  return rows[0] && { id: rows[0].id, kind: identifierKinds[rows[0].kind]! }
}
