import { acceptDpa, type DataOf, listOAuthApps, rotateOAuthAppSecret, withdrawDpa } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ShowSecret } from '../developers/show-secret.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { EditApp } from './edit-app.tsx'
import { NewApp } from './new-app.tsx'

type App = DataOf<typeof listOAuthApps>[number]

export function Apps() {
  const { workspace } = useProfileContext()
  const apps = useRead(listOAuthApps, { params: { workspaceId: workspace.id } })
  const [creating, setCreating] = useState(false)
  return (
    <>
      <Card
        title="Partner apps"
        note="An app’s users sign in here and allow it a key for their profiles."
        actions={
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" size={16} />
            New app
          </Button>
        }
        flush
      >
        <Loaded query={apps}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="developers" title="No apps yet">
                Register one if your product should access its users’ profiles.
              </Empty>
            ) : (
              <ul className="list">
                {data.map((app) => (
                  <AppRow key={app.id} app={app} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <ConnectedApps />
      {creating ? <NewApp onClose={() => setCreating(false)} /> : null}
    </>
  )
}

function AppRow({ app }: { app: App }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id, appId: app.id }
  const rotate = useWrite(rotateOAuthAppSecret, [listOAuthApps])
  const accept = useWrite(acceptDpa, [listOAuthApps])
  const withdraw = useWrite(withdrawDpa, [listOAuthApps])
  const [secret, setSecret] = useState<string | null>(null)
  const [editing, setEditing] = useState(false)
  const toast = useToast()
  const fail = { onError: (error: unknown) => toast(messageOf(error), 'bad') }
  const accepted = app.dpa.status === 'accepted'
  return (
    <li>
      <span className="grow">
        <strong>{app.name}</strong> <code className="faint">{app.client_id}</code>
        <span className="sub">
          {app.allowed_scopes.join(', ')} · {app.redirect_uris.join(', ') || 'no return address yet'}
        </span>
        {accepted ? null : (
          <span className="sub">
            Until you accept the data-processing agreement (DPA), this app cannot read people of profiles it
            creates.
          </span>
        )}
      </span>
      <Badge tone={accepted ? 'good' : 'plain'}>DPA {sentence(app.dpa.status).toLowerCase()}</Badge>
      <Menu
        trigger={
          <Button kind="quiet" icon aria-label={`Actions for ${app.name}`}>
            <Icon name="more" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setEditing(true)}>
          <Icon name="settings" size={16} />
          Edit
        </MenuItem>
        <MenuItem
          onSelect={() =>
            rotate.mutate(
              { params, body: {} },
              { onSuccess: ({ data }) => setSecret(data.client_secret), ...fail },
            )
          }
        >
          <Icon name="refresh" size={16} />
          Rotate secret
        </MenuItem>
        <MenuItem onSelect={() => (accepted ? withdraw : accept).mutate({ params, body: {} }, fail)}>
          <Icon name={accepted ? 'close' : 'check'} size={16} />
          {accepted ? 'Withdraw the DPA' : 'Accept the DPA'}
        </MenuItem>
      </Menu>
      {editing ? <EditApp app={app} onClose={() => setEditing(false)} /> : null}
      {secret ? (
        <ShowSecret title={`Secret of ${app.name}`} secret={secret} onClose={() => setSecret(null)}>
          The old secret works for seven more days.
        </ShowSecret>
      ) : null}
    </li>
  )
}
