/** Passkeys by the browser's own JSON interface; without it (before 2025) the page offers no passkeys. */
type Options = Record<string, unknown>

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

export async function createPasskey(options: Options): Promise<{ id: string }> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return toJson(await navigator.credentials.create({ publicKey }))
}

export async function askPasskey(options: Options): Promise<{ id: string }> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return toJson(await navigator.credentials.get({ publicKey }))
}

const toJson = (credential: Credential | null) =>
  (credential as PublicKeyCredential).toJSON() as { id: string }
