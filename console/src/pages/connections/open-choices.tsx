import { useQueries } from '@tanstack/react-query'
import { listCandidates } from '@whence/server/features/sources/connections/contract.ts'
import { inProfile, usePlace } from '../../api/profile.ts'
import { readOptions } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { namedProviders, type Provider } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** Consents that covered several accounts and whose choice was left for later; the service keeps them for a while. */
export function OpenChoices({ onChoose }: { onChoose: (provider: Provider) => void }) {
  const { profile } = usePlace()
  const asked = useQueries({
    queries: namedProviders.map(({ id }) => ({
      ...readOptions(listCandidates, inProfile({ params: { provider: id } }, profile.id)),
      // A refusal means that nothing is on offer.
      retry: false,
    })),
  })
  const open = namedProviders.flatMap(({ id, name }, index) => {
    const offered = asked[index]?.isError ? 0 : (asked[index]?.data?.data.length ?? 0)
    return offered > 0 ? [{ id, name, offered }] : []
  })
  if (open.length === 0) return null
  return (
    <Card title="Waiting for your choice" flush>
      <ul className="list">
        {open.map(({ id, name, offered }) => (
          <li key={id}>
            <span className="grow">
              <strong>{name}</strong>
              <span className="sub">{plural(offered, 'account')} to choose from</span>
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
