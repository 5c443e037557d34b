/** After a consent that covers several accounts, the token is kept for an hour until one of them is chosen. */
import type { Account, Provider, TokenSet } from '../../../connectors/connector.ts'
import { isMailboxVendor } from '../../../connectors/mailbox.ts'
import type { ProfileContext, Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { findHandoff } from '../handoffs/queries.ts'
import { appsOf } from '../handoffs/rules.ts'
import { findSelection, insertSelection, listSelections, markChosen } from './selection-queries.ts'
import { announceConnection, connectAccount, openToken, sealToken } from './store.ts'
import { startFirstSync } from './sync-state.ts'

const TABLE = 'pending_selections'

export async function parkSelection(
  tx: Tx,
  service: Service,
  selection: {
    profileId: string
    /** The hand-off's id. */
    id: string
    provider: Provider
    token: TokenSet
    accounts: readonly Account[]
    expiresAt: Date
    now: Date
  },
): Promise<void> {
  const { profileId, id, provider, token, accounts, expiresAt, now } = selection
  await insertSelection(tx, {
    profileId,
    id,
    provider,
    token: sealToken(service, profileId, id, token, TABLE),
    candidates: accounts,
    expiresAt,
    now,
  })
}

const nothingPending = () =>
  new ApiError('not_found', 'No consent waits for the choice of an account; start the connection again.')

export async function listPendingChoices({ db, profile }: ProfileContext) {
  const selections = await listSelections(db, { profileId: profile.id, now: await databaseNow(db) })
  // A mailbox consent covers one address, so there is nothing to choose.
  return selections.flatMap((selection) => {
    const { provider } = selection
    return isMailboxVendor(provider) ? [] : [{ ...selection, provider }]
  })
}

export async function listCandidates(context: ProfileContext, provider: Provider): Promise<Account[]> {
  const selection = await findSelection(context.db, { profileId: context.profile.id, provider }, false)
  const now = await databaseNow(context.db)
  if (selection === undefined || selection.token === null || selection.expires_at <= now)
    throw nothingPending()
  return selection.candidates as Account[]
}

export async function finalizeConnection(
  context: ProfileContext,
  provider: Provider,
  candidateId: string,
): Promise<{ connectionId: string; alreadyFinalized: boolean }> {
  const { service, profile } = context
  return inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const selection = await findSelection(tx, { profileId: profile.id, provider }, true)
    if (selection?.connection_id != null) {
      if (selection.candidate_id === candidateId)
        return { connectionId: selection.connection_id, alreadyFinalized: true }
      throw new ApiError(
        'invalid_state',
        'Another account was already chosen; to switch, start a new connection.',
        {
          reason: 'selection_already_made',
        },
      )
    }
    if (selection === undefined || selection.token === null || selection.expires_at <= now)
      throw nothingPending()
    const account = (selection.candidates as Account[]).find(({ id }) => id === candidateId)
    if (account === undefined)
      throw new ApiError('validation_error', 'not one of the accounts of this consent.', {
        field: 'candidate_id',
      })
    const connectionId = await connectChosen(tx, service, context, provider, selection, account, now)
    await markChosen(tx, { profileId: profile.id, id: selection.id, candidateId, connectionId, now })
    await announceConnection(
      tx,
      'connection.connected',
      { profileId: profile.id, connectionId, provider, status: 'connected', reason: null },
      now,
    )
    return { connectionId, alreadyFinalized: false }
  })
}

async function connectChosen(
  tx: Tx,
  service: Service,
  context: ProfileContext,
  provider: Provider,
  selection: { id: string; token: Buffer | null },
  account: Account,
  now: Date,
): Promise<string> {
  const { profile } = context
  const configured = service.providers.get(provider)
  if (configured === undefined)
    throw new ApiError('provider_not_configured', 'This provider is not configured on the service.')
  const handoff = await findHandoff(tx, { id: selection.id })
  const connectionId = await connectAccount(tx, service, {
    profileId: profile.id,
    workspaceId: profile.workspaceId,
    connector: configured.connector,
    account,
    token: openToken(service, profile.id, selection.id, selection.token!, TABLE),
    apps: handoff === undefined ? [] : appsOf(handoff),
    connectingApp: null,
    now,
  })
  if (connectionId === undefined)
    throw new ApiError(
      'account_connected_elsewhere',
      'This account is connected to another profile of the workspace; disconnect it there first or choose another.',
    )
  await startFirstSync(tx, { profileId: profile.id, connectionId, now })
  return connectionId
}
