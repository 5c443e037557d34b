/**
 * An authenticator in software, written from the WebAuthn recommendation without the library of the service: it creates
 * a passkey (ES256, no attestation) and signs assertions, also wrong ones.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Ceremony = {
  origin: string
  challenge: string
  rpId: string
  /** Flags: user present 1, user verified 4. */
  isVerified?: boolean
  counter?: number
  type?: string
}

export type Passkey = ReturnType<typeof makePasskey>

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

export function makePasskey({ key = generateKeyPairSync('ec', { namedCurve: 'P-256' }) } = {}) {
  const id = randomBytes(16)
  let counter = 0
  const dataOf = (ceremony: Ceremony, attested: Buffer) => {
    counter = ceremony.counter ?? counter + 1
    const flags = 1 | ((ceremony.isVerified ?? true) ? 4 : 0) | (attested.length > 0 ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(ceremony.rpId), Buffer.from([flags]), count, attested])
  }
  const clientData = ({ type, origin, challenge }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  return {
    id: base64url(id),
    register(ceremony: Ceremony) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(key.publicKey)])
      const attestationObject = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(dataOf(ceremony, attested))],
      ])
      return envelope(id, {
        clientDataJSON: base64url(clientData({ type: 'webauthn.create', ...ceremony })),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      })
    },
    assert(ceremony: Ceremony) {
      const authenticatorData = dataOf(ceremony, Buffer.alloc(0))
      const client = clientData({ type: 'webauthn.get', ...ceremony })
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), key.privateKey)
      return envelope(id, {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      })
    },
  }
}

const envelope = (id: Buffer, response: Record<string, unknown>) => ({
  id: base64url(id),
  rawId: base64url(id),
  type: 'public-key',
  clientExtensionResults: {},
  response,
})

function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  return map([
    [Buffer.from([1]), Buffer.from([2])],
    [Buffer.from([3]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([1])],
    [Buffer.from([0x21]), bytes(Buffer.from(x!, 'base64url'))],
    [Buffer.from([0x22]), bytes(Buffer.from(y!, 'base64url'))],
  ])
}

/** CBOR (RFC 8949): head of a major type with a length below 65,536. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])
