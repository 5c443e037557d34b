import { useQueryClient } from '@tanstack/react-query'
import { getOverview, listCampaigns, listConnections } from '@whence/sdk'
import { useEffect } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { refetch } from '../../api/refetch.ts'
import { providerName } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { SyncLine } from '../connections/sync-line.tsx'

const POLL_MS = 1000

/** Progress of a new connection's first sync; the figures are refetched when it is done. */
export function FirstSync() {
  const client = useQueryClient()
  const rows = useProfileRead(listConnections, {}, { every: POLL_MS }).data?.data ?? []
  const pending = rows.filter(
    ({ sync }) => sync.last_success_at === null && (sync.state === 'queued' || sync.state === 'running'),
  )
  const pendingCount = pending.length
  useEffect(() => {
    if (pendingCount === 0) void refetch(client, [getOverview, listCampaigns])
  }, [client, pendingCount])
  if (pendingCount === 0) return null
  return (
    <Card title="First sync in progress" note="The figures below update when it is done." flush>
      <ul className="list">
        {pending.map((connection) => (
          <li key={connection.id}>
            <span className="grow">
              <strong>{providerName(connection.channel)}</strong>
              <span className="sub">{connection.display_name}</span>
              <SyncLine sync={connection.sync} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
