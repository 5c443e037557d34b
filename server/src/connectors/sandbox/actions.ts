/** Happenings that every sandbox with tokens offers under the same names; null leaves the action to the sandbox itself. */
import type { TokenServer } from './tokens.ts'

export function actOnTokens(
  tokens: TokenServer,
  action: string,
  args: Record<string, unknown>,
): Record<string, unknown> | null {
  switch (action) {
    case 'revoke':
    case 'revoke_grant':
      tokens.revokeAll()
      return {}
    case 'expire_tokens':
      tokens.expireAccessTokens()
      return {}
    case 'token_ttl':
      tokens.setAccessTtl(Number(args.seconds))
      return { seconds: Number(args.seconds) }
    default:
      return null
  }
}

/** Origins beside the sandbox's own that may receive a code, as configuration lists them. */
export const redirectOrigins = (extra: Record<string, string>): string[] =>
  extra.redirectOrigins?.split(' ').filter(Boolean) ?? []
