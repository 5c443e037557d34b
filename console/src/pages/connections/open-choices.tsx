import { listPendingChoices } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { type Provider, providerName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** Consents that cover several accounts and wait for the choice of one; they expire after a while. */
export function OpenChoices({ onChoose }: { onChoose: (provider: Provider) => void }) {
  const choices = useProfileRead(listPendingChoices).data?.data ?? []
  const open = choices.map(({ provider: id, accounts }) => ({
    id,
    name: providerName(id),
    accountCount: accounts,
  }))
  if (open.length === 0) return null
  return (
    <Card title="Waiting for your choice" flush>
      <ul className="list">
        {open.map(({ id, name, accountCount }) => (
          <li key={id}>
            <span className="grow">
              <strong>{name}</strong>
              <span className="sub">{plural(accountCount, 'account')} to choose from</span>
            </span>
            <Badge tone="warn">Not connected yet</Badge>
            <Button kind="primary" onClick={() => onChoose(id)}>
              Choose account
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
