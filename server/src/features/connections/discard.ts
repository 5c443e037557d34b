/** A token that nothing will store is given back to the provider, where that harms nobody. */
import type { Account, TokenSet } from '../../connectors/connector.ts'
import type { ConfiguredProvider } from '../../connectors/registry.ts'
import type { Service } from '../../context.ts'

const REVOKE_BUDGET_MS = 5000

/**
 * Some providers take back the whole grant of the account with any one of its tokens, so a token is
 * left to lapse where a live connection uses an account it reaches. Accounts that could not be
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
    if (await isGrantInUse(service, configured.provider, owner.workspace_id, accounts)) return
    await configured.connector.revoke(configured.http.within(REVOKE_BUDGET_MS), configured.app, token)
  } catch (error) {
    service.log.warn('token not revoked', { provider: configured.provider, error })
  }
}

async function isGrantInUse(
  service: Service,
  provider: string,
  workspaceId: string,
  accounts: readonly Account[] | null,
): Promise<boolean> {
  if (accounts?.length === 0) return false
  let query = service.db
    .selectFrom('connection_accounts')
    .select('claim_key')
    .where('provider', '=', provider)
    .limit(1)
  query =
    accounts === null
      ? query.where('workspace_id', '=', workspaceId)
      : query.where(
          'external_id',
          'in',
          accounts.map((account) => account.id),
        )
  return (await query.executeTakeFirst()) !== undefined
}
