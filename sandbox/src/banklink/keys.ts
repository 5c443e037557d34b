/** The sandbox's webhook signing key, derived from its seed so that it survives a restart. */
import { createECDH, createHash, createPrivateKey, sign } from 'node:crypto'

const base64url = (value: Buffer | string) => Buffer.from(value).toString('base64url')

export function sandboxWebhookKey({ seed, clientSecret }: { seed: string; clientSecret: string }) {
  const secret = createHash('sha256').update(`${seed}\u0000${clientSecret}\u0000banklink webhooks`).digest()
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  // Uncompressed point: the byte 4, then both coordinates.
  const point = pair.getPublicKey()
  const [x, y] = [base64url(point.subarray(1, 33)), base64url(point.subarray(33))]
  const kid = createHash('sha256').update(point).digest('hex').slice(0, 32)
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', x, y, d: base64url(secret) },
    format: 'jwk',
  })
  return {
    jwk: { alg: 'ES256', crv: 'P-256', kid, kty: 'EC', use: 'sig', x, y, created_at: 0, expired_at: null },
    /** Header value for a body sent now. */
    sign(body: string, now: Date): string {
      const head = { alg: 'ES256', kid, typ: 'JWT' }
      const claims = {
        iat: Math.floor(now.getTime() / 1000),
        request_body_sha256: createHash('sha256').update(body).digest('hex'),
      }
      const signed = [head, claims].map((part) => base64url(JSON.stringify(part))).join('.')
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${base64url(signature)}`
    },
  }
}
