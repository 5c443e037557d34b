import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { usePlace } from '../api/profile.ts'
import type { Problem } from '../health/problems.ts'
import { Icon } from '../ui/icon.tsx'
import { CommandMenu } from './command-menu.tsx'
import { navigation } from './navigation.ts'
import { Notifications } from './notifications.tsx'
import { ProfileSwitcher } from './profile-switcher.tsx'
import { UserMenu } from './user-menu.tsx'

export function Sidebar({ problems, onNavigate }: { problems: readonly Problem[]; onNavigate?: () => void }) {
  const { profile } = usePlace()
  const pages = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // An address may lead to a page whose line is below the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another line
  useEffect(() => {
    pages.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <div className="sidebar">
      <Link to="/" className="brand">
        <img src="/favicon.svg" alt="" />
        Whence
      </Link>
      <ProfileSwitcher />
      <CommandMenu />
      <Notifications />
      <nav aria-label="Pages" ref={pages}>
        {navigation.map((group) => (
          <div key={group.name}>
            <div className="nav-group">{group.name}</div>
            {group.items.map((item) => (
              <Link
                key={item.to}
                to={item.to}
                params={{ profileId: profile.id }}
                className="nav-link"
                {...(onNavigate ? { onClick: onNavigate } : {})}
              >
                <Icon name={item.icon} />
                <span className="grow">{item.label}</span>
                <ProblemCount problems={problems.filter(({ to }) => to === item.to)} />
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        <UserMenu />
      </div>
    </div>
  )
}

function ProblemCount({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null
  return (
    <span className="badge warn" title={problems.map(({ text }) => text).join('\n')}>
      {problems.length}
      <span className="sr-only"> need attention</span>
    </span>
  )
}
