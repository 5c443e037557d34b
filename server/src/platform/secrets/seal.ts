/**
 * Secrets at rest. A sealed value opens only in the place it was sealed for, so a row copied into
 * another row, column or profile is worth nothing.
 * Layout: version, length of the key id, key id, nonce (12), ciphertext, tag (16).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { findMasterKey, type Keyring, type MasterKey, subkey } from './keyring.ts'

export type SealedCell = { table: string; row: string; column: string; profileId: string | null }

const VERSION = 1
const NONCE = 12
const TAG = 16

/** Not sealed for this place, sealed by a key that is gone, or changed since. Says nothing of the content. */
export class UnsealError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnsealError'
  }
}

export function seal(keyring: Keyring, place: SealedCell, plaintext: string | Uint8Array): Buffer {
  const master = keyring.current
  const id = Buffer.from(master.id)
  const header = Buffer.concat([Buffer.from([VERSION, id.length]), id])
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyFor(master, place), nonce, { authTagLength: TAG })
  cipher.setAAD(boundTo(header, place))
  const sealed = Buffer.concat([header, nonce, cipher.update(plaintext), cipher.final()])
  return Buffer.concat([sealed, cipher.getAuthTag()])
}

export function open(keyring: Keyring, place: SealedCell, sealed: Uint8Array): Buffer {
  const { bytes, header, keyId } = readHeader(sealed)
  const master = findMasterKey(keyring, keyId)
  if (!master) throw new UnsealError(`The value was sealed with the key "${keyId}", which is not configured`)
  const nonce = bytes.subarray(header.length, header.length + NONCE)
  const body = bytes.subarray(header.length + NONCE, bytes.length - TAG)
  const decipher = createDecipheriv('aes-256-gcm', keyFor(master, place), nonce, { authTagLength: TAG })
  decipher.setAAD(boundTo(header, place))
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG))
  try {
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    throw new UnsealError(`The value of ${place.table}.${place.column} does not open`)
  }
}

export function openText(keyring: Keyring, place: SealedCell, sealed: Uint8Array): string {
  return open(keyring, place, sealed).toString('utf8')
}

/** Whether the value should be sealed again, because its key is no longer the current one. */
export function needsReseal(keyring: Keyring, sealed: Uint8Array): boolean {
  return keyIdOf(sealed) !== keyring.current.id
}

export function keyIdOf(sealed: Uint8Array): string {
  return readHeader(sealed).keyId
}

function readHeader(sealed: Uint8Array): { bytes: Buffer; header: Buffer; keyId: string } {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const headerLength = 2 + (bytes[1] ?? 0)
  if (bytes[0] !== VERSION || bytes.length < headerLength + NONCE + TAG) {
    throw new UnsealError('The value is not a sealed one')
  }
  return { bytes, header: bytes.subarray(0, headerLength), keyId: bytes.toString('utf8', 2, headerLength) }
}

/** One derived key per column keeps each far from the number of random nonces that is safe. */
function keyFor(master: MasterKey, place: SealedCell): Buffer {
  return subkey(master, `seal:${place.table}.${place.column}`)
}

/** JSON keeps the parts apart: no two places share one text. */
function boundTo(header: Buffer, place: SealedCell): Buffer {
  const text = JSON.stringify([place.table, place.row, place.column, place.profileId])
  return Buffer.concat([header, Buffer.from(text)])
}
