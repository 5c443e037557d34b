/** A token that nothing will store is given back to the provider, where that harms no one. */
import type { Account, TokenSet } from '../../../connectors/connector.ts'
import { storedProvider } from '../../../connectors/mailbox.ts'
import type { ConfiguredProvider } from '../../../connectors/registry.ts'
import type { Service } from '../../../context.ts'
import { isGrantInUse } from './queries.ts'

const REVOKE_BUDGET_MS = 5000

/**
 * Some providers take back the whole grant of the account with any one of its tokens, so a token is
 * left to expire where a live connection uses an account it reaches. Accounts that could not be
 * listed may be any of the workspace's.
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
