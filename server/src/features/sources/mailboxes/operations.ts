/** Connecting mailboxes, and updating their health after a send. */
import type { MailboxVendor } from '../../../connectors/mailbox.ts'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, type Tx } from '../../../platform/db/database.ts'
import { channelHealthUpdated } from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import type { ConnectionRow } from '../connections/queries.ts'
import type { Handoff } from '../handoffs/contract.ts'
import { mintHandoff } from '../handoffs/operations.ts'
import { setMailboxStatus } from './queries.ts'

export async function startMailboxLink(
  context: ProfileContext,
  body: { provider: MailboxVendor; return_url?: string | undefined },
): Promise<Handoff> {
  const { provider, return_url } = body
  if (!context.service.providers.has(provider))
    throw new ApiError('provider_not_configured', 'This mail vendor is not configured on the service.')
  return mintHandoff(context, provider, { return_url })
}

/** `needs_action` with its reason, or `connected` after the first accepted send. Only changes are announced. */
export async function saveMailboxHealth(
  tx: Tx,
  row: ConnectionRow,
  reason: 'account_suspended' | 'mailbox_disabled' | null,
): Promise<void> {
  const { profile_id: profileId, id: connectionId, provider } = row
  const status = reason === null ? 'connected' : 'needs_action'
  const now = await databaseNow(tx)
  if (!(await setMailboxStatus(tx, { profileId, connectionId, status, reason, now }))) return
  const data = { provider, connection_id: connectionId, status, reason }
  await recordEvents(tx, [channelHealthUpdated(profileId, data, now)], now)
}
