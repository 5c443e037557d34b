import type { Service } from '../../../context.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { lookupHash, mintToken } from '../../../platform/secrets/tokens.ts'
import { insertApiKey, type NewApiKey } from './queries.ts'

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

export async function mintApiKey(service: Service, db: Db | Tx, key: NewApiKey): Promise<MintedKey> {
  const minted = mintToken('api_key', service.config.SANDBOX ? 'test' : 'live')
  const id = uuidv7(key.now)
  await insertApiKey(db, {
    ...key,
    id,
    lookupHash: lookupHash(service.keyring, minted.token),
    hint: minted.hint,
  })
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
