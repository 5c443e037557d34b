/** Messaging accounts share the status of the social account whose authorization they use. */
import type { Tx } from '../../../platform/db/database.ts'
import { channelHealthUpdated, connectionEvent } from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import { setChildStatus } from './child-queries.ts'

type Parent = { profileId: string; connectionId: string }

export async function requireReconnectOfChildren(
  tx: Tx,
  parent: Parent,
  reason: string,
  now: Date,
): Promise<void> {
  const status = 'reconnect_required'
  const changed = await setChildStatus(tx, { ...parent, status, reason, now })
  const events = changed.flatMap(({ id, provider }) => {
    const data = { provider, connection_id: id, status, reason }
    return [
      connectionEvent('connection.reconnect_required', parent.profileId, data, now),
      channelHealthUpdated(parent.profileId, data, now),
    ]
  })
  if (events.length > 0) await recordEvents(tx, events, now)
}

export async function restoreChildren(tx: Tx, parent: Parent, now: Date): Promise<void> {
  const status = 'connected'
  const changed = await setChildStatus(tx, { ...parent, status, reason: null, now })
  const events = changed.map(({ id, provider }) =>
    channelHealthUpdated(parent.profileId, { provider, connection_id: id, status, reason: null }, now),
  )
  if (events.length > 0) await recordEvents(tx, events, now)
}
