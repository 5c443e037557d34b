/** Revoking a grant that no longer exists is a success. */
import { ProviderError } from './connector.ts'

export async function endGrant(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    const isRevoked =
      error instanceof ProviderError && (error.reason === 'invalid_grant' || error.reason === 'not_found')
    if (!isRevoked) throw error
  }
}
