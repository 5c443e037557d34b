import { Link, useMatches } from '@tanstack/react-router'
import { useContext } from 'react'
import { ProfileContext } from '../../api/profile.ts'
import { navPages } from '../../shell/navigation.ts'
import { Icon } from '../../ui/icon.tsx'
import { slug } from './guide.ts'

/** Links a page to its section of the guide. Pages outside a profile have none. */
export function HelpLink({ title }: { title: string }) {
  const context = useContext(ProfileContext)
  const path: string = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const navPage = navPages.find(({ to }) => path === to || path.startsWith(`${to}/`))
  const topic = navPage ? slug(navPage.label) : path.includes('/why/') ? 'why' : null
  if (!context || topic === null) return null
  return (
    <Link
      to="/p/$profileId/help"
      params={{ profileId: context.profile.id }}
      hash={topic}
      className="help-link"
      aria-label={`Help on ${title}`}
      title="Help"
    >
      <Icon name="help" size={17} />
    </Link>
  )
}
