/** WebAuthn with the host and the origin of BASE_URL. Attestation is neither requested nor read. */
import type * as WebAuthn from '@simplewebauthn/server'
import type { Service } from '../../../context.ts'
import { loadOnFirstUse } from '../../load-on-first-use.ts'
import type { UserRow } from '../user-queries.ts'

const webauthn = loadOnFirstUse<typeof WebAuthn>('@simplewebauthn/server')

type Configured = Pick<Service, 'config'>
export type PasskeyRow = {
  credential_id: string
  public_key: string
  sign_count: number
  transports: readonly string[]
}

const relyingParty = ({ config }: Configured) => {
  const url = new URL(config.BASE_URL)
  return { id: url.hostname, origin: url.origin }
}
const toDescriptor = (row: Pick<PasskeyRow, 'credential_id' | 'transports'>) => ({
  id: row.credential_id,
  transports: [...row.transports] as WebAuthn.AuthenticatorTransport[],
})

export function registrationOptions(
  service: Configured,
  user: UserRow,
  existing: readonly Pick<PasskeyRow, 'credential_id' | 'transports'>[],
) {
  return webauthn().generateRegistrationOptions({
    rpName: 'Whence',
    rpID: relyingParty(service).id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: existing.map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Undefined if the response does not answer this challenge on this host and origin. */
export async function readRegistration(
  service: Configured,
  params: { response: unknown; challenge: string },
): Promise<PasskeyRow | undefined> {
  const { id, origin } = relyingParty(service)
  const verified = await webauthn()
    .verifyRegistrationResponse({
      response: params.response as WebAuthn.RegistrationResponseJSON,
      expectedChallenge: params.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    })
    .catch(() => undefined)
  if (verified?.verified !== true) return undefined
  const { credential } = verified.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    sign_count: credential.counter,
    transports: credential.transports ?? [],
  }
}

/** Without passkeys, the browser offers every passkey it has for this host, and must verify the person. */
export function assertionOptions(
  service: Configured,
  passkeys: readonly Pick<PasskeyRow, 'credential_id' | 'transports'>[],
) {
  return webauthn().generateAuthenticationOptions({
    rpID: relyingParty(service).id,
    allowCredentials: passkeys.map(toDescriptor),
    userVerification: passkeys.length === 0 ? 'required' : 'preferred',
  })
}

/** The new counter; undefined if signature, challenge, origin, host or counter is wrong. */
export async function readAssertion(
  service: Configured,
  params: { response: unknown; challenge: string; passkey: PasskeyRow; mustVerifyPerson: boolean },
): Promise<number | undefined> {
  const { id, origin } = relyingParty(service)
  const { passkey } = params
  const verified = await webauthn()
    .verifyAuthenticationResponse({
      response: params.response as WebAuthn.AuthenticationResponseJSON,
      expectedChallenge: params.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: params.mustVerifyPerson,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.sign_count,
      },
    })
    .catch(() => undefined)
  return verified?.verified === true ? verified.authenticationInfo.newCounter : undefined
}
