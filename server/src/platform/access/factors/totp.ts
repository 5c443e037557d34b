/** Codes of authenticator apps (RFC 6238): SHA-1, 6 digits, 30 seconds, which all apps support. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../secrets/tokens.ts'

const STEP_MS = 30_000
const DIGITS = 6
/** Accepted clock difference, in steps. */
const SKEW = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const stepAt = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest[digest.length - 1]! & 0xf
  const value = digest.readUInt32BE(offset) & 0x7fffffff
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step that the code belongs to; undefined if it is wrong or not newer than the last step used. */
export function matchStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | undefined {
  const current = stepAt(now)
  const typed = code.replace(/\s/g, '')
  for (let step = current - SKEW; step <= current + SKEW; step++)
    if (step > lastStep && isSameSecret(totpCode(secret, step), typed)) return step
  return undefined
}

export function toBase32(bytes: Uint8Array): string {
  let bits = 0
  let value = 0
  let text = ''
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(value >>> bits) & 31]
    }
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}

export function otpauthUrl(secret: string, account: string): string {
  const label = `Whence:${account}`
  return `otpauth://totp/${encodeURIComponent(label)}?secret=${secret}&issuer=Whence&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`
}
