import { type DataOf, listUserTokens, revokeUserToken } from '@whence/sdk'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NewToken } from './new-token.tsx'
import { Scopes } from './scopes.tsx'

type Token = DataOf<typeof listUserTokens>[number]

export function UserTokens() {
  const tokens = useRead(listUserTokens)
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const revoke = useWrite(revokeUserToken, [listUserTokens])
  return (
    <Card
      title="User tokens"
      note="A token acts as you on all profiles you have access to. MCP clients need one."
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" size={16} />
          New token
        </Button>
      }
      flush
    >
      <Loaded query={tokens}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="key" title="No tokens yet">
              Create one for an MCP client or for a script that uses several profiles.
            </Empty>
          ) : (
            <ul className="list">
              {data.map((token) => (
                <li key={token.id}>
                  <span className="grow">
                    <strong>{token.name}</strong> <code className="faint">{token.hint}</code>
                    <span className="sub">Created {instantText(token.created_at)}</span>
                    <Scopes scopes={token.scopes} />
                  </span>
                  <Button small onClick={() => setRevoking(token)}>
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {creating ? <NewToken onClose={() => setCreating(false)} /> : null}
      {revoking ? (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          action="Revoke token"
          onConfirm={() => revoke.mutateAsync({ params: { id: revoking.id } })}
          onClose={() => setRevoking(null)}
        >
          Requests with this token fail immediately. This cannot be undone.
        </Confirm>
      ) : null}
    </Card>
  )
}
