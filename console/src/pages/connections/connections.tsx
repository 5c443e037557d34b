import { listConnections } from '@whence/server/features/connections/contract.ts'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import type { Provider } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { ConnectionRow } from './connection-row.tsx'
import { ProviderList } from './provider-list.tsx'

const LIVE_MS = 1000
const RESTING_MS = 15_000

export function Connections() {
  const [connecting, setConnecting] = useState<Provider | null>(null)
  const [busy, setBusy] = useState(false)
  const connections = useProfileRead(listConnections, {}, { every: busy ? LIVE_MS : RESTING_MS })
  const rows = connections.data?.data ?? []
  const isBusy = rows.some(({ sync }) => sync.state === 'queued' || sync.state === 'running')
  if (busy !== isBusy) setBusy(isBusy)
  return (
    <Page
      title="Connections"
      note="Links to the platforms where ads run, leads arrive and money is paid. Consent is given by a person at the provider."
    >
      <Card title="Connected" flush>
        <Loaded query={connections}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="connections" title="Nothing is connected yet">
                Choose a provider below. You will be taken to its own screen to agree.
              </Empty>
            ) : (
              <ul className="list">
                {data.map((connection) => (
                  <ConnectionRow key={connection.id} connection={connection} onReconnect={setConnecting} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <ProviderList connections={rows} onConnect={setConnecting} />
      {connecting ? <ConnectDialog provider={connecting} onClose={() => setConnecting(null)} /> : null}
    </Page>
  )
}
