import { Link, useMatches } from '@tanstack/react-router'
import { useContext } from 'react'
import { PlaceContext } from '../../api/profile.ts'
import { navPages } from '../../shell/navigation.ts'
import { Icon } from '../../ui/icon.tsx'
import { slug } from './guide.ts'

/** From a page to its section of the guide. Pages outside a profile have none. */
export function HelpLink({ title }: { title: string }) {
  const place = useContext(PlaceContext)
  const path: string = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const own = navPages.find(({ to }) => path === to || path.startsWith(`${to}/`))
  const topic = own ? slug(own.label) : path.includes('/why/') ? 'why' : null
  if (!place || topic === null) return null
  return (
    <Link
      to="/p/$profileId/help"
      params={{ profileId: place.profile.id }}
      hash={topic}
      className="help-link"
      aria-label={`Help on ${title}`}
      title="Help"
    >
      <Icon name="help" size={17} />
    </Link>
  )
}
