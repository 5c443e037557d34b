/** Starts a sync and reports its state. */
import { type Provider, providers } from '../../../connectors/connector.ts'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { type ConnectionView, getConnection, getConnectionRow, getProviderConnection } from './operations.ts'
import type { ConnectionRow } from './queries.ts'
import { withReconnectUrl } from './reconnect.ts'
import { configuredOf } from './refresh.ts'
import { queueSync } from './sync-state.ts'

export async function startSync(
  context: ProfileContext,
  body: {
    provider?: Provider | undefined
    connection_id?: string | undefined
    since?: string | undefined
  },
): Promise<string> {
  checkSubject(body)
  const row =
    body.connection_id !== undefined
      ? await getConnectionRow(context, body.connection_id)
      : await getProviderConnection(context, body.provider!)
  if (!(providers as readonly string[]).includes(row.provider) || row.provider_subtype !== null)
    throw new ApiError('not_implemented', `${row.display_name} pushes its data; there is nothing to sync.`)
  configuredOf(context.service, row)
  const refusal = refusalOf(row)
  if (refusal !== undefined) throw await withReconnectUrl(context, row, refusal)
  await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    await queueSync(tx, {
      profileId: context.profile.id,
      connectionId: row.id,
      sinceDay: body.since ?? null,
      now,
    })
  })
  return row.id
}

export function checkSubject(body: {
  provider?: Provider | undefined
  connection_id?: string | undefined
}): void {
  if ((body.provider === undefined) === (body.connection_id === undefined))
    throw new ApiError('validation_error', 'pass either provider or connection_id.', { field: 'provider' })
}

function refusalOf(row: ConnectionRow): ApiError | undefined {
  if (row.status === 'revoked')
    return new ApiError('connection_revoked', 'The connection was disconnected; connect it again.', {
      reconnect_required: true,
    })
  if (row.token !== null && row.status !== 'reconnect_required') return undefined
  return new ApiError('connection_not_ready', 'The connection must be re-authorized first.', {
    reconnect_required: true,
  })
}

export async function getSyncStatus(context: ProfileContext, provider: Provider): Promise<ConnectionView> {
  return getConnection(context, (await getProviderConnection(context, provider)).id)
}
