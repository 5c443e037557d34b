import { useLocation } from '@tanstack/react-router'
import { Icon } from '../ui/icon.tsx'
import { navPages } from './navigation.ts'
import { togglePin, usePinnedPages } from './pins.ts'

/** Button next to a page's title that pins the page to the top of the menu. */
export function PinButton() {
  const { pathname } = useLocation()
  const pinned = usePinnedPages()
  const [, , , name, detail] = pathname.split('/')
  const page = detail === undefined ? navPages.find(({ to }) => to.endsWith(`/${name}`)) : undefined
  if (page === undefined) return null
  const isPinned = pinned.includes(page)
  return (
    <button
      type="button"
      className="help-link pin"
      aria-pressed={isPinned}
      aria-label={`Pin ${page.label} to the top of the menu`}
      title={isPinned ? 'Remove from the top of the menu' : 'Pin to the top of the menu'}
      onClick={() => togglePin(page)}
    >
      <Icon name="pin" size={16} />
    </button>
  )
}
