/** Helpers for webhook signatures. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from './json.ts'

export function hmacSha256(secret: string, ...parts: (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** Compares in constant time. */
export function isSameDigest(expected: Buffer, actual: Buffer): boolean {
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Parses `ts=1,v1=ab,v1=cd`. A name may occur more than once while two secrets are valid. */
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

/** The body of a webhook; undefined if it is not JSON. */
export function readJsonBody(rawBody: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(rawBody).toString('utf8'))
  } catch {
    return undefined
  }
}
