import { Link } from '@tanstack/react-router'
import type { DataOf, getDoctor } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { count, money } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

type Check = DataOf<typeof getDoctor>['checks'][number]
type Example = Check['examples'][number]

const pages = {
  campaigns: { to: '/p/$profileId/campaigns', label: 'Open campaigns' },
  connections: { to: '/p/$profileId/connections', label: 'Open connections' },
  goals: { to: '/p/$profileId/goals', label: 'Open goals' },
  identity: { to: '/p/$profileId/identity', label: 'Open identity' },
  payments: { to: '/p/$profileId/payments', label: 'Open payments' },
  settings: { to: '/p/$profileId/settings', label: 'Open settings' },
  tracking: { to: '/p/$profileId/tracking', label: 'Open tracking' },
  unattributed: { to: '/p/$profileId/unattributed', label: 'Open unattributed' },
} as const satisfies Record<Check['advice']['page'], { to: string; label: string }>

export function FindingCard({ check, currency }: { check: Check; currency: string }) {
  const { profile } = useProfileContext()
  const { to, label } = pages[check.advice.page]
  const facts = [
    `${count(check.count)} affected`,
    check.value === null ? null : money(check.value, currency),
    check.since === null ? null : `since ${dayText(check.since)}`,
  ].filter((fact) => fact !== null)
  return (
    <Card
      title={check.question}
      note={facts.join(' · ')}
      actions={
        <>
          <Badge tone={check.status === 'problem' ? 'bad' : 'warn'}>
            {check.status === 'problem' ? 'Problem' : 'Warning'}
          </Badge>
          <Link to={to} params={{ profileId: profile.id }} className={buttonClass({ kind: 'primary' })}>
            {label}
          </Link>
        </>
      }
    >
      <p>{check.advice.text}</p>
      {check.examples.length > 0 ? (
        <ul className="reasons">
          {check.examples.map((example) => (
            <li key={`${example.kind} ${example.id}`}>
              <ExampleName example={example} profileId={profile.id} />
              {example.count === null ? null : ` (${count(example.count)})`}
              {example.detail === null ? null : <span className="muted"> {example.detail}</span>}
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

function ExampleName({ example, profileId }: { example: Example; profileId: string }) {
  switch (example.kind) {
    case 'conversion':
      return (
        <Link to="/p/$profileId/why/$conversionId" params={{ profileId, conversionId: example.id }}>
          Sale {example.id.slice(-6)}
        </Link>
      )
    case 'customer':
      return (
        <Link to="/p/$profileId/customers/$customerId" params={{ profileId, customerId: example.id }}>
          Customer {example.id.slice(-6)}
        </Link>
      )
    case 'campaign':
      return (
        <Link
          to="/p/$profileId/campaigns"
          params={{ profileId }}
          search={(before) => ({ ...before, campaign: example.id })}
        >
          Campaign
        </Link>
      )
    case 'connection':
      return <>Connection</>
    case 'goal':
      return <>Goal</>
    default:
      return <code>{example.id}</code>
  }
}
