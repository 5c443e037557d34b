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
} as const

export function ConnectedApps() {
  const { workspace } = useProfileContext()
  const apps = useRead(listConnectedApps, { params: { workspaceId: workspace.id } })
  const revoke = useWrite(revokeConnectedApp, [listConnectedApps])
  const [ending, setEnding] = useState<{ id: string; name: string } | null>(null)
  return (
    <Card title="Apps with access" note="Apps that someone has let into a profile of this workspace." flush>
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
                  <Button small onClick={() => setEnding({ id, name: app.name })}>
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {ending ? (
        <Confirm
          title={`Revoke the access of ${ending.name}?`}
          action="Revoke access"
          onConfirm={() => revoke.mutateAsync({ params: { workspaceId: workspace.id, id: ending.id } })}
          onClose={() => setEnding(null)}
        >
          Every key it holds through this authorization stops working at once, and so does everything that it
          created: destinations, tracking domains and keys, webhooks.
        </Confirm>
      ) : null}
    </Card>
  )
}
