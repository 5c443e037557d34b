import { Link, useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { useProfileContext } from '../api/profile.ts'
import { readStored, remember } from '../api/remembered.ts'
import { plural } from '../format/numbers.ts'
import { navigation } from '../shell/navigation.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Problem } from './problems.ts'

const reports = navigation.find(({ name }) => name === 'Reports')!.items

/** On every page, above it: what keeps data from coming. Hidden problems stay in the sidebar's badge. */
export function HealthBanner({ problems }: { problems: readonly Problem[] }) {
  const { profile } = useProfileContext()
  const [hidden, setHidden] = useState(() => (readStored('hidden-problems') ?? '').split(' '))
  const page = useMatches({ select: (matches) => matches.at(-1)!.fullPath })
  // Reports say themselves which amounts they leave out.
  const isSaid = (id: string) => id.startsWith('rates-') && reports.some(({ to }) => to === page)
  const shown = problems.filter(({ id, to }) => !hidden.includes(id) && to !== page && !isSaid(id))
  const [first] = shown
  if (!first) return null
  const hide = () => {
    const ids = shown.map(({ id }) => id)
    const next = [...hidden, ...ids].slice(-50)
    setHidden(next)
    remember('hidden-problems', next.join(' '))
  }
  return (
    <div className="health-banner" role="status">
      <Icon name="alert" />
      <span className="grow">
        {first.text}
        {shown.length > 1 ? ` And ${plural(shown.length - 1, 'more problem')}.` : ''}
      </span>
      <Link
        to={first.to}
        params={{ profileId: profile.id }}
        search={(before) => ({ ...before, tab: first.tab })}
        className={buttonClass({ small: true })}
      >
        {first.action}
      </Link>
      <Button kind="quiet" small onClick={hide}>
        Hide
      </Button>
    </div>
  )
}
