/**
 * The master keys of this deployment. They are never used directly: each purpose has a derived key, so that a
 * leaked one does not compromise the others.
 */
import { hkdfSync, randomBytes } from 'node:crypto'

export type MasterKey = { id: string; key: Buffer; derived: Map<string, Buffer> }

export type Keyring = {
  /** Encrypts and hashes new values: the first of the list until the processes agree on one (`rotation.ts`). */
  current: MasterKey
  /** The current key first; the others only decrypt older values. */
  keys: readonly MasterKey[]
  /** The key that other processes encrypt with, if this process lacks it. */
  missingKeyId: string | null
}

/** Reads `id:base64,id:base64`; the first key is the current one. Errors never include a key. */
export function parseMasterKeys(text: string): Keyring {
  const keys = text.split(',').map((entry, index) => {
    const match = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})\s*$/.exec(entry)
    const key = match ? Buffer.from(match[2]!, 'base64') : Buffer.alloc(0)
    if (!match || key.length !== 32) {
      throw new Error(`MASTER_KEYS: entry ${index + 1} is not "id:base64" with a key of 32 bytes`)
    }
    return { id: match[1]!, key, derived: new Map<string, Buffer>() }
  })
  if (new Set(keys.map((key) => key.id)).size < keys.length) {
    throw new Error('MASTER_KEYS: two keys have the same id')
  }
  return { current: keys[0]!, keys, missingKeyId: null }
}

/** Generates a value for MASTER_KEYS. */
export function generateMasterKeys(id = 'k1'): string {
  return `${id}:${randomBytes(32).toString('base64')}`
}

export function findMasterKey(keyring: Keyring, id: string): MasterKey | undefined {
  return keyring.keys.find((key) => key.id === id)
}

/** Makes the key current; false without effect if it is not in the list. */
export function sealWith(keyring: Keyring, id: string): boolean {
  const key = findMasterKey(keyring, id)
  keyring.missingKeyId = key === undefined ? id : null
  if (key === undefined) return false
  keyring.current = key
  keyring.keys = [key, ...keyring.keys.filter((other) => other !== key)]
  return true
}

export function subkey(master: MasterKey, purpose: string): Buffer {
  let key = master.derived.get(purpose)
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', master.key, Buffer.alloc(0), `whence:${purpose}`, 32))
    master.derived.set(purpose, key)
  }
  return key
}
