import type { Connection } from '@whence/sdk'
import { consentEnd } from '../../health/consent-end.ts'
import type { Tone } from '../../ui/badge.tsx'

type Health = { label: string; tone: Tone; reconnect: boolean }

const byStatus: Record<Connection['status'], Health> = {
  connected: { label: 'Connected', tone: 'good', reconnect: false },
  needs_action: { label: 'Needs action', tone: 'warn', reconnect: true },
  reconnect_required: { label: 'Reconnect needed', tone: 'warn', reconnect: true },
  revoked: { label: 'Disconnected', tone: 'plain', reconnect: true },
  error: { label: 'Error', tone: 'bad', reconnect: true },
}

export function healthOf(connection: Connection): Health {
  const { channel, status, sync } = connection
  // The mail vendor suspended the account or switched mail off: a new consent does not help.
  if (channel === 'mailbox' && status === 'needs_action')
    return { ...byStatus.needs_action, reconnect: false }
  if (status === 'connected' && sync.state === 'failed')
    return { label: 'Sync failed', tone: 'warn', reconnect: false }
  const endsOn = consentEnd(connection)
  if (endsOn !== null) return { label: `Reconnect by ${endsOn}`, tone: 'warn', reconnect: true }
  return byStatus[status]
}
