/**
 * Encryption of secrets at rest (AES-256-GCM). A sealed value can be decrypted only for the cell it was sealed for,
 * so copying it to another row, column or profile is useless. Layout: version, length of the key id, key id, nonce
 * (12), ciphertext, tag (16).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { findMasterKey, type Keyring, type MasterKey, subkey } from './keyring.ts'

export type SealedCell = { table: string; row: string; column: string; profileId: string | null }

const VERSION = 1
const NONCE = 12
const TAG = 16

/** Sealed for another cell, with a missing key, or corrupted. The message reveals nothing about the content. */
export class UnsealError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnsealError'
  }
}

export function seal(keyring: Keyring, cell: SealedCell, plaintext: string | Uint8Array): Buffer {
  const master = keyring.current
  const id = Buffer.from(master.id)
  const header = Buffer.concat([Buffer.from([VERSION, id.length]), id])
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyFor(master, cell), nonce, { authTagLength: TAG })
  cipher.setAAD(boundTo(header, cell))
  const sealed = Buffer.concat([header, nonce, cipher.update(plaintext), cipher.final()])
  return Buffer.concat([sealed, cipher.getAuthTag()])
}

export function open(keyring: Keyring, cell: SealedCell, sealed: Uint8Array): Buffer {
  const { bytes, header, keyId } = readHeader(sealed)
  const master = findMasterKey(keyring, keyId)
  if (!master) throw new UnsealError(`The value was sealed with the key "${keyId}", which is not configured`)
  const nonce = bytes.subarray(header.length, header.length + NONCE)
  const body = bytes.subarray(header.length + NONCE, bytes.length - TAG)
  const decipher = createDecipheriv('aes-256-gcm', keyFor(master, cell), nonce, { authTagLength: TAG })
  decipher.setAAD(boundTo(header, cell))
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG))
  try {
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    throw new UnsealError(`The value of ${cell.table}.${cell.column} cannot be decrypted`)
  }
}

export function openText(keyring: Keyring, cell: SealedCell, sealed: Uint8Array): string {
  return open(keyring, cell, sealed).toString('utf8')
}

/** Whether the value should be re-encrypted, because its key is no longer the current one. */
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
    throw new UnsealError('The value is not a sealed value')
  }
  return { bytes, header: bytes.subarray(0, headerLength), keyId: bytes.toString('utf8', 2, headerLength) }
}

/** One derived key per column, so that each stays far below the safe number of random nonces. */
function keyFor(master: MasterKey, cell: SealedCell): Buffer {
  return subkey(master, `seal:${cell.table}.${cell.column}`)
}

/** JSON separates the parts unambiguously: no two cells share one text. */
function boundTo(header: Buffer, cell: SealedCell): Buffer {
  const text = JSON.stringify([cell.table, cell.row, cell.column, cell.profileId])
  return Buffer.concat([header, Buffer.from(text)])
}
