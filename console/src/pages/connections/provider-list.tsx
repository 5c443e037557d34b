import type { Connection } from '@whence/sdk'
import { PlatformMark } from '../../names/platform-mark.tsx'
import { type Connectable, namedMailboxes, namedProviders, vendorOf } from '../../names/providers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

export function ProviderList({
  connections,
  onConnect,
}: {
  connections: readonly Connection[]
  onConnect: (provider: Connectable) => void
}) {
  const live = new Set<string>(
    connections
      .filter(({ status }) => status !== 'revoked')
      .map(({ channel, provider_subtype }) => vendorOf(channel, provider_subtype) ?? channel),
  )
  return (
    <Card title="Available" flush>
      <ul className="list tiles">
        {[...namedProviders, ...namedMailboxes].map(({ id, name, brings }) => (
          <li key={id}>
            <PlatformMark id={id} />
            <span className="grow">
              <strong>{name}</strong>
              <span className="sub">{brings}</span>
            </span>
            <Button small onClick={() => onConnect(id)} aria-label={`Connect ${name}`}>
              {live.has(id) ? 'Connect another' : 'Connect'}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
