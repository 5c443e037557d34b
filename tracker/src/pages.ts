// Records page views: on load, when a prerendered page is shown, on history navigation, and when the
// back/forward cache restores a page.
import type { Tracker } from './shared.ts'
import type { Navigation } from './wire.ts'

export function watchPages(tracker: Tracker, spa: string): void {
  const landing = location.href
  let path = location.pathname
  let address = addressNow()

  function addressNow(): string {
    return location.pathname + location.search + (spa === 'hash' ? location.hash : '')
  }

  function recordView(navigation: Navigation, referrer = ''): void {
    path = location.pathname
    address = addressNow()
    tracker.record('page_view', 'page_view', {}, {}, { navigation, referrer })
  }

  /** Replacing only the query (filters, removed tags) is the same page; a new path is not. */
  function moved(replaced: boolean): void {
    // In the next task, so that a redirect counts once and the new title is set.
    setTimeout(() => {
      if (replaced && location.pathname === path && spa !== 'hash') address = addressNow()
      if (addressNow() !== address) recordView('spa')
    })
  }

  function first(): void {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const type = entry?.type
    const moved = location.href !== landing
    if (moved) recordView('spa')
    else recordView(type === 'reload' || type === 'back_forward' ? type : 'navigate', document.referrer)
  }

  if ((document as Document & { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', first, { once: true })
  } else first()
  tracker.whenRegained(first)

  addEventListener('pageshow', (event) => {
    if (event.persisted) recordView('bfcache')
  })

  if (spa === 'off') return
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method]
    history[method] = function (this: History, ...args: Parameters<typeof original>) {
      original.apply(this, args)
      moved(method === 'replaceState')
    }
  }
  addEventListener('popstate', () => moved(false))
  addEventListener('hashchange', () => moved(false))
}
