import { PAGE_LOGIN } from '../../../../connectors/messaging.ts'
import type { DataSource } from '../../../facts/export-queue/rules.ts'

export type SourceConnection = {
  provider: string
  status: string
  provider_subtype: string | null
  dataset_id: string | null
}

export type SourceReason =
  | 'chatapp_not_connected'
  | 'photoapp_not_connected'
  | 'photoapp_facebook_login_required'

/** Why conversions of the source cannot be sent; null if they can. */
export function sourceReason(
  source: DataSource,
  connections: readonly SourceConnection[],
): SourceReason | null {
  const live = connections.filter((row) => row.provider === source && row.status === 'connected')
  if (source === 'chatapp') return live.length > 0 ? null : 'chatapp_not_connected'
  if (source !== 'photoapp') return null
  if (live.length === 0) return 'photoapp_not_connected'
  // The datasets belong to the linked page, so only a login through that page can use them.
  return live.some((row) => row.provider_subtype === PAGE_LOGIN) ? null : 'photoapp_facebook_login_required'
}
