import { type DataOf, listApiKeys, revokeApiKey, rotateApiKey } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { dayText, instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { NewKey } from './new-key.tsx'
import { Scopes } from './scopes.tsx'
import { ShowSecret } from './show-secret.tsx'

type Key = DataOf<typeof listApiKeys>[number]

export function ApiKeys() {
  const { workspace, profile } = useProfileContext()
  const keys = useRead(listApiKeys, {
    params: { workspaceId: workspace.id },
    query: { profile_id: profile.id },
  })
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const revoke = useWrite(revokeApiKey, [listApiKeys])
  const rotate = useWrite(rotateApiKey, [listApiKeys])
  const toast = useToast()
  const replace = (key: Key) =>
    rotate.mutate(
      { params: { workspaceId: workspace.id, id: key.id }, body: {} },
      {
        onSuccess: ({ data }) => setSecret(data.key),
        onError: (error: unknown) => toast(messageOf(error), 'bad'),
      },
    )
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" size={16} />
      New key
    </Button>
  )
  return (
    <Card
      title="API keys"
      note={`A key can access only ${profile.name}, within its scopes.`}
      actions={create}
      flush
    >
      <Loaded query={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="key" title="No keys yet">
              Create one to send events or read reports from your own systems.
            </Empty>
          ) : (
            <ul className="list">
              {data.map((key) => (
                <KeyRow key={key.id} apiKey={key} onRotate={replace} onRevoke={setRevoking} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {creating ? <NewKey onClose={() => setCreating(false)} /> : null}
      {secret ? (
        <ShowSecret title="The new key" secret={secret} onClose={() => setSecret(null)}>
          The old key works for two more days, so you have time to switch.
        </ShowSecret>
      ) : null}
      {revoking ? (
        <Confirm
          title={`Revoke ${revoking.name ?? revoking.hint}?`}
          action="Revoke key"
          onConfirm={() =>
            revoke.mutateAsync({ params: { workspaceId: workspace.id, id: revoking.id }, body: {} })
          }
          onClose={() => setRevoking(null)}
        >
          Requests with this key fail immediately. This cannot be undone.
        </Confirm>
      ) : null}
    </Card>
  )
}

function KeyRow({
  apiKey,
  onRotate,
  onRevoke,
}: {
  apiKey: Key
  onRotate: (key: Key) => void
  onRevoke: (key: Key) => void
}) {
  return (
    <li>
      <span className="grow">
        <strong>{apiKey.name ?? 'Unnamed key'}</strong> <code className="faint">{apiKey.hint}</code>
        <span className="sub">
          {apiKey.last_used_on ? `Last used ${dayText(apiKey.last_used_on, true)}` : 'Never used'} · created{' '}
          {instantText(apiKey.created_at)}
        </span>
        <Scopes scopes={apiKey.scopes} />
      </span>
      {apiKey.revoked_at ? (
        <Badge tone="warn">Until {instantText(apiKey.revoked_at)}</Badge>
      ) : (
        <Badge tone="good">Active</Badge>
      )}
      <Menu
        trigger={
          <Button kind="quiet" icon aria-label={`Actions for ${apiKey.name ?? apiKey.hint}`}>
            <Icon name="more" />
          </Button>
        }
      >
        <MenuItem disabled={apiKey.revoked_at !== null} onSelect={() => onRotate(apiKey)}>
          <Icon name="refresh" size={16} />
          Rotate
        </MenuItem>
        <MenuItem danger onSelect={() => onRevoke(apiKey)}>
          <Icon name="close" size={16} />
          Revoke
        </MenuItem>
      </Menu>
    </li>
  )
}
