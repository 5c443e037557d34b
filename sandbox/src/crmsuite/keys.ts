/**
 * The sandbox derives its webhook signing key from its seed, so that the service can have the
 * public key in its configuration, as with the real provider, and no key has to be stored.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** Prefix of the 32 secret bytes in the PKCS #8 form of an Ed25519 key. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

type Seed = { seed: string; clientSecret: string }

export function sandboxSigningKey({ seed, clientSecret }: Seed): KeyObject {
  const secret = createHash('sha256').update(`${seed}\u0000${clientSecret}\u0000crmsuite webhooks`).digest()
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, secret]), format: 'der', type: 'pkcs8' })
}

/** For `extra.webhookPublicKey` of a deployment in sandbox mode. */
export function sandboxWebhookPublicKey(seed: Seed): string {
  return createPublicKey(sandboxSigningKey(seed)).export({ type: 'spki', format: 'der' }).toString('base64')
}
