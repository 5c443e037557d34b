import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { readStored, remember } from '../api/browser-storage.ts'
import { useProfileContext } from '../api/profile.ts'
import { basePath } from '../base-path.ts'
import type { Problem } from '../health/problems.ts'
import { Icon } from '../ui/icon.tsx'
import { CommandMenu } from './command-menu.tsx'
import { collapsedToFit, type NavPage, navigation } from './navigation.ts'
import { Notifications } from './notifications.tsx'
import { usePinnedPages } from './pins.ts'
import { ProfileSwitcher } from './profile-switcher.tsx'
import { UserMenu } from './user-menu.tsx'

export function Sidebar({ problems, onNavigate }: { problems: readonly Problem[]; onNavigate?: () => void }) {
  const { profile } = useProfileContext()
  const pages = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // The link of the open page may be outside the visible part of the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every page
  useEffect(() => {
    if (pages.current) showOpenPage(pages.current)
  }, [pathname])
  const pinned = usePinnedPages()
  const current = navigation.find(({ items }) =>
    items.some(({ to }) => pathname.endsWith(to.slice(to.lastIndexOf('/')))),
  )
  const collapsed = collapsedToFit(window.innerHeight, current?.name)
  const isOpen = ({ name }: (typeof navigation)[number]) => !collapsed.includes(name)
  const link = (item: NavPage) => (
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
  )
  return (
    <div className="sidebar">
      <Link to="/" className="brand">
        <img src={`${basePath}/favicon.svg`} alt="" />
        Whence
      </Link>
      <ProfileSwitcher />
      <CommandMenu />
      <Notifications />
      <nav aria-label="Pages" ref={pages}>
        {pinned.length > 0 ? (
          <Group name="Pinned" isOpen>
            {pinned.map(link)}
          </Group>
        ) : null}
        {navigation.map((group) => (
          <Group key={group.name} name={group.name} isOpen={isOpen(group)}>
            {group.items.map(link)}
          </Group>
        ))}
      </nav>
      <div className="sidebar-foot">
        <UserMenu />
      </div>
    </div>
  )
}

/** Groups that the user collapsed, and those that they expanded, with a plus in front. */
const toggledGroups = () => (readStored('folded-pages') ?? '').split(',').filter(Boolean)

/** Pages under one heading. Collapsing and expanding is remembered in this browser. */
function Group({ name, isOpen, children }: { name: string; isOpen: boolean; children: ReactNode }) {
  const [toggledNames, setToggledNames] = useState(toggledGroups)
  const isCollapsed = toggledNames.includes(name) || (!isOpen && !toggledNames.includes(`+${name}`))
  const toggle = () => {
    const otherGroups = toggledGroups().filter((group) => group !== name && group !== `+${name}`)
    const next = [...otherGroups, isCollapsed ? `+${name}` : name]
    remember('folded-pages', next.join(','))
    setToggledNames(next)
  }
  return (
    <div>
      <button type="button" className="nav-group" aria-expanded={!isCollapsed} onClick={toggle}>
        <span className="grow">{name}</span>
        <Icon name="down" size={12} />
      </button>
      {isCollapsed ? null : children}
    </div>
  )
}

/** Height of the fade at the list's edge. */
const EDGE_PX = 20

/** Scrolls only the list. After `scrollIntoView`, some browsers continue the Tab order from there. */
function showOpenPage(list: HTMLElement): void {
  const open = list.querySelector('[aria-current="page"]')?.getBoundingClientRect()
  if (open === undefined) return
  const { top, bottom } = list.getBoundingClientRect()
  const below = open.bottom + EDGE_PX - bottom
  const above = open.top - EDGE_PX - top
  if (below > 0) list.scrollTop += below
  else if (above < 0) list.scrollTop += above
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
