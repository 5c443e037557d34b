import type { Service } from '../../context.ts'
import { uuidv7 } from '../../contract/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { lookupHash, mintToken } from '../../secrets/tokens.ts'

export type MintedKey = {
  id: string
  /** Shown once. */
  key: string
  hint: string
  name: string
  profileId: string
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
}

export async function mintApiKey(
  service: Service,
  db: Db | Tx,
  key: {
    profileId: string
    name: string
    scopes: readonly string[]
    now: Date
    app?: { appId: string; authorizationId: string; grant: string } | undefined
  },
): Promise<MintedKey> {
  const minted = mintToken('api_key', service.config.SANDBOX ? 'test' : 'live')
  const id = uuidv7(key.now)
  await db
    .insertInto('credentials')
    .values({
      id,
      kind: 'api_key',
      lookup_hash: lookupHash(service.keyring, minted.token),
      hint: minted.hint,
      name: key.name,
      profile_id: key.profileId,
      app_id: key.app?.appId ?? null,
      authorization_id: key.app?.authorizationId ?? null,
      grant_name: key.app?.grant ?? null,
      scopes: [...key.scopes],
      created_at: key.now,
    })
    .execute()
  return {
    id,
    key: minted.token,
    hint: minted.hint,
    name: key.name,
    profileId: key.profileId,
    scopes: [...key.scopes],
    createdAt: key.now,
    expiresAt: null,
  }
}
