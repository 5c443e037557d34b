/** Maps outbox events and other occurrences to notifications. Pure. */
import type { Notification } from './contract.ts'

export type Happened = {
  id: string
  kind: string
  at: Date
  provider: string | null
  subject_id: string | null
  data: Record<string, unknown>
}

export const notifiedTypes: Record<string, Notification['kind']> = {
  'connection.reconnect_required': 'connection_broken',
  'connection.revoked': 'connection_revoked',
  'connection.connected': 'connection_connected',
  'export.failed': 'export_failed',
  'recompute.completed': 'recompute_done',
  'alert.fired': 'alert_fired',
  'alert.recovered': 'alert_recovered',
}
const kinds: Record<string, Notification['kind']> = {
  ...notifiedTypes,
  'sync.first': 'first_sync_done',
  'recommendation.opened': 'recommendation_opened',
  'doctor.problems': 'data_problem',
}

export function toNotification(row: Happened, readThrough: Date): Notification {
  const kind = kinds[row.kind]!
  return {
    id: row.id,
    kind,
    at: row.at,
    subject: row.provider,
    subject_id: row.subject_id,
    detail: detailOf(kind, row.data),
    is_unread: row.at > readThrough,
  }
}

function detailOf(kind: Notification['kind'], data: Record<string, unknown>): string | null {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : null
  switch (kind) {
    case 'export_failed':
      return text(data.failed)
    case 'recompute_done':
      return text(data.conversions)
    case 'data_problem':
      return text(data.problems)
    case 'recommendation_opened':
      return text(data.kind)
    default:
      return text(data.reason)
  }
}
