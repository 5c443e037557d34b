/** HMAC of the platforms' webhook signatures. */
import { createHmac } from 'node:crypto'

export function hmacSha256(secret: string, ...parts: (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}
