/** Actions that all sandboxes share. */
import type { Faults } from './faults.ts'
import { textArg } from './routes.ts'
import type { SandboxOptions } from './sandbox.ts'
import type { TokenServer } from './tokens.ts'

type Parts = {
  faults: Faults
  /** Absent where the provider has no tokens of its own. */
  tokens?: TokenServer
  /** Resets the sandbox's own state, such as declined permissions. */
  reset?: () => void
}

/**
 * Runs a shared action; null if the action belongs to the sandbox itself. `revoke` revokes the grant of `token` (the
 * service replaces `connection_id` by it), all grants of `account_id`, or by default the newest; `all` revokes every grant.
 */
export function actInCommon(
  parts: Parts,
  action: string,
  args: Record<string, unknown>,
): Record<string, unknown> | null {
  const { faults, tokens, reset } = parts
  if (action === 'reset') {
    faults.clear()
    tokens?.resetAccessTtl()
    reset?.()
    return {}
  }
  if (tokens === undefined) return null
  switch (action) {
    case 'revoke':
    case 'revoke_grant':
      revoke(tokens, args)
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

function revoke(tokens: TokenServer, args: Record<string, unknown>): void {
  const token = textArg(args, 'token')
  const account = textArg(args, 'account_id')
  if (args.all === true) tokens.revokeAll()
  else if (token !== null) tokens.revoke(token)
  else if (account !== null) tokens.revokeAccount(account)
  else tokens.revokeNewest()
}

/** Sends webhooks and remembers the last one for the action `resend_webhook`. */
export function webhookSender({ sendWebhook }: Pick<SandboxOptions, 'sendWebhook'>) {
  let last: Parameters<SandboxOptions['sendWebhook']>[0] | null = null
  return {
    send(webhook: NonNullable<typeof last>): Promise<void> {
      last = webhook
      return sendWebhook(webhook)
    },
    async resend(): Promise<Record<string, never>> {
      if (last !== null) await sendWebhook(last)
      return {}
    },
  }
}

/** Configured origins, in addition to the sandbox's own, that may receive a code. */
export const redirectOrigins = (extra: Record<string, string>): string[] =>
  extra.redirectOrigins?.split(' ').filter(Boolean) ?? []
