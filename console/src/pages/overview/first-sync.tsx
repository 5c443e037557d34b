import { useQueryClient } from '@tanstack/react-query'
import { getOverview, listCampaigns, listConnections } from '@whence/sdk'
import { useEffect } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { refetch } from '../../api/refetch.ts'
import { providerName } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { SyncLine } from '../connections/sync-line.tsx'

const LOOK_MS = 1000

/** While a new connection brings its history: how far it is, and the figures again when it is done. */
export function FirstSync() {
  const client = useQueryClient()
  const rows = useProfileRead(listConnections, {}, { every: LOOK_MS }).data?.data ?? []
  const coming = rows.filter(
    ({ sync }) => sync.last_success_at === null && (sync.state === 'queued' || sync.state === 'running'),
  )
  const left = coming.length
  useEffect(() => {
    if (left === 0) void refetch(client, [getOverview, listCampaigns])
  }, [client, left])
  if (left === 0) return null
  return (
    <Card title="The first sync is under way" note="The figures below fill in when it is done." flush>
      <ul className="list">
        {coming.map((connection) => (
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
