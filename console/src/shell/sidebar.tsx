import { Link } from '@tanstack/react-router'
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
  return (
    <div className="sidebar">
      <Link to="/" className="brand">
        <img src="/favicon.svg" alt="" />
        Whence
      </Link>
      <ProfileSwitcher />
      <CommandMenu />
      <Notifications />
      <nav aria-label="Pages">
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
