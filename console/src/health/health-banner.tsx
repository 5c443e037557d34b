import { Link, useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { readStored, remember } from '../api/browser-storage.ts'
import { useProfileContext } from '../api/profile.ts'
import { plural } from '../format/numbers.ts'
import { navigation } from '../shell/navigation.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Problem } from './problems.ts'

const reports = navigation.find(({ name }) => name === 'Reports')!.items

/** Banner above every page about problems that stop data. Hidden problems still count in the sidebar's badge. */
export function HealthBanner({ problems }: { problems: readonly Problem[] }) {
  const { profile } = useProfileContext()
  const [hidden, setHidden] = useState(() => (readStored('hidden-problems') ?? '').split(' '))
  const page = useMatches({ select: (matches) => matches.at(-1)!.fullPath })
  // Reports show missing amounts themselves.
  const isShownByPage = (id: string) => id.startsWith('rates-') && reports.some(({ to }) => to === page)
  const visibleProblems = problems.filter(
    ({ id, to }) => !hidden.includes(id) && to !== page && !isShownByPage(id),
  )
  const [first] = visibleProblems
  if (!first) return null
  const hide = () => {
    const ids = visibleProblems.map(({ id }) => id)
    const next = [...hidden, ...ids].slice(-50)
    setHidden(next)
    remember('hidden-problems', next.join(' '))
  }
  return (
    <div className="health-banner" role="status">
      <Icon name="alert" />
      <span className="grow">
        {first.text}
        {visibleProblems.length > 1 ? ` And ${plural(visibleProblems.length - 1, 'more problem')}.` : ''}
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
