/**
 * Profile keys are stored on the coordinator with all other credentials, so that they can be created and revoked
 * while a worker is down. On a distributed database a copy on the profile's shard lets its node authenticate
 * requests, so events are accepted without the coordinator. The copy is created on the first miss. Every change of
 * a key updates the copy in the same transaction, and waits for a concurrent copy, because both write the same row.
 */
import { sql } from 'kysely'
import type { Service } from '../../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { isDistributed } from '../db/nodes.ts'

type KeyRow = {
  profile_id: string
  id: string
  kind: string
  lookup_hash: Buffer
  workspace_id: string | null
  user_id: string | null
  app_id: string | null
  authorization_id: string | null
  grant_name: string | null
  scopes: string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

/** Copies those of the credentials that are profile keys. */
export async function copyKeys(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || !isDistributed(tx)) return
  const { rows } = await sql<KeyRow>`
    select profile_id, id, kind, lookup_hash, workspace_id, user_id, app_id, authorization_id, grant_name, scopes,
      created_at, expires_at, revoked_at
    from credentials
    where id = any(${[...ids]}::uuid[]) and profile_id is not null and kind in ('api_key', 'tracking_key')
    order by id for update`.execute(tx)
  for (const { profile_id, id, created_at, kind, ...changing } of rows)
    await tx
      .insertInto('key_copies')
      .values({ profile_id, id, created_at, kind, ...changing })
      .onConflict((conflict) => conflict.columns(['profile_id', 'id']).doUpdateSet(changing))
      .execute()
}

/** The database of the profile's shard; undefined if it is on the coordinator. */
export async function shardWithCopies(service: Service, profileId: string): Promise<Db | undefined> {
  const node = await service.nodes.of(profileId)
  return node === service.nodes.main ? undefined : (await service.nodes.shardOf(profileId)).db
}
