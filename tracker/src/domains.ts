// Continues one visit across the business's domains: links to them get a short-lived token of the visit.
import { withField } from './checkout.ts'
import { linkOf } from './clicks.ts'
import { guarded } from './guarded.ts'
import { isOnDomain, isSameSite, VISIT_FIELD } from './landing.ts'
import type { Tracker } from './shared.ts'

/** Half the lifetime of a token. */
const REFRESH_MS = 60_000

export function watchDomains(tracker: Tracker, domains: string): void {
  let token = ''
  let refreshAt = 0
  const onPointer = guarded((event: Event) => {
    const anchor = linkOf(event)
    if (!anchor || !isOnDomain(anchor.href, domains) || isSameSite(anchor.hostname, tracker.siteHost()))
      return
    if (event.type === 'click') {
      anchor.href = withField(anchor.href, VISIT_FIELD, tracker.visitorId() && token, () => true)
    } else if (tracker.visitorId() && Date.now() > refreshAt) {
      refreshAt = Date.now() + REFRESH_MS
      void tracker.askVisit().then((visitToken) => {
        token = visitToken
      })
    }
  })
  tracker.whenVisitor(() => {
    token = ''
    refreshAt = 0
  })
  if (domains)
    for (const name of ['click', 'focusin', 'pointerover']) document.addEventListener(name, onPointer, true)
}
