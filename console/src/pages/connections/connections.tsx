import { type Connection, listConnections } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { authorizingProvider, type Connectable, type Provider, providerName } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ChooseAccount } from './choose-account.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { ConnectionRow } from './connection-row.tsx'
import { ManualStores } from './manual-stores.tsx'
import { MoreSources } from './more-sources.tsx'
import { OpenChoices } from './open-choices.tsx'
import { ProviderList } from './provider-list.tsx'

const BUSY_POLL_MS = 1000
const IDLE_POLL_MS = 15_000

export function Connections() {
  const [connecting, setConnecting] = useState<{ provider: Connectable; broken?: Connection } | null>(null)
  const [choosing, setChoosing] = useState<Provider | null>(null)
  const [busy, setBusy] = useState(false)
  const connections = useProfileRead(listConnections, {}, { every: busy ? BUSY_POLL_MS : IDLE_POLL_MS })
  const rows = connections.data?.data ?? []
  const isBusy = rows.some(({ sync }) => sync.state === 'queued' || sync.state === 'running')
  if (busy !== isBusy) setBusy(isBusy)
  return (
    <Page
      title="Connections"
      note="The platforms where your ads run, leads arrive and customers pay. You sign in at each platform to allow access."
    >
      <OpenChoices onChoose={setChoosing} />
      <Card title="Connected" flush>
        <Loaded query={connections}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="connections" title="No connections yet">
                Choose a provider below. You allow access on its own page.
              </Empty>
            ) : (
              <ul className="list">
                {data.map((connection) => (
                  <ConnectionRow
                    key={connection.id}
                    connection={connection}
                    onReconnect={(broken) =>
                      setConnecting({
                        provider: authorizingProvider(broken.channel, broken.provider_subtype),
                        broken,
                      })
                    }
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <ProviderList connections={rows} onConnect={(provider) => setConnecting({ provider })} />
      <MoreSources
        channels={new Set(rows.filter(({ status }) => status === 'connected').map(({ channel }) => channel))}
      />
      <ManualStores />
      {connecting ? <ConnectDialog {...connecting} onClose={() => setConnecting(null)} /> : null}
      {choosing ? (
        <Dialog open onClose={() => setChoosing(null)} title={`Connect ${providerName(choosing)}`}>
          <ChooseAccount
            provider={choosing}
            onConnected={() => setChoosing(null)}
            onClose={() => setChoosing(null)}
          />
        </Dialog>
      ) : null}
    </Page>
  )
}
