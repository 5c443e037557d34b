/** The parts that webhook signatures have in common. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from './json.ts'

export function hmacSha256(secret: string, ...parts: (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** Compares without telling by time how much of a guess was right; an empty secret verifies nothing. */
export function isSameDigest(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Reads `ts=1,v1=ab,v1=cd`: a name may come more than once while two secrets live. */
export function readSignatureHeader(header: string | undefined): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const part of (header ?? '').split(',')) {
    const at = part.indexOf('=')
    if (at < 1) continue
    const name = part.slice(0, at).trim()
    values.set(name, [...(values.get(name) ?? []), part.slice(at + 1).trim()])
  }
  return values
}

/** A webhook's body; what is not JSON is undefined. */
export function readJsonBody(rawBody: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(rawBody).toString('utf8'))
  } catch {
    return undefined
  }
}
