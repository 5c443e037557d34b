import { listConnectedApps, revokeConnectedApp } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'

const kinds = {
  export_destination: 'Sends conversions to',
  tracking_domain: 'Tracking domain',
  tracking_key: 'Tracking key',
  webhook: 'Sends events to',
  customer_list: 'Customer list',
  connection: 'Connection',
  alert: 'Alert',
} as const

export function ConnectedApps() {
  const { workspace } = useProfileContext()
  const apps = useRead(listConnectedApps, { params: { workspaceId: workspace.id } })
  const revoke = useWrite(revokeConnectedApp, [listConnectedApps])
  const [revoking, setRevoking] = useState<{ id: string; name: string } | null>(null)
  return (
    <Card title="Apps with access" note="Apps with access to a profile of this workspace." flush>
      <Loaded query={apps}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="connections" title="No app has access" />
          ) : (
            <ul className="list">
              {data.map(({ id, app, profile_name, grant, created, created_at }) => (
                <li key={id}>
                  <span className="grow">
                    <strong>{app.name}</strong>
                    <span className="sub">
                      {profile_name} · {grant} · since {instantText(created_at)}
                    </span>
                    {created.map((thing) => (
                      <span className="sub" key={thing.id}>
                        {kinds[thing.kind]}: {thing.name}
                      </span>
                    ))}
                  </span>
                  <Button small onClick={() => setRevoking({ id, name: app.name })}>
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {revoking ? (
        <Confirm
          title={`Revoke the access of ${revoking.name}?`}
          action="Revoke access"
          onConfirm={() => revoke.mutateAsync({ params: { workspaceId: workspace.id, id: revoking.id } })}
          onClose={() => setRevoking(null)}
        >
          All its keys from this authorization stop working immediately, and so does everything it created:
          destinations, tracking domains and keys, webhooks.
        </Confirm>
      ) : null}
    </Card>
  )
}
