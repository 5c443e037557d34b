/** Revokes an unused token at the provider, unless that would break a live connection. */
import type { Account, TokenSet } from '../../../connectors/connector.ts'
import { storedProvider } from '../../../connectors/mailbox.ts'
import type { ConfiguredProvider } from '../../../connectors/registry.ts'
import type { Service } from '../../../context.ts'
import { isGrantInUse } from './queries.ts'

const REVOKE_BUDGET_MS = 5000

/**
 * With some providers, revoking one token revokes the whole grant of the account. So a token is left
 * to expire if a live connection uses one of its accounts. If the accounts could not be listed, any
 * account of the workspace may be among them.
 */
export async function discardToken(
  service: Service,
  configured: ConfiguredProvider,
  owner: { workspace_id: string },
  token: TokenSet,
  accounts: readonly Account[] | null,
): Promise<void> {
  try {
    const inUse = await isGrantInUse(service.db, {
      provider: storedProvider(configured.provider).provider,
      workspaceId: owner.workspace_id,
      accountIds: accounts?.map((account) => account.id) ?? null,
    })
    if (inUse) return
    await configured.connector.oauth.revoke(configured.http.within(REVOKE_BUDGET_MS), configured.app, token)
  } catch (error) {
    service.log.warn('token not revoked', { provider: configured.provider, error })
  }
}
